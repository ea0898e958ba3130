#include "core/project/project_lock.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace voxelscribe::project {

namespace {

std::string ownerIn(int file)
{
    std::array<char, 256> text{};
    const ssize_t length = ::pread(file, text.data(), text.size(), 0);
    std::string owner(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
    owner.erase(owner.find_last_not_of("\n ") + 1);
    return owner.empty() ? "another process" : owner;
}

std::string reason(int errorNumber)
{
    return std::generic_category().message(errorNumber);
}

} // namespace

ProjectLock::ProjectLock(const std::filesystem::path& folder)
{
    const std::filesystem::path path = folder / "lock";
    m_file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    const bool isWritable = m_file >= 0;
    if (!isWritable) {
        m_problem = "the project cannot be changed, its folder is not writable (" + reason(errno) + ")";
        m_file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (m_file < 0)
            return;
    }
    if (::flock(m_file, (isWritable ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0) {
        m_isHeld = isWritable;
    } else if (errno == EWOULDBLOCK) {
        m_owner = ownerIn(m_file);
    } else if (isWritable) {
        // A file system without locks: better to work unprotected, and to say so, than not at all.
        m_problem = "this file system has no locks (" + reason(errno) + "): do not open the project twice";
        m_isHeld = true;
    }
    if (m_isHeld)
        writeOwner();
}

ProjectLock::~ProjectLock()
{
    if (m_file < 0)
        return;
    if (m_isHeld && ::ftruncate(m_file, 0) != 0)
        m_problem = reason(errno); // the name in a free lock only misleads people who look at the file
    ::close(m_file);
}

void ProjectLock::writeOwner()
{
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0)
        host = {"this computer"};
    const std::string text = "process " + std::to_string(::getpid()) + " on " + host.data() + "\n";
    // On a full disk the lock holds all the same; it just cannot say whose it is.
    if (::ftruncate(m_file, 0) == 0 && ::pwrite(m_file, text.data(), text.size(), 0) < 0)
        m_problem = "the lock file cannot be written (" + reason(errno) + ")";
}

} // namespace voxelscribe::project
