#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace voxelscribe {

/// A streamed digest.
class Hash {
public:
    enum class Kind { sha1, sha256 };
    explicit Hash(Kind kind);
    ~Hash();
    Hash(Hash&&) noexcept;
    Hash& operator=(Hash&&) noexcept;

    void add(std::span<const std::byte> bytes);
    /// Lower-case hex of all that was added; the hash is spent after it.
    std::string hex();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// SHA-256 of a file's bytes. @throws Error(io).
std::string sha256OfFile(const std::filesystem::path& path);

} // namespace voxelscribe
