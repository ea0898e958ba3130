#include "widgets/slice/overlay.h"

#include <QPainter>
#include <QPen>
#include <algorithm>
#include <map>

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

std::uint16_t maskIdAt(const SampleTile& tile, std::int64_t v, std::int64_t u)
{
    const std::int64_t row = std::clamp(v, tile.rect.v, tile.rect.vEnd() - 1) - tile.rect.v;
    const std::int64_t column = std::clamp(u, tile.rect.u, tile.rect.uEnd() - 1) - tile.rect.u;
    return reinterpret_cast<const std::uint16_t*>(tile.samples.data())[row * tile.rect.width + column];
}

namespace {

/// The ids of a mask tile seen at a coarser grid.
class MaskSampler {
public:
    MaskSampler(const SampleTile& tile, const PixelRect& rect, int factor) : m_tile(tile), m_rect(rect), m_factor(factor) {}

    std::uint16_t at(std::int64_t y, std::int64_t x) const
    {
        return maskIdAt(m_tile, m_rect.v + y * m_factor + m_factor / 2, m_rect.u + x * m_factor + m_factor / 2);
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

namespace {

constexpr double kEdgeWidth = 2;

/// Adds the sides of a voxel beyond which lies another id, moved inwards so that both neighbours' lines are seen.
void addEdges(const ViewGeometry& geometry, const SampleTile& tile, std::int64_t v, std::int64_t u, std::vector<QLineF>& lines)
{
    const std::uint16_t id = maskIdAt(tile, v, u);
    const QRectF box = geometry.toWidget(PixelRect{v, u, 1, 1});
    const QRectF inner = box.adjusted(kEdgeWidth / 2, kEdgeWidth / 2, -kEdgeWidth / 2, -kEdgeWidth / 2);
    if (maskIdAt(tile, v - 1, u) != id)
        lines.emplace_back(box.left(), inner.top(), box.right(), inner.top());
    if (maskIdAt(tile, v + 1, u) != id)
        lines.emplace_back(box.left(), inner.bottom(), box.right(), inner.bottom());
    if (maskIdAt(tile, v, u - 1) != id)
        lines.emplace_back(inner.left(), box.top(), inner.left(), box.bottom());
    if (maskIdAt(tile, v, u + 1) != id)
        lines.emplace_back(inner.right(), box.top(), inner.right(), box.bottom());
}

} // namespace

void drawMaskEdges(QPainter& painter, const ViewGeometry& geometry, const SampleTile& tile, const PixelRect& part,
                   const ClassColours& colours)
{
    std::map<std::uint16_t, std::vector<QLineF>> linesOfId;
    for (std::int64_t v = part.v; v < part.vEnd(); ++v)
        for (std::int64_t u = part.u; u < part.uEnd(); ++u)
            if (const std::uint16_t id = maskIdAt(tile, v, u); id != 0 && colours[id] != 0)
                addEdges(geometry, tile, v, u, linesOfId[id]);
    for (const auto& [id, lines] : linesOfId) {
        painter.setPen(QPen(QColor::fromRgb(colours[id]), kEdgeWidth, Qt::SolidLine, Qt::FlatCap));
        painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    }
}

} // namespace voxelscribe::slice
