#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace voxelscribe::project {

/// The autosaved projects' folder: $XDG_DATA_HOME/voxelscribe/projects.
std::filesystem::path autosaveFolder();
/// Where the autosaved project of an image lies: readable name and a digest of its absolute path.
std::filesystem::path autosavePathFor(const std::string& imageSource);
/// True for a project that lies directly in `autosaveFolder`.
bool isAutosaved(const std::filesystem::path& projectFolder);

/// What the start screen tells of a project without opening it.
struct ProjectSummary {
    std::filesystem::path folder;
    std::string name;                                ///< the folder's, of an autosaved one the image's
    std::string imageSource;                         ///< absolute; empty where project.json cannot be read
    bool imageMissing = false;
    std::chrono::system_clock::time_point lastChange; ///< of settings or annotations
};

/// @throws Error(io | format).
ProjectSummary summaryOf(const std::filesystem::path& projectFolder);
/// All projects directly in `folder`, the last changed first; none if it does not exist. Takes no locks and writes nothing.
std::vector<ProjectSummary> listProjects(const std::filesystem::path& folder);

} // namespace voxelscribe::project
