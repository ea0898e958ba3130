#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace voxelscribe {

/// A name for a file being written, beside its target: ".NAME.part-PID-N".
std::filesystem::path temporaryBeside(const std::filesystem::path& target);

/// Owns a temporary path beside `target`: `commit` syncs it and renames it over the target,
/// otherwise the destructor removes it. The temporary may be a file or a folder.
class AtomicPath {
public:
    explicit AtomicPath(std::filesystem::path target);
    ~AtomicPath();
    AtomicPath(const AtomicPath&) = delete;
    AtomicPath& operator=(const AtomicPath&) = delete;

    const std::filesystem::path& temporary() const { return m_temporary; }
    const std::filesystem::path& target() const { return m_target; }
    /// @throws Error(io); the target is then as it was.
    void commit();

private:
    std::filesystem::path m_target;
    std::filesystem::path m_temporary;
    bool m_committed = false;
};

/// Writes `bytes` beside `target`, syncs and renames. @throws Error(io); the target is then as it was.
void writeFileAtomically(const std::filesystem::path& target, std::span<const std::byte> bytes);
void writeFileAtomically(const std::filesystem::path& target, std::string_view text);
/// All bytes of a small file as text. @throws Error(io).
std::string readTextFile(const std::filesystem::path& path);

} // namespace voxelscribe
