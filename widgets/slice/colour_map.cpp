#include "widgets/slice/colour_map.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace voxelscribe::slice {

namespace {

constexpr QRgb greyPixel(std::uint32_t grey)
{
    return 0xff000000U | grey * 0x010101U;
}

} // namespace

void GreyMap::setWindow(double low, double high)
{
    m_low = low;
    m_high = high;
    // An empty window is a threshold: finite, because 0 · ∞ would turn `low` itself into NaN.
    m_scale = high > low ? 255.0 / (high - low) : std::numeric_limits<double>::max();
    m_table.clear();
}

std::uint8_t GreyMap::grey(double value) const
{
    const double scaled = (value - m_low) * m_scale;
    if (!(scaled > 0))
        return 0;
    return scaled >= 255 ? 255 : static_cast<std::uint8_t>(scaled + 0.5);
}

const std::vector<std::uint8_t>& GreyMap::table(DType dtype) const
{
    if (!m_table.empty() && m_tableType == dtype)
        return m_table;
    m_tableType = dtype;
    visitDType(dtype, [&](auto sample) {
        using T = decltype(sample);
        if constexpr (sizeof(T) <= 2) {
            m_table.resize(std::size_t{1} << (8 * sizeof(T)));
            for (std::size_t bits = 0; bits < m_table.size(); ++bits)
                m_table[bits] = grey(static_cast<double>(static_cast<T>(bits)));
        }
    });
    return m_table;
}

template <typename T>
void GreyMap::greyLine(const T* samples, std::int64_t count, std::uint8_t* out) const
{
    if constexpr (sizeof(T) <= 2) {
        const std::uint8_t* greys = m_table.data();
        for (std::int64_t i = 0; i < count; ++i)
            out[i] = greys[static_cast<std::make_unsigned_t<T>>(samples[i])];
    } else {
        for (std::int64_t i = 0; i < count; ++i)
            out[i] = grey(static_cast<double>(samples[i]));
    }
}

QImage GreyMap::image(const SampleTile& tile, int factor) const
{
    const std::int64_t width = (tile.rect.width + factor - 1) / factor;
    const std::int64_t height = (tile.rect.height + factor - 1) / factor;
    QImage image(static_cast<int>(width), static_cast<int>(height), QImage::Format_RGB32);
    if (image.isNull())
        return image;
    table(tile.dtype);
    std::vector<std::uint8_t> line(static_cast<std::size_t>(tile.rect.width));
    std::vector<std::uint32_t> sums(static_cast<std::size_t>(width));
    visitDType(tile.dtype, [&](auto sample) {
        using T = decltype(sample);
        const T* samples = reinterpret_cast<const T*>(tile.samples.data());
        for (std::int64_t y = 0; y < height; ++y) {
            std::fill(sums.begin(), sums.end(), 0U);
            const std::int64_t lines = std::min<std::int64_t>(factor, tile.rect.height - y * factor);
            for (std::int64_t dy = 0; dy < lines; ++dy) {
                greyLine(samples + (y * factor + dy) * tile.rect.width, tile.rect.width, line.data());
                for (std::int64_t x = 0, from = 0; x < width; ++x)
                    for (const std::int64_t end = std::min(from + factor, tile.rect.width); from < end; ++from)
                        sums[static_cast<std::size_t>(x)] += line[static_cast<std::size_t>(from)];
            }
            auto* out = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(y)));
            for (std::int64_t x = 0; x < width; ++x) {
                const auto count = static_cast<std::uint32_t>(lines * std::min<std::int64_t>(factor, tile.rect.width - x * factor));
                out[x] = greyPixel((sums[static_cast<std::size_t>(x)] + count / 2) / count);
            }
        }
    });
    return image;
}

} // namespace voxelscribe::slice
