#pragma once

#include "core/volume/volume.h"
#include "widgets/slice/tile_grid.h"

#include <functional>
#include <vector>

namespace voxelscribe::slice {

/// Samples of a tile in memory, row by row as the plane shows them.
struct SampleTile {
    DType dtype = DType::uint8;
    PixelRect rect;                  ///< what the samples cover, in pixels of the tile's level; may reach beyond the tile
    std::vector<std::byte> samples;
    std::uint64_t serial = 0;        ///< differs for every tile that was read, so that pictures made from it can be told apart

    std::int64_t bytes() const { return static_cast<std::int64_t>(samples.size() + sizeof(SampleTile)); }
    /// The sample at pixel (v, u) of the level, which lies in `rect`.
    double at(std::int64_t v, std::int64_t u) const;
};

/// Asked between the parts of a read; true ends it, and the tiles come back empty.
using StopQuery = std::function<bool()>;

/// Reads the tile `lead` and the slices read with it, in order of their slices. Above level 0 a pixel is the mean of its
/// finite samples. Memory is bounded by the tiles and a band of a few megasamples. @throws Error(io | format | shape).
std::vector<SampleTile> readImageTiles(const Volume& volume, const TileGrid& grid, const TileKey& lead, const StopQuery& stop);

/// The same for class ids: uint16, a pixel is its middle voxel's id, and the tile is one pixel larger on each side
/// where the plane goes on, so that outlines know their neighbours.
std::vector<SampleTile> readMaskTiles(const Volume& volume, const TileGrid& grid, const TileKey& lead, const StopQuery& stop);

} // namespace voxelscribe::slice
