#pragma once

#include "core/io/tiff_file.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace voxelscribe::io {

/// How samples lie in the uncompressed row of a strip or tile.
struct TiffRowLayout {
    int bits = 8;
    bool isFloat = false;
    std::int64_t stride = 1; ///< samples from one pixel to the next
    std::int64_t first = 0;  ///< sample index of the first pixel wanted
};

/// Copies `count` pixels of one channel from a row, native byte order, into `out`; packed bits (most significant first) are widened to the
/// next unsigned type, half floats to float32. `row` must hold them.
void extractTiffRow(std::span<const std::byte> row, const TiffRowLayout& layout, std::int64_t count, std::byte* out);
/// Reverses the bytes of each sample of `bytes` bytes.
void swapSamples(std::span<std::byte> samples, int bytes);

} // namespace voxelscribe::io
