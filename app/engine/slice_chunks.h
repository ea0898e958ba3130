#pragma once

#include "core/io/zarr_array.h"

#include <cstddef>
#include <span>

namespace voxelscribe::engine {

/// Whole slices of arrays whose chunks are one slice thick, whatever tiles a slice is stored in.

/// Whether every chunk of slice `z` of `channel` is there.
bool hasSlice(const io::ZarrArray& array, std::int64_t z, std::int64_t channel = 0);
/// @throws Error(io).
void writeSlice(io::ZarrArray& array, std::int64_t z, std::int64_t channel, std::span<const std::byte> samples);
/// Zeros where a chunk is missing. @throws Error(io | format).
void readSlice(const io::ZarrArray& array, std::int64_t z, std::int64_t channel, std::span<std::byte> samples);

} // namespace voxelscribe::engine
