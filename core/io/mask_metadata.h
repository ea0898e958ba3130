#pragma once

#include "core/io/open.h"
#include "core/io/writer.h"
#include "core/model/class_info.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace voxelscribe::io {

/// What a mask's file says beside its voxels, whatever its format: Zarr and HDF5 attributes, JSON in TIFF's ImageDescription.
struct MaskMetadata {
    std::vector<ClassInfo> classes;        ///< empty: the file names none
    std::optional<VoxelSizeUm> voxelSizeUm;
    nlohmann::json attributes = nlohmann::json::object(); ///< provenance: flat texts and numbers
};

/// @throws as `open`.
MaskMetadata readMaskMetadata(const Source& source);

/// class_ids, class_names, class_colors, voxel_size (z, y, x), unit and the provenance of `spec`, flat.
nlohmann::json flatAttributes(const WriteSpec& spec);
/// The inverse; lists that do not fit together are left out, entries of the formats themselves too.
MaskMetadata metadataFrom(const nlohmann::json& flat);

} // namespace voxelscribe::io
