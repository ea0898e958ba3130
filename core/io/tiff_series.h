#pragma once

#include "core/io/open.h"

#include <filesystem>
#include <string>

namespace voxelscribe::io {

/// Whether `folder` directly holds at least one file named like a TIFF. Hidden files do not count.
bool holdsTiffSeries(const std::filesystem::path& folder);

/// Lists the series of a folder of TIFF files: files whose names differ only in their last number form one, in natural order;
/// the longest comes first. Gaps in the numbers, members of another size or type, truncated ones and files left out are told
/// in the warnings. @throws Error(io | format), saying what the folder holds instead.
Listing listTiffSeries(const std::filesystem::path& folder);
/// Opens the series of this name (empty: the first). Only a few headers are read; each other member is checked when it is read,
/// and a member that does not fit is an Error(format | io) naming it, what was expected and what was found.
VolumePtr openTiffSeries(const std::filesystem::path& folder, const std::string& dataset = {});

} // namespace voxelscribe::io
