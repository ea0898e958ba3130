#pragma once

#include "core/io/zarr_meta.h"
#include "core/volume/volume.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace voxelscribe::io {

/// One array of a Zarr folder that can be opened as a volume.
struct ZarrEntry {
    std::filesystem::path folder;
    ZarrMeta meta;
    VolumeInfo info;
    nlohmann::json attributes = nlohmann::json::object(); ///< of its multiscale group, else its own
    bool isFirstLevel = false;                            ///< level 0 of a multiscale
};

/// All arrays of at least two axes in and below `folder`, the default one first. What cannot be opened is told in `warnings`.
/// @throws Error(io | format) if nothing can.
std::vector<ZarrEntry> zarrEntries(const std::filesystem::path& folder, std::vector<std::string>& warnings);
/// The entry named `dataset` (empty: the first). @throws Error(format) listing those there are.
ZarrEntry& findZarrEntry(std::vector<ZarrEntry>& entries, const std::filesystem::path& folder, const std::string& dataset);

} // namespace voxelscribe::io
