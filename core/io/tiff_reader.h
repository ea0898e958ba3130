#pragma once

#include "core/io/open.h"

#include <filesystem>
#include <span>
#include <string>

namespace voxelscribe::io {

/// Whether these first bytes of a file (four are enough) are those of a TIFF, classic or Big, of either byte order.
bool isTiff(std::span<const std::byte> firstBytes);
/// The same asked of a file; false where it cannot be read.
bool isTiffFile(const std::filesystem::path& path);

/// Lists the arrays of one TIFF file: pages of one shape and type form one array, the largest first. A file with several
/// samples a voxel or several channels lists the first channel first, then the others, then all of them stacked.
/// Reads headers only. @throws Error(io | format).
Listing listTiff(const std::filesystem::path& path);
/// Opens the array of this name (empty: the first). Its `read` may be called from any thread and decodes no more than the
/// strips or tiles that the region touches. @throws as `listTiff`, and Error(format) for an unknown name, listing those there are.
VolumePtr openTiff(const std::filesystem::path& path, const std::string& dataset = {});

} // namespace voxelscribe::io
