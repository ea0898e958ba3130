#pragma once

#include "core/model/class_info.h"
#include "widgets/slice/tile_read.h"
#include "widgets/slice/view_geometry.h"

#include <QImage>
#include <vector>

class QPainter;

namespace voxelscribe::slice {

/// The opaque colour of each class id; transparent for 0 and for classes that are switched off. An id that is in no class
/// list is shown in its default colour: a mask never hides what nobody asked to hide.
class ClassColours {
public:
    ClassColours();
    void setClasses(const std::vector<ClassInfo>& classes);
    QRgb operator[](std::uint16_t id) const { return m_colours[id]; }

private:
    std::vector<QRgb> m_colours;
};

/// A part of a plane full of ids, row by row.
struct IdBlock {
    PixelRect rect;
    std::vector<std::uint16_t> ids;

    std::uint16_t at(std::int64_t v, std::int64_t u) const
    {
        return ids[static_cast<std::size_t>((v - rect.v) * rect.width + (u - rect.u))];
    }
};

/// Colours the ids of `block` into `image`, whose first pixel is (v, u) of `origin`. Returns whether anything is not transparent.
bool colourIds(const IdBlock& block, const ClassColours& colours, QImage& image, const PixelRect& origin);

/// The id at pixel (v, u) of a mask tile; beyond the tile, that of its nearest pixel.
std::uint16_t maskIdAt(const SampleTile& tile, std::int64_t v, std::int64_t u);

/// A picture of the part `rect` of a mask tile, the middle one of `factor` × `factor` pixels standing for them;
/// with `outline` only those that have a neighbour (left, right, above, below) of another id. Null where nothing shows.
QImage maskImage(const SampleTile& tile, const PixelRect& rect, int factor, bool outline, const ClassColours& colours);

/// The borders of the areas of a mask tile as fine lines within them, for zooms at which `maskImage` would draw whole voxels.
/// `part` is in voxels; the tile is of level 0.
void drawMaskEdges(QPainter& painter, const ViewGeometry& geometry, const SampleTile& tile, const PixelRect& part,
                   const ClassColours& colours);

} // namespace voxelscribe::slice
