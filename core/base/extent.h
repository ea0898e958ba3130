#pragma once

#include <cstdint>
#include <string>

namespace voxelscribe {

/// Voxel counts or a position, slowest axis first. Everywhere z, y, x, C-contiguous.
struct Extent {
    std::int64_t z = 0;
    std::int64_t y = 0;
    std::int64_t x = 0;

    bool operator==(const Extent&) const = default;
    bool isEmpty() const { return z <= 0 || y <= 0 || x <= 0; }
    /// z·y·x. @throws Error(shape) where the product leaves 63 bits.
    std::int64_t voxels() const;
    /// "3×517×389".
    std::string text() const;
};

/// A box of voxels: `origin` is its first voxel.
struct Region {
    Extent origin;
    Extent extent;

    bool operator==(const Region&) const = default;
    Extent end() const { return {origin.z + extent.z, origin.y + extent.y, origin.x + extent.x}; }
    bool isInside(const Extent& whole) const;
    Region intersected(const Region& other) const;
    static Region whole(const Extent& extent) { return {{0, 0, 0}, extent}; }
    static Region slice(const Extent& extent, std::int64_t z) { return {{z, 0, 0}, {1, extent.y, extent.x}}; }
};

/// a·b. @throws Error(shape) naming `what` on overflow.
std::int64_t checkedProduct(std::int64_t a, std::int64_t b, const char* what);
/// Throws Error(shape) unless `region` is a non-empty box inside `whole`.
void requireInside(const Region& region, const Extent& whole, const std::string& what);

/// Edge lengths of a voxel in micrometres.
struct VoxelSizeUm {
    double z = 1;
    double y = 1;
    double x = 1;
    bool operator==(const VoxelSizeUm&) const = default;
};

} // namespace voxelscribe
