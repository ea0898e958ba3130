#pragma once

#include "widgets/slice/tile_read.h"
#include "widgets/slice/view_geometry.h"

#include <QImage>
#include <cstdint>
#include <functional>
#include <map>

class QPainter;

namespace voxelscribe::slice {

/// Pictures made from tiles, remade when the tile, the reduction or the style has changed. Beyond the budget the least
/// recently drawn go first, but never one of the current pass: what shows must not be made twice for one painting.
class TilePictures {
public:
    void setBudget(std::int64_t bytes) { m_budgetBytes = bytes; }
    void beginPass() { m_passStart = m_uses; }
    /// `style` differs whenever `make` would draw the same tile otherwise.
    const QImage& picture(const TileKey& key, const SampleTile& tile, int factor, std::uint64_t style,
                          const std::function<QImage()>& make);
    void clear();

private:
    struct Entry {
        std::uint64_t serial = 0;
        std::uint64_t style = 0;
        int factor = 0;
        QImage image;
        std::uint64_t use = 0;
    };
    void trim();

    std::map<TileKey, Entry> m_entries;
    std::int64_t m_budgetBytes = 0;
    std::int64_t m_bytes = 0;
    std::uint64_t m_uses = 0;
    std::uint64_t m_passStart = 0;
};

/// What drawPicture needs to know of the plane; `visible` is the whole view's part, whatever is being repainted, so that
/// pixels do not depend on it.
struct PictureFrame {
    const ViewGeometry& geometry;
    PixelRect visible;
    PixelRect plane;
};

/// Draws `image`, whose pixels are 2^level voxels and whose first voxel is (v, u).
void drawPicture(QPainter& painter, const PictureFrame& frame, const QImage& image, std::int64_t v, std::int64_t u, int level);

} // namespace voxelscribe::slice
