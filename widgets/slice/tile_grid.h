#pragma once

#include "core/volume/plane.h"

#include <compare>
#include <cstdint>
#include <vector>

namespace voxelscribe::slice {

/// A rectangle of a plane, in pixels of one level; (v, u) is (down, right).
struct PixelRect {
    std::int64_t v = 0;
    std::int64_t u = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;

    bool operator==(const PixelRect&) const = default;
    bool isEmpty() const { return height <= 0 || width <= 0; }
    std::int64_t vEnd() const { return v + height; }
    std::int64_t uEnd() const { return u + width; }
    std::int64_t pixels() const { return height * width; }
    PixelRect intersected(const PixelRect& other) const;
    /// The smallest rectangle around both; an empty one counts for nothing.
    PixelRect united(const PixelRect& other) const;
    /// Larger by `margin` on each side.
    PixelRect grown(std::int64_t margin) const { return {v - margin, u - margin, height + 2 * margin, width + 2 * margin}; }
    /// From voxels to pixels of `level` (every pixel touched), and from pixels of `level` to voxels.
    PixelRect toLevel(int level) const;
    PixelRect toVoxels(int level) const;
};

/// What of `region` shows in slice `slice` of `plane`, in voxels of the plane; empty where nothing does.
PixelRect shownPart(const Region& region, Plane plane, std::int64_t slice);

/// Names a tile. A pixel of level n stands for 2ⁿ × 2ⁿ voxels.
struct TileKey {
    Plane plane = Plane::xy;
    int level = 0;
    std::int64_t slice = 0;
    std::int64_t row = 0;
    std::int64_t column = 0;

    auto operator<=>(const TileKey&) const = default;
};

/// How the slices of one plane are cut into tiles. Tiles are longer along the axis in which the file's chunks are long,
/// and where chunks are thick across the slices, neighbours are read together.
class TileGrid {
public:
    TileGrid() = default;
    TileGrid(const Extent& volume, const Extent& chunk, Plane plane);

    Plane plane() const { return m_plane; }
    /// {slices, height, width} in voxels.
    const Extent& extent() const { return m_extent; }
    /// In-plane extent of a chunk of the file.
    std::int64_t chunkHeight() const { return m_chunkHeight; }
    std::int64_t chunkWidth() const { return m_chunkWidth; }
    /// Slices that one read brings.
    std::int64_t thickness() const { return m_thickness; }

    PixelRect whole(int level) const;
    PixelRect tileRect(const TileKey& key) const;
    /// The tiles of a slice that show something of `voxels`, those nearest to its centre first.
    std::vector<TileKey> tilesIn(std::int64_t slice, int level, const PixelRect& voxels) const;
    /// The tile that stands for all that are read together with `key`.
    TileKey lead(const TileKey& key) const;
    /// Slices that are read with `lead`.
    std::int64_t slicesAt(const TileKey& lead) const;

private:
    Plane m_plane = Plane::xy;
    Extent m_extent;
    std::int64_t m_chunkHeight = 1;
    std::int64_t m_chunkWidth = 1;
    std::int64_t m_tileHeight = 512;
    std::int64_t m_tileWidth = 512;
    std::int64_t m_thickness = 1;
};

} // namespace voxelscribe::slice
