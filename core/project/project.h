#pragma once

#include "core/labels/label_volume.h"
#include "core/project/image_link.h"
#include "core/project/project_list.h"
#include "core/project/project_state.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace voxelscribe::project {

class ProjectLock;

/// A folder NAME.voxelscribe: project.json, annotations.zarr (one file a chunk), models/, results/, lock.
/// Used by one thread at a time.
class Project {
public:
    /// Makes a new project folder, whole or not at all. @throws Error(io).
    static std::unique_ptr<Project> create(const std::filesystem::path& folder, const ProjectState& state);
    /// Opens one. If another living process holds its lock, it is opened read-only. Loading never writes to it but for the lock.
    /// A damaged project.json falls back to its backup and says so in `notices`. @throws Error(io | format).
    static std::unique_ptr<Project> open(const std::filesystem::path& folder);
    ~Project();

    const std::filesystem::path& folder() const { return m_folder; }
    bool isReadOnly() const;
    /// Who holds the lock, for the message: "process 4711 on host"; empty if this does, or nobody can (see `notices`).
    const std::string& lockOwner() const;
    const std::vector<std::string>& notices() const { return m_notices; }

    const ProjectState& state() const { return m_state; }
    /// Also brings the class names and colours in the annotations up to date.
    /// @throws Error(io), and then each file on disk is whole; in a read-only project it names the owner. @throws Error(shape) for another extent.
    void saveState(const ProjectState& state);

    /// All saved annotations. A damaged chunk is left out and named in `notices`; the first save moves its file to "damaged".
    labels::LabelVolume loadAnnotations();
    /// Saves the named chunks, each beside its file and renamed. @throws Error(io).
    void saveAnnotationChunks(const labels::LabelVolume& labels, const std::vector<labels::LabelVolume::ChunkKey>& keys);

    std::filesystem::path annotationsPath() const;
    std::filesystem::path modelsFolder() const;
    std::filesystem::path resultsFolder() const;
    /// Copies the project to `target` and goes on there; the old folder is removed if it was an autosaved one. A read-only
    /// project becomes a writable copy. @throws Error(io), also if `target` exists; all is then as before.
    void moveTo(const std::filesystem::path& target);

private:
    Project(std::filesystem::path folder, std::unique_ptr<ProjectLock> lock);
    void requireWritable() const;
    /// Writes where the image lies as seen from the new folder; the move holds without it, too.
    void relink();
    /// Does `task`; where it fails because descriptions are missing or damaged, puts them back and does it again.
    void withRepair(const std::function<void()>& task);

    std::filesystem::path m_folder;
    std::unique_ptr<ProjectLock> m_lock;
    std::vector<std::string> m_notices;
    std::vector<labels::LabelVolume::ChunkKey> m_damaged;
    bool m_isTidy = false;                          ///< half-written files of killed processes are gone
    ProjectState m_state;
};

} // namespace voxelscribe::project
