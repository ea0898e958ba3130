#pragma once

#include "core/io/open.h"

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace voxelscribe::io {

/// Whether the file holds HDF5's signature, at its start or behind a user block.
bool isHdf5File(const std::filesystem::path& path);

/// Lists the numeric data sets of two or more axes, the default one first: what NeXus names for plotting, APS DataExchange's
/// /exchange/data, else the largest 3D, else the largest 2D one. @throws Error(io | format).
Listing listHdf5(const std::filesystem::path& path);
/// Opens the data set of this name (empty: the first), read-only and without locks. All reading goes one at a time.
/// @throws as `listHdf5`, and Error(format) for an unknown name, a missing filter, or a virtual data set without any source.
VolumePtr openHdf5(const std::filesystem::path& path, const std::string& dataset = {});
/// Texts and numbers among the attributes of the data set.
nlohmann::json hdf5AttributesOf(const std::filesystem::path& path, const std::string& dataset);

} // namespace voxelscribe::io
