#pragma once

#include <cstdint>

namespace voxelscribe::ops {

/// Hashes that stand in for random numbers where every voxel needs its own, whatever thread computes it.

/// Wellons' "lowbias32" (https://nullprogram.com/blog/2018/07/31/).
constexpr std::uint32_t hash32(std::uint32_t x)
{
    x ^= x >> 16U;
    x *= 0x7feb352dU;
    x ^= x >> 15U;
    x *= 0x846ca68bU;
    x ^= x >> 16U;
    return x;
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
constexpr std::uint64_t hash64(std::uint64_t x)
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ x >> 30U) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27U) * 0x94d049bb133111ebU;
    return x ^ x >> 31U;
}

/// A hash of a place in a grid.
constexpr std::uint64_t hashOf(std::uint64_t seed, std::int64_t a, std::int64_t b, std::int64_t c = 0)
{
    std::uint64_t hash = hash64(seed ^ static_cast<std::uint64_t>(a));
    hash = hash64(hash ^ static_cast<std::uint64_t>(b));
    return hash64(hash ^ static_cast<std::uint64_t>(c));
}

/// 0 (included) to 1 (excluded) from 16 of a hash's bits: `part` 0…3 gives four independent numbers.
constexpr float unitFloat(std::uint64_t hash, unsigned part)
{
    return static_cast<float>(hash >> (16U * part) & 0xffffU) / 65536.0F;
}

/// The same from all of its bits.
constexpr double unitDouble(std::uint64_t hash)
{
    return static_cast<double>(hash >> 11U) * 0x1p-53;
}

} // namespace voxelscribe::ops
