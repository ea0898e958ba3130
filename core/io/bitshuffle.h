#pragma once

#include <cstddef>
#include <span>

namespace voxelscribe::io {

/// Undoes the bit transposition of bitshuffle (https://github.com/kiyo-masui/bitshuffle) for one block: `from` holds, bit plane by
/// bit plane, count samples of `sampleBytes` bytes, count a multiple of 8. Both spans have the same size.
void bitUnshuffle(std::span<const std::byte> from, std::span<std::byte> to, std::size_t sampleBytes);

} // namespace voxelscribe::io
