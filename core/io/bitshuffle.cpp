#include "core/io/bitshuffle.h"

#include <cstdint>

namespace voxelscribe::io {

namespace {

/// Transposes an 8×8 matrix of bits, a row a byte (Hacker's Delight, 7-3).
std::uint64_t transposedBits(std::uint64_t x)
{
    std::uint64_t t = (x ^ (x >> 7U)) & 0x00AA00AA00AA00AAULL;
    x ^= t ^ (t << 7U);
    t = (x ^ (x >> 14U)) & 0x0000CCCC0000CCCCULL;
    x ^= t ^ (t << 14U);
    t = (x ^ (x >> 28U)) & 0x00000000F0F0F0F0ULL;
    return x ^ t ^ (t << 28U);
}

} // namespace

void bitUnshuffle(std::span<const std::byte> from, std::span<std::byte> to, std::size_t sampleBytes)
{
    const std::size_t planeBytes = from.size() / sampleBytes / 8; // one bit of every sample
    for (std::size_t byte = 0; byte < sampleBytes; ++byte)
        for (std::size_t at = 0; at < planeBytes; ++at) {
            std::uint64_t rows = 0;
            for (std::size_t bit = 0; bit < 8; ++bit)
                rows |= std::to_integer<std::uint64_t>(from[(byte * 8 + bit) * planeBytes + at]) << (8 * bit);
            rows = transposedBits(rows);
            for (std::size_t sample = 0; sample < 8; ++sample)
                to[(at * 8 + sample) * sampleBytes + byte] = static_cast<std::byte>(rows >> (8 * sample));
        }
}

} // namespace voxelscribe::io
