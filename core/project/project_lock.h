#pragma once

#include <filesystem>
#include <string>

namespace voxelscribe::project {

/// The right to write to a project: an advisory lock on its file "lock", which says who holds it. The system takes it
/// from a process that dies, so a dead owner's lock is free.
class ProjectLock {
public:
    /// Tries to take the lock; never waits and never throws: without it the project is read-only.
    explicit ProjectLock(const std::filesystem::path& folder);
    ~ProjectLock();
    ProjectLock(const ProjectLock&) = delete;
    ProjectLock& operator=(const ProjectLock&) = delete;

    bool isHeld() const { return m_isHeld; }
    /// Who else holds it: "process 4711 on host"; empty if held here, or if the folder cannot be written.
    const std::string& owner() const { return m_owner; }
    /// Why it could not be taken although nobody holds it, or why it protects less than it should; else empty.
    const std::string& problem() const { return m_problem; }

private:
    void writeOwner();

    int m_file = -1;
    bool m_isHeld = false;
    std::string m_owner;
    std::string m_problem;
};

} // namespace voxelscribe::project
