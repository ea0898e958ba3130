#pragma once

#include "core/base/extent.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace voxelscribe::io {

/// How an array of any number of axes is seen as z, y, x: axes of length one are dropped where there are more than three,
/// a 2D array is one slice, and further axes are folded into z. So the order of the samples never changes.
class FoldedShape {
public:
    /// @throws Error(shape) for fewer than two axes, or for products beyond 63 bits.
    explicit FoldedShape(std::vector<std::int64_t> shape);

    const std::vector<std::int64_t>& shape() const { return m_shape; }
    const Extent& extent() const { return m_extent; }
    /// More than three axes longer than one lie in z.
    bool isFolded() const { return m_leading.size() > 1; }
    /// The stored chunk's z, y, x.
    Extent folded(const std::vector<std::int64_t>& chunk) const;
    /// Indices into `shape` of the axes seen as z, y, x; -1 where z is not stored.
    std::vector<int> spatialAxes() const;

    /// A box of the stored array whose samples are whole slices of the region, in order.
    struct Box {
        std::vector<std::int64_t> start;
        std::vector<std::int64_t> count;
        std::int64_t firstSlice = 0;     ///< within the region
        std::int64_t slices = 0;
    };
    void forEachBox(const Region& region, const std::function<void(const Box&)>& visit) const;

private:
    std::vector<std::int64_t> m_shape;
    std::vector<std::size_t> m_leading;  ///< axes folded into z, slowest first
    std::size_t m_y = 0;
    std::size_t m_x = 0;
    Extent m_extent;
};

/// One letter an axis where nothing is known: "yx", "zyx", "czyx", "tczyx".
std::string defaultAxes(std::size_t count);

} // namespace voxelscribe::io
