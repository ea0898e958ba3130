#pragma once

#include "widgets/slice/overlay.h"
#include "widgets/slice/slice_view.h"
#include "widgets/slice/tile_pictures.h"

#include <QImage>
#include <map>

namespace voxelscribe::slice {

/// Reads ids of the part `rect` (pixels of `level`) of a slice. Above level 0 a pixel is the first labelled voxel found among
/// up to four lines of its block, so that thin strokes stay visible from afar.
IdBlock readIds(const AnnotationReader& reader, const TileGrid& grid, std::int64_t slice, int level, const PixelRect& rect);

/// The annotations of the shown slice as coloured pictures, one a tile. A change redraws only its own rectangle, whatever
/// the size of the slice, and changes are gathered until the next painting.
class AnnotationLayer {
public:
    void setReader(AnnotationReader reader);
    bool hasReader() const { return static_cast<bool>(m_reader); }
    void setVolume(const Extent& extent, Plane plane);
    /// Ids become pictures of other colours: everything is drawn anew.
    void clear() { m_tiles.clear(); }
    void show(std::int64_t slice, int level);
    void markDirty(const PixelRect& voxels);
    /// Brings the pictures of what shows of `voxels` up to date, for at most about `milliseconds`; false if some are still to do.
    bool prepare(const PixelRect& voxels, const ClassColours& colours, int milliseconds);
    void paint(QPainter& painter, const PictureFrame& frame, const PixelRect& voxels) const;
    std::uint16_t idAt(std::int64_t slice, std::int64_t v, std::int64_t u) const;

private:
    struct Tile {
        QImage image;          ///< null where nothing is labelled
        PixelRect dirty;       ///< pixels of the level
    };
    void refresh(const TileKey& key, Tile& tile, const ClassColours& colours) const;

    AnnotationReader m_reader;
    TileGrid m_grid;
    std::int64_t m_slice = 0;
    int m_level = 0;
    std::map<TileKey, Tile> m_tiles;
};

} // namespace voxelscribe::slice
