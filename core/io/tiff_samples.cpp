#include "core/io/tiff_samples.h"

#include "core/io/half.h"

#include <algorithm>
#include <cstring>

namespace voxelscribe::io {

namespace {

void copyWhole(const std::byte* from, std::int64_t stride, std::int64_t count, std::size_t size, std::byte* out)
{
    if (stride == 1) {
        std::memcpy(out, from, static_cast<std::size_t>(count) * size);
        return;
    }
    for (std::int64_t i = 0; i < count; ++i, from += static_cast<std::size_t>(stride) * size, out += size)
        std::memcpy(out, from, size);
}

void copyHalves(const std::byte* from, std::int64_t stride, std::int64_t count, std::byte* out)
{
    for (std::int64_t i = 0; i < count; ++i, from += stride * 2, out += 4) {
        std::uint16_t half = 0;
        std::memcpy(&half, from, 2);
        const float value = halfToFloat(half);
        std::memcpy(out, &value, 4);
    }
}

std::uint32_t packedSample(std::span<const std::byte> row, std::int64_t index, int bits)
{
    std::uint32_t value = 0;
    std::int64_t at = index * bits;
    for (int left = bits; left > 0;) {
        const int inByte = static_cast<int>(at % 8);
        const int taken = std::min(left, 8 - inByte);
        const auto byte = std::to_integer<std::uint32_t>(row[static_cast<std::size_t>(at / 8)]);
        value = value << taken | ((byte >> (8 - inByte - taken)) & ((1U << taken) - 1U));
        at += taken;
        left -= taken;
    }
    return value;
}

void unpack(std::span<const std::byte> row, const TiffRowLayout& layout, std::int64_t count, std::byte* out)
{
    const std::size_t size = layout.bits < 8 ? 1 : layout.bits < 16 ? 2 : 4;
    for (std::int64_t i = 0; i < count; ++i, out += size) {
        const std::uint32_t value = packedSample(row, layout.first + i * layout.stride, layout.bits);
        std::memcpy(out, &value, size); // little-endian: the low bytes come first
    }
}

} // namespace

void extractTiffRow(std::span<const std::byte> row, const TiffRowLayout& layout, std::int64_t count, std::byte* out)
{
    if (layout.bits == 16 && layout.isFloat) {
        copyHalves(row.data() + layout.first * 2, layout.stride, count, out);
    } else if (layout.bits == 8 || layout.bits == 16 || layout.bits == 32 || layout.bits == 64) {
        const auto size = static_cast<std::size_t>(layout.bits) / 8;
        copyWhole(row.data() + static_cast<std::size_t>(layout.first) * size, layout.stride, count, size, out);
    } else {
        unpack(row, layout, count, out);
    }
}

void swapSamples(std::span<std::byte> samples, int bytes)
{
    const auto size = static_cast<std::size_t>(bytes);
    for (std::size_t at = 0; at + size <= samples.size(); at += size)
        std::reverse(samples.begin() + static_cast<std::ptrdiff_t>(at), samples.begin() + static_cast<std::ptrdiff_t>(at + size));
}

} // namespace voxelscribe::io
