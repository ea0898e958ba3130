#pragma once

#include "core/volume/volume.h"

#include <filesystem>
#include <string>

namespace voxelscribe::project {

/// Where a project's image is, as stored: PATH or PATH::/data/set.
struct ImageLink {
    std::string source;      ///< relative to the project where image and project lie under one folder, so that both move together
    std::string absolute;    ///< where it was last: found again if only the project was moved
};

ImageLink imageLink(const std::string& imageSource, const std::filesystem::path& projectFolder);
/// The absolute source: of the two the one that exists; the first if none does.
std::string resolvedImage(const ImageLink& link, const std::filesystem::path& projectFolder);

/// True if nothing lies where `imageSource` points to.
bool imageIsMissing(const std::string& imageSource);
/// What tells a moved image from a changed one: "9×512×512 uint16, 4718592 bytes"; of a folder without the bytes.
std::string imageFingerprint(const VolumeInfo& info, const std::filesystem::path& path);

} // namespace voxelscribe::project
