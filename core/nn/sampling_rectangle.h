#pragma once

#include "core/base/extent.h"

#include <algorithm>
#include <cstdint>

namespace voxelscribe::nn {

/// Pixels of a slice: rows y…, columns x….
struct PixelRectangle {
    std::int64_t y = 0;
    std::int64_t x = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;

    bool operator==(const PixelRectangle&) const = default;
    std::int64_t bottom() const { return y + height; }
    std::int64_t right() const { return x + width; }
    std::int64_t pixels() const { return height * width; }
    bool isEmpty() const { return height <= 0 || width <= 0; }
    Region region(std::int64_t z) const { return {{z, y, x}, {1, height, width}}; }

    PixelRectangle intersected(const PixelRectangle& other) const
    {
        const std::int64_t top = std::max(y, other.y);
        const std::int64_t left = std::max(x, other.x);
        return {top, left, std::min(bottom(), other.bottom()) - top, std::min(right(), other.right()) - left};
    }

    /// Grown by `margin` each side, inside height × width.
    PixelRectangle grown(std::int64_t margin, std::int64_t wholeHeight, std::int64_t wholeWidth) const
    {
        return PixelRectangle{y - margin, x - margin, height + 2 * margin, width + 2 * margin}.intersected({0, 0, wholeHeight, wholeWidth});
    }
};

} // namespace voxelscribe::nn
