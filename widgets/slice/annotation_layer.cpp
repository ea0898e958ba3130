#include "widgets/slice/annotation_layer.h"

#include <QElapsedTimer>
#include <algorithm>

namespace voxelscribe::slice {

namespace {

constexpr std::int64_t kLinesAPixel = 4;
constexpr std::size_t kMaxTiles = 96;      ///< at most about 100 MB of pictures

IdBlock turned(const IdBlock& block)
{
    IdBlock result{{block.rect.u, block.rect.v, block.rect.width, block.rect.height}, std::vector<std::uint16_t>(block.ids.size())};
    for (std::int64_t v = 0; v < result.rect.height; ++v)
        for (std::int64_t u = 0; u < result.rect.width; ++u)
            result.ids[static_cast<std::size_t>(v * result.rect.width + u)]
                = block.ids[static_cast<std::size_t>(u * result.rect.height + v)];
    return result;
}

/// Region of `columns` voxels along `lines` lines, a line being what lies together in memory.
Region lineRegion(const TileGrid& grid, std::int64_t slice, std::int64_t line, std::int64_t column, std::int64_t lines,
                  std::int64_t columns)
{
    return grid.plane() == Plane::zy ? planeRegion(grid.plane(), slice, column, line, columns, lines)
                                     : planeRegion(grid.plane(), slice, line, column, lines, columns);
}

/// Fills `out` with the first labelled voxel of each block of one line of pixels.
void readPixelLine(const AnnotationReader& reader, const TileGrid& grid, std::int64_t slice, int level, std::int64_t pixelLine,
                   std::int64_t pixelColumn, std::span<std::uint16_t> out)
{
    const bool down = grid.plane() == Plane::zy;
    const std::int64_t lineEnd = down ? grid.extent().x : grid.extent().y;
    const std::int64_t columnEnd = down ? grid.extent().y : grid.extent().x;
    const std::int64_t step = std::int64_t{1} << level;
    const std::int64_t first = pixelColumn << level;
    const std::int64_t voxels = std::min(first + static_cast<std::int64_t>(out.size()) * step, columnEnd) - first;
    const std::int64_t lines = std::min(kLinesAPixel, step);
    std::vector<std::uint16_t> ids(static_cast<std::size_t>(voxels));
    std::fill(out.begin(), out.end(), std::uint16_t{0});
    for (std::int64_t pick = 0; pick < lines; ++pick) {
        const std::int64_t line = (pixelLine << level) + (2 * pick + 1) * step / (2 * lines);
        if (line >= lineEnd)
            break;
        reader(lineRegion(grid, slice, line, first, 1, voxels), ids);
        for (std::int64_t voxel = 0; voxel < voxels; ++voxel) {
            std::uint16_t& pixel = out[static_cast<std::size_t>(voxel >> level)];
            if (pixel == 0)
                pixel = ids[static_cast<std::size_t>(voxel)];
        }
    }
}

} // namespace

IdBlock readIds(const AnnotationReader& reader, const TileGrid& grid, std::int64_t slice, int level, const PixelRect& rect)
{
    const bool down = grid.plane() == Plane::zy;
    IdBlock block{down ? PixelRect{rect.u, rect.v, rect.width, rect.height} : rect, {}};
    block.ids.resize(static_cast<std::size_t>(rect.pixels()));
    const PixelRect& lines = block.rect;
    if (level == 0)
        reader(lineRegion(grid, slice, lines.v, lines.u, lines.height, lines.width), block.ids);
    else
        for (std::int64_t line = 0; line < lines.height; ++line)
            readPixelLine(reader, grid, slice, level, lines.v + line, lines.u,
                          std::span(block.ids).subspan(static_cast<std::size_t>(line * lines.width), static_cast<std::size_t>(lines.width)));
    return down ? turned(block) : block;
}

void AnnotationLayer::setReader(AnnotationReader reader)
{
    m_reader = std::move(reader);
    clear();
}

void AnnotationLayer::setVolume(const Extent& extent, Plane plane)
{
    m_grid = TileGrid(extent, {1, 1, 1}, plane);
    clear();
}

void AnnotationLayer::show(std::int64_t slice, int level)
{
    if (slice == m_slice && level == m_level)
        return;
    m_slice = slice;
    m_level = level;
    clear();
}

void AnnotationLayer::markDirty(const PixelRect& voxels)
{
    const PixelRect pixels = voxels.toLevel(m_level);
    for (auto& [key, tile] : m_tiles)
        tile.dirty = tile.dirty.united(pixels.intersected(m_grid.tileRect(key)));
}

bool AnnotationLayer::prepare(const PixelRect& voxels, const ClassColours& colours, int milliseconds)
{
    if (!m_reader)
        return true;
    QElapsedTimer timer;
    timer.start();
    if (m_tiles.size() > kMaxTiles)
        clear();
    for (const TileKey& key : m_grid.tilesIn(m_slice, m_level, voxels)) {
        const auto [found, isNew] = m_tiles.try_emplace(key);
        Tile& tile = found->second;
        if (isNew)
            tile.dirty = m_grid.tileRect(key);
        if (tile.dirty.isEmpty())
            continue;
        if (timer.elapsed() >= milliseconds)
            return false;
        refresh(key, tile, colours);
    }
    return true;
}

void AnnotationLayer::refresh(const TileKey& key, Tile& tile, const ClassColours& colours) const
{
    const IdBlock block = readIds(m_reader, m_grid, m_slice, m_level, tile.dirty);
    tile.dirty = {};
    if (tile.image.isNull() && std::all_of(block.ids.begin(), block.ids.end(), [](std::uint16_t id) { return id == 0; }))
        return;
    const PixelRect rect = m_grid.tileRect(key);
    if (tile.image.isNull()) {
        tile.image = QImage(static_cast<int>(rect.width), static_cast<int>(rect.height), QImage::Format_ARGB32_Premultiplied);
        tile.image.fill(Qt::transparent);
    }
    colourIds(block, colours, tile.image, rect);
}

void AnnotationLayer::paint(QPainter& painter, const PictureFrame& frame, const PixelRect& voxels) const
{
    for (const TileKey& key : m_grid.tilesIn(m_slice, m_level, voxels)) {
        const auto found = m_tiles.find(key);
        if (found == m_tiles.end())
            continue;
        const PixelRect rect = m_grid.tileRect(key);
        drawPicture(painter, frame, found->second.image, rect.v << m_level, rect.u << m_level, m_level);
    }
}

std::uint16_t AnnotationLayer::idAt(std::int64_t slice, std::int64_t v, std::int64_t u) const
{
    std::uint16_t id = 0;
    if (m_reader)
        m_reader(planeRegion(m_grid.plane(), slice, v, u, 1, 1), std::span(&id, 1));
    return id;
}

} // namespace voxelscribe::slice
