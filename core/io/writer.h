#pragma once

#include "core/base/dtype.h"
#include "core/base/extent.h"
#include "core/base/progress.h"
#include "core/model/class_info.h"
#include "core/volume/volume.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace voxelscribe::io {

enum class OutputFormat { tiff, tiffSeries, hdf5, zarr };

/// By name: .tif .tiff → tiff; a name ending in "/" → tiffSeries; .h5 .hdf5 .nxs → hdf5; .zarr → zarr.
/// @throws Error(format) for any other, listing these.
OutputFormat formatOfName(const std::string& path);

/// What is to be written and what the file says about it.
struct WriteSpec {
    Extent extent;
    DType dtype = DType::uint8;
    std::optional<VoxelSizeUm> voxelSizeUm;
    std::vector<ClassInfo> classes;       ///< not empty: a mask; written as class_ids, class_names, class_colors, image-label
    nlohmann::json attributes = nlohmann::json::object(); ///< provenance: "model_sha256", "run_id", …; flat, strings and numbers
    bool compress = true;
    bool colourTable = false;             ///< TIFF uint8 masks: a palette of the class colours
    std::string datasetName = "/entry/data/data"; ///< HDF5
    std::int64_t channels = 0;            ///< > 0: an array channel, z, y, x; HDF5 and Zarr only
};

/// Takes a volume slice by slice, in order, and puts it in place under its final name when finished;
/// until then it lies beside it under a temporary name, which the destructor removes.
class VolumeWriter {
public:
    virtual ~VolumeWriter() = default;
    /// Appends slices: `samples` holds a whole number of them, native byte order. With channels, what is appended for each z
    /// is its slice of every channel, one behind the other. @throws Error(io) naming the file.
    virtual void write(std::span<const std::byte> samples) = 0;
    /// Everything is on disk and renamed after this. @throws Error(io) if slices are missing.
    virtual void finish() = 0;
};

/// @throws Error(io) if the output exists and `overwrite` is false, if its folder is missing or not writable, or if the disk is too full.
std::unique_ptr<VolumeWriter> createWriter(const std::string& path, const WriteSpec& spec, bool overwrite);

/// Streams `volume` into a writer, a few slices at a time: as many as a chunk of the source is thick where they fit into
/// `memoryBytes` (0: 64 MiB), at least one.
void copyVolume(const Volume& volume, VolumeWriter& writer, Progress& progress, std::int64_t memoryBytes = 0);

} // namespace voxelscribe::io
