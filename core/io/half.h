#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace voxelscribe::io {

/// The value of an IEEE 754 half-precision number.
inline float halfToFloat(std::uint16_t half)
{
    const std::uint32_t sign = (half & 0x8000U) << 16U;
    const std::uint32_t exponent = (half >> 10U) & 0x1fU;
    const std::uint32_t fraction = half & 0x3ffU;
    if (exponent == 0) { // zero or subnormal: fraction · 2⁻²⁴
        const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
        return sign != 0 ? -magnitude : magnitude;
    }
    if (exponent == 31)
        return std::bit_cast<float>(sign | 0x7f800000U | (fraction << 13U));
    return std::bit_cast<float>(sign | ((exponent + 112U) << 23U) | (fraction << 13U));
}

/// Native-order halves to floats; `floats` has twice the bytes of `halves`.
inline void halfToFloat(std::span<const std::byte> halves, std::span<std::byte> floats)
{
    for (std::size_t i = 0; i < halves.size() / 2; ++i) {
        std::uint16_t half = 0;
        std::memcpy(&half, halves.data() + 2 * i, 2);
        const float value = halfToFloat(half);
        std::memcpy(floats.data() + 4 * i, &value, 4);
    }
}

} // namespace voxelscribe::io
