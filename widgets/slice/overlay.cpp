#include "widgets/slice/overlay.h"

#include <algorithm>

namespace voxelscribe::slice {

namespace {

constexpr std::size_t kIds = 65536;

} // namespace

ClassColours::ClassColours()
{
    setClasses({});
}

void ClassColours::setClasses(const std::vector<ClassInfo>& classes)
{
    m_colours.resize(kIds);
    m_colours[0] = 0;
    for (std::size_t id = 1; id < kIds; ++id)
        m_colours[id] = 0xff000000U | defaultClassColour(static_cast<std::uint16_t>(id));
    for (const ClassInfo& info : classes)
        if (info.id != 0)
            m_colours[info.id] = info.visible ? 0xff000000U | info.colour : 0U;
}

bool colourIds(const IdBlock& block, const ClassColours& colours, QImage& image, const PixelRect& origin)
{
    QRgb any = 0;
    const std::uint16_t* id = block.ids.data();
    for (std::int64_t v = block.rect.v; v < block.rect.vEnd(); ++v) {
        auto* out = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(v - origin.v))) + (block.rect.u - origin.u);
        for (std::int64_t u = 0; u < block.rect.width; ++u)
            any |= out[u] = colours[*id++];
    }
    return any != 0;
}

namespace {

/// The ids of a mask tile seen at a coarser grid; neighbours beyond the tile are the nearest that it has.
class MaskSampler {
public:
    MaskSampler(const SampleTile& tile, const PixelRect& rect, int factor) : m_tile(tile), m_rect(rect), m_factor(factor) {}

    std::uint16_t at(std::int64_t y, std::int64_t x) const
    {
        const std::int64_t v = m_rect.v + y * m_factor + m_factor / 2;
        const std::int64_t u = m_rect.u + x * m_factor + m_factor / 2;
        const std::int64_t row = std::clamp(v, m_tile.rect.v, m_tile.rect.vEnd() - 1) - m_tile.rect.v;
        const std::int64_t column = std::clamp(u, m_tile.rect.u, m_tile.rect.uEnd() - 1) - m_tile.rect.u;
        return reinterpret_cast<const std::uint16_t*>(m_tile.samples.data())[row * m_tile.rect.width + column];
    }

    bool isEdge(std::int64_t y, std::int64_t x, std::uint16_t id) const
    {
        return at(y - 1, x) != id || at(y + 1, x) != id || at(y, x - 1) != id || at(y, x + 1) != id;
    }

private:
    const SampleTile& m_tile;
    PixelRect m_rect;
    int m_factor;
};

} // namespace

QImage maskImage(const SampleTile& tile, const PixelRect& rect, int factor, bool outline, const ClassColours& colours)
{
    const auto width = static_cast<int>((rect.width + factor - 1) / factor);
    const auto height = static_cast<int>((rect.height + factor - 1) / factor);
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return image;
    const MaskSampler sampler(tile, rect, factor);
    QRgb any = 0;
    for (int y = 0; y < height; ++y) {
        auto* out = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < width; ++x) {
            const std::uint16_t id = sampler.at(y, x);
            const bool shown = id != 0 && (!outline || sampler.isEdge(y, x, id));
            any |= out[x] = shown ? colours[id] : 0U;
        }
    }
    return any != 0 ? image : QImage();
}

} // namespace voxelscribe::slice
