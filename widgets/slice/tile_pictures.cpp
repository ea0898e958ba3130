#include "widgets/slice/tile_pictures.h"

#include <QPainter>
#include <algorithm>

namespace voxelscribe::slice {

namespace {

std::int64_t bytesOf(const QImage& image)
{
    return static_cast<std::int64_t>(image.sizeInBytes()) + 256;
}

} // namespace

const QImage& TilePictures::picture(const TileKey& key, const SampleTile& tile, int factor, std::uint64_t style,
                                    const std::function<QImage()>& make)
{
    const auto [found, isNew] = m_entries.try_emplace(key);
    Entry& entry = found->second;
    entry.use = ++m_uses;
    if (!isNew && entry.serial == tile.serial && entry.factor == factor && entry.style == style)
        return entry.image;
    m_bytes -= isNew ? 0 : bytesOf(entry.image);
    entry.serial = tile.serial;
    entry.factor = factor;
    entry.style = style;
    entry.image = make();
    m_bytes += bytesOf(entry.image);
    if (m_bytes > m_budgetBytes)
        trim();
    return entry.image;
}

void TilePictures::trim()
{
    std::vector<std::pair<std::uint64_t, TileKey>> byUse;
    for (const auto& [key, entry] : m_entries)
        if (entry.use <= m_passStart)
            byUse.emplace_back(entry.use, key);
    std::sort(byUse.begin(), byUse.end());
    for (const auto& [use, key] : byUse) {
        if (m_bytes <= m_budgetBytes * 3 / 4)
            return;
        const auto oldest = m_entries.find(key);
        m_bytes -= bytesOf(oldest->second.image);
        m_entries.erase(oldest);
    }
}

void TilePictures::clear()
{
    m_entries.clear();
    m_bytes = 0;
}

void drawPicture(QPainter& painter, const PictureFrame& frame, const QImage& image, std::int64_t v, std::int64_t u, int level)
{
    if (image.isNull())
        return;
    const std::int64_t step = std::int64_t{1} << level;
    const PixelRect all = PixelRect{v, u, image.height() * step, image.width() * step}.intersected(frame.plane);
    const PixelRect shown = all.intersected(frame.visible);
    if (shown.isEmpty())
        return;
    // Only the pixels in view, whole ones: far beyond it the painter's fixed-point arithmetic would drift.
    PixelRect drawn = PixelRect{shown.v - v, shown.u - u, shown.height, shown.width}.toLevel(level).toVoxels(level);
    drawn.v += v;
    drawn.u += u;
    drawn = drawn.intersected(all);
    const auto pixels = [step](std::int64_t voxels) { return static_cast<double>(voxels) / static_cast<double>(step); };
    painter.drawImage(frame.geometry.toWidget(drawn), image,
                      QRectF(pixels(drawn.u - u), pixels(drawn.v - v), pixels(drawn.width), pixels(drawn.height)));
}

} // namespace voxelscribe::slice
