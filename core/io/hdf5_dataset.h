#pragma once

#include "core/io/folded_shape.h"
#include "core/io/hdf5_support.h"
#include "core/volume/volume.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace voxelscribe::io {

/// What is known of a data set before a sample is read.
struct Hdf5Description {
    VolumeInfo info;
    hid_t memoryType = -1;            ///< a predefined native type
    std::string missingFilter;        ///< advice; empty where its samples can be decoded
    std::string missingSources;       ///< advice; of a virtual data set, empty where all are there
    bool allSourcesMissing = false;
};

/// Describes the numeric data set `name` of two or more axes; nothing for any other object. Under the lock.
/// `file` names it in messages and is where sources of virtual data sets are looked for.
std::optional<Hdf5Description> describeHdf5(hid_t file, const std::filesystem::path& path, const std::string& name);
/// The voxel size by our own attributes (voxel_size and unit), element_size_um, or the axes of its NXdata group. Under the lock.
std::optional<VoxelSizeUm> hdf5VoxelSize(hid_t file, hid_t dataset, const std::string& name, const FoldedShape& shape);

} // namespace voxelscribe::io
