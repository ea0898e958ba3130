#include "widgets/slice/tile_grid.h"

#include <algorithm>

namespace voxelscribe::slice {

namespace {

constexpr std::int64_t kTileEdge = 512;
constexpr std::int64_t kLongEdge = 2048;
constexpr std::int64_t kTilePixels = kTileEdge * kTileEdge;
constexpr std::int64_t kShortEdge = kTilePixels / kLongEdge;
constexpr std::int64_t kMaxThickness = 8;

/// The smallest power of two from `least` to `most` that holds `value`. Powers of two keep tiles aligned at every level.
std::int64_t powerAround(std::int64_t value, std::int64_t least, std::int64_t most)
{
    std::int64_t power = least;
    while (power < value && power < most)
        power *= 2;
    return power;
}

} // namespace

PixelRect PixelRect::intersected(const PixelRect& other) const
{
    const std::int64_t v0 = std::max(v, other.v);
    const std::int64_t u0 = std::max(u, other.u);
    return {v0, u0, std::max<std::int64_t>(0, std::min(vEnd(), other.vEnd()) - v0),
            std::max<std::int64_t>(0, std::min(uEnd(), other.uEnd()) - u0)};
}

PixelRect PixelRect::united(const PixelRect& other) const
{
    if (isEmpty())
        return other;
    if (other.isEmpty())
        return *this;
    const std::int64_t v0 = std::min(v, other.v);
    const std::int64_t u0 = std::min(u, other.u);
    return {v0, u0, std::max(vEnd(), other.vEnd()) - v0, std::max(uEnd(), other.uEnd()) - u0};
}

PixelRect PixelRect::toLevel(int level) const
{
    const std::int64_t v0 = v >> level;
    const std::int64_t u0 = u >> level;
    const std::int64_t round = (std::int64_t{1} << level) - 1;
    return {v0, u0, ((vEnd() + round) >> level) - v0, ((uEnd() + round) >> level) - u0};
}

PixelRect PixelRect::toVoxels(int level) const
{
    return {v << level, u << level, height << level, width << level};
}

PixelRect shownPart(const Region& region, Plane plane, std::int64_t slice)
{
    const Extent origin = planeExtent(region.origin, plane);
    const Extent extent = planeExtent(region.extent, plane);
    if (slice < origin.z || slice >= origin.z + extent.z)
        return {};
    return {origin.y, origin.x, extent.y, extent.x};
}

TileGrid::TileGrid(const Extent& volume, const Extent& chunk, Plane plane) : m_plane(plane), m_extent(planeExtent(volume, plane))
{
    const Extent inPlane = planeExtent(chunk, plane);
    m_chunkHeight = std::max<std::int64_t>(1, inPlane.y);
    m_chunkWidth = std::max<std::int64_t>(1, inPlane.x);
    if (m_chunkWidth >= m_chunkHeight) {
        m_tileWidth = powerAround(m_chunkWidth, kTileEdge, kLongEdge);
        m_tileHeight = std::max(kShortEdge, kTilePixels / m_tileWidth);
    } else {
        m_tileHeight = powerAround(m_chunkHeight, kTileEdge, kLongEdge);
        m_tileWidth = std::max(kShortEdge, kTilePixels / m_tileHeight);
    }
    if (plane != Plane::xy)
        m_thickness = std::clamp<std::int64_t>(inPlane.z, 1, kMaxThickness);
}

PixelRect TileGrid::whole(int level) const
{
    return PixelRect{0, 0, m_extent.y, m_extent.x}.toLevel(level);
}

PixelRect TileGrid::tileRect(const TileKey& key) const
{
    return PixelRect{key.row * m_tileHeight, key.column * m_tileWidth, m_tileHeight, m_tileWidth}.intersected(whole(key.level));
}

std::vector<TileKey> TileGrid::tilesIn(std::int64_t slice, int level, const PixelRect& voxels) const
{
    std::vector<TileKey> keys;
    const PixelRect part = voxels.intersected(whole(0)).toLevel(level);
    if (voxels.intersected(whole(0)).isEmpty() || slice < 0 || slice >= m_extent.z)
        return keys;
    for (std::int64_t row = part.v / m_tileHeight; row * m_tileHeight < part.vEnd(); ++row)
        for (std::int64_t column = part.u / m_tileWidth; column * m_tileWidth < part.uEnd(); ++column)
            keys.push_back({m_plane, level, slice, row, column});
    const std::int64_t v2 = part.v + part.vEnd();
    const std::int64_t u2 = part.u + part.uEnd();
    const auto distance = [&](const TileKey& key) {
        const double dv = static_cast<double>((2 * key.row + 1) * m_tileHeight - v2);
        const double du = static_cast<double>((2 * key.column + 1) * m_tileWidth - u2);
        return dv * dv + du * du;
    };
    std::stable_sort(keys.begin(), keys.end(), [&](const TileKey& a, const TileKey& b) { return distance(a) < distance(b); });
    return keys;
}

TileKey TileGrid::lead(const TileKey& key) const
{
    TileKey first = key;
    first.slice -= key.slice % m_thickness;
    return first;
}

std::int64_t TileGrid::slicesAt(const TileKey& lead) const
{
    return std::min(m_thickness, m_extent.z - lead.slice);
}

} // namespace voxelscribe::slice
