#pragma once

#include "core/io/writer.h"

#include <filesystem>
#include <memory>

namespace voxelscribe::io {

/// Writes one multipage TIFF; a BigTIFF where the samples could pass what a classic one addresses. Deflate without predictor
/// where `spec.compress`: ImageJ's own reader ignores the predictor tag of Deflate and would show wrong values.
/// Memory is a few strips, time is linear in the pages. @throws Error(io).
std::unique_ptr<VolumeWriter> createTiffWriter(const std::filesystem::path& path, const WriteSpec& spec);
/// Writes the folder `path` with one file a slice, NAME_00000.tif, … @throws Error(io).
std::unique_ptr<VolumeWriter> createTiffSeriesWriter(const std::filesystem::path& path, const WriteSpec& spec);

} // namespace voxelscribe::io
