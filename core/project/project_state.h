#pragma once

#include "core/base/extent.h"
#include "core/model/class_info.h"

#include <cstdint>
#include <filesystem>
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

/// The text of project.json in `folder`.
std::string stateText(const ProjectState& state, const std::filesystem::path& folder);
/// True for the settings of a version that this program does not know yet: not damaged, but not to be read or replaced.
bool isOfNewerVersion(const std::string& text);
/// Its reverse; `file` is named in errors. @throws Error(format), also for a project of a newer version.
ProjectState stateFromText(const std::string& text, const std::filesystem::path& file, const std::filesystem::path& folder);

} // namespace voxelscribe::project
