#include "core/base/atomic_file.h"

#include "core/base/error.h"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace voxelscribe {

namespace fs = std::filesystem;

namespace {

/// A file descriptor that closes itself.
class Descriptor {
public:
    Descriptor(const fs::path& path, int flags) : m_id(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
    ~Descriptor()
    {
        if (m_id >= 0)
            ::close(m_id);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int id() const { return m_id; }

private:
    int m_id;
};

void writeAll(int id, std::span<const std::byte> bytes, const fs::path& path)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(id, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            throwSystemError("cannot write", path.string(), errno);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void syncPath(const fs::path& path)
{
    const Descriptor file(path, O_RDONLY);
    if (file.id() >= 0 && ::fsync(file.id()) != 0 && errno != EINVAL && errno != EROFS)
        throwSystemError("cannot finish writing", path.string(), errno);
}

} // namespace

fs::path temporaryBeside(const fs::path& target)
{
    static std::atomic<unsigned> counter{0};
    fs::path clean = target;
    if (!clean.has_filename())
        clean = clean.parent_path();
    return clean.parent_path()
           / ("." + clean.filename().string() + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(counter++));
}

AtomicPath::AtomicPath(fs::path target) : m_target(std::move(target)), m_temporary(temporaryBeside(m_target)) {}

AtomicPath::~AtomicPath()
{
    if (m_committed)
        return;
    std::error_code ignored; // a leftover temporary is harmless, a throwing destructor is not
    fs::remove_all(m_temporary, ignored);
}

void AtomicPath::commit()
{
    syncPath(m_temporary);
    fs::path clean = m_target;
    if (!clean.has_filename())
        clean = clean.parent_path();
    std::error_code fault;
    if (fs::is_directory(m_temporary) && fs::exists(clean))
        fs::remove_all(clean, fault);
    fs::rename(m_temporary, clean, fault);
    if (fault)
        throwSystemError("cannot put in place", clean.string(), fault.value());
    m_committed = true;
}

void writeFileAtomically(const fs::path& target, std::span<const std::byte> bytes)
{
    AtomicPath file(target);
    {
        const Descriptor out(file.temporary(), O_WRONLY | O_CREAT | O_TRUNC);
        if (out.id() < 0)
            throwSystemError("cannot write", target.string(), errno);
        writeAll(out.id(), bytes, target);
    }
    file.commit();
}

void writeFileAtomically(const fs::path& target, std::string_view text)
{
    writeFileAtomically(target, std::as_bytes(std::span(text.data(), text.size())));
}

std::string readTextFile(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf() || in.peek() == std::ifstream::traits_type::eof()))
        throwSystemError("cannot read", path.string(), errno);
    return text.str();
}

} // namespace voxelscribe
