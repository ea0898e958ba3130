#pragma once

#include "core/io/open.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace voxelscribe::io {

/// Whether `folder` is an array or a group of Zarr (v2, or v3, which `listZarr` then refuses by name).
bool isZarr(const std::filesystem::path& folder);

/// Lists the arrays of a Zarr v2 array or group of any depth: level 0 of the first OME-NGFF multiscale first, else the largest
/// 3D array, else the largest 2D one. Reads metadata only. @throws Error(io | format).
Listing listZarr(const std::filesystem::path& folder);
/// Opens the array of this name ("/0"; empty: the first). Chunks are read when asked for, also those that another process
/// writes meanwhile; a missing one reads as the fill value. @throws as `listZarr`, and Error(format) for an unknown name.
VolumePtr openZarr(const std::filesystem::path& folder, const std::string& dataset = {});
/// The attributes that hold for an array: those of its multiscale group, else its own. Empty where there are none.
nlohmann::json zarrAttributesOf(const std::filesystem::path& folder, const std::string& dataset);

} // namespace voxelscribe::io
