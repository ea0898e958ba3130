#pragma once

#include "core/base/extent.h"
#include "core/io/tiff_description.h"
#include "core/io/tiff_file.h"

#include <optional>
#include <string>
#include <vector>

namespace voxelscribe::io {

/// The voxel size that the description or the resolution tags of a page tell; nothing where they do not. Resolutions that printers and
/// screens have (72, 300, 600 dpi…) are no voxel size. Where the distance of the slices is missing it is taken to be the height of a voxel,
/// which `warnings` then says for a stack.
std::optional<VoxelSizeUm> tiffVoxelSize(const TiffFile& file, const TiffPage& page, const TiffDescription& description,
                                         bool isStack, std::vector<std::string>& warnings);

} // namespace voxelscribe::io
