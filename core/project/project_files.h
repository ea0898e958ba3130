#pragma once

#include "core/project/project_state.h"

#include <filesystem>
#include <string>
#include <vector>

namespace voxelscribe::project {

inline constexpr const char* kStateFile = "project.json";
inline constexpr const char* kStateBackup = "project.json.bak";
inline constexpr const char* kAnnotations = "annotations.zarr";
inline constexpr const char* kModels = "models";
inline constexpr const char* kResults = "results";

/// True if the folder holds a project's settings or their backup.
bool isProject(const std::filesystem::path& folder);
/// The settings; where they are damaged their backup, which `notices` then says. @throws Error(io | format).
ProjectState readState(const std::filesystem::path& folder, std::vector<std::string>& notices);
/// Writes the settings; those before become the backup, unless they are damaged. @throws Error(io); the file is then as it was.
void writeState(const std::filesystem::path& folder, const ProjectState& state);
/// Copies a whole project but for its lock and half-written files. `target` does not exist. @throws Error(io).
void copyProject(const std::filesystem::path& source, const std::filesystem::path& target);

} // namespace voxelscribe::project
