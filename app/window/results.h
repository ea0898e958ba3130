#pragma once

#include "core/model/class_info.h"
#include "core/volume/volume.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace voxelscribe::window {

/// A run's result folder in a project, as its store says.
struct StoredResult {
    std::string id;                        ///< folder name
    std::filesystem::path folder;
    std::int64_t modifiedSeconds = 0;      ///< since 1970
    std::string modelName;
    std::string modelPath;
    std::vector<ClassInfo> classes;
    std::vector<std::int64_t> slices;      ///< finished ones, ascending
    std::int64_t sliceCount = 0;           ///< of the stack
    std::int64_t from = 0;                 ///< what the run was about: slices [from, to)
    std::int64_t to = 0;
    bool complete = false;
};

/// All results below `folder`, newest first; one that cannot be read is left out. Reads files: not for the GUI thread.
std::vector<StoredResult> listResults(const std::filesystem::path& folder);
/// @throws Error.
StoredResult readResult(const std::filesystem::path& folder);
/// Brings names, colours and voxel size that a result says up to date with what the person has since changed; ids and voxels stay.
/// @throws Error.
void describeResultAnew(const std::filesystem::path& folder, const std::vector<ClassInfo>& classes, const std::optional<VoxelSizeUm>& voxelSizeUm);

} // namespace voxelscribe::window
