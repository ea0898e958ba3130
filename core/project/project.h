#pragma once

#include "core/labels/class_table.h"
#include "core/labels/label_volume.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace voxelscribe::project {

/// What a project remembers besides labels. Written to project.json, atomically, with a backup of the one before.
struct ProjectState {
    std::string imageSource;                    ///< as io::Source::text(); stored relative to the project where it can be
    std::string imageFingerprint;               ///< extent, dtype, size of the file: tells a moved from a changed image
    Extent extent;
    std::optional<VoxelSizeUm> voxelSizeUm;     ///< the person's own, where the file has none or is corrected
    std::vector<ClassInfo> classes;
    std::uint16_t nextClassId = 1;
    nlohmann::json view = nlohmann::json::object();     ///< slice, contrast, overlay…
    nlohmann::json settings = nlohmann::json::object(); ///< training and run settings
    std::string activeModel;                    ///< file name in models/
    std::string activeResult;                   ///< folder name in results/
};

/// A folder NAME.voxelscribe: project.json, annotations.zarr (one file a chunk), models/, results/, lock.
class Project {
public:
    /// Makes a new project folder. @throws Error(io).
    static std::unique_ptr<Project> create(const std::filesystem::path& folder, const ProjectState& state);
    /// Opens one. If another living process holds its lock, it is opened read-only. Loading never writes to it but for the lock.
    /// A damaged project.json falls back to its backup and says so in `notices`. @throws Error(io | format).
    static std::unique_ptr<Project> open(const std::filesystem::path& folder);
    ~Project();

    const std::filesystem::path& folder() const { return m_folder; }
    bool isReadOnly() const { return m_readOnly; }
    /// Who holds the lock, for the message: "process 4711 on host".
    const std::string& lockOwner() const { return m_lockOwner; }
    const std::vector<std::string>& notices() const { return m_notices; }

    const ProjectState& state() const { return m_state; }
    /// @throws Error(io); the file on disk is then as it was.
    void saveState(const ProjectState& state);

    /// All saved annotations. A damaged chunk is left out and named in `notices`.
    labels::LabelVolume loadAnnotations();
    /// Saves the named chunks, each beside its file and renamed. @throws Error(io).
    void saveAnnotationChunks(const labels::LabelVolume& labels, const std::vector<labels::LabelVolume::ChunkKey>& keys);

    std::filesystem::path annotationsPath() const { return m_folder / "annotations.zarr"; }
    std::filesystem::path modelsFolder() const { return m_folder / "models"; }
    std::filesystem::path resultsFolder() const { return m_folder / "results"; }
    /// Copies the project to `target` and goes on there; the old folder is removed if it was an autosaved one. @throws Error(io).
    void moveTo(const std::filesystem::path& target);

private:
    Project() = default;
    std::filesystem::path m_folder;
    bool m_readOnly = false;
    std::string m_lockOwner;
    int m_lockFile = -1;
    std::vector<std::string> m_notices;
    ProjectState m_state;
};

/// The autosaved projects' folder: $XDG_DATA_HOME/voxelscribe/projects.
std::filesystem::path autosaveFolder();
/// Where the autosaved project of an image lies: readable name and a digest of its absolute path.
std::filesystem::path autosavePathFor(const std::string& imageSource);

} // namespace voxelscribe::project
