#include "core/volume/plane.h"

namespace voxelscribe {

Extent planeExtent(const Extent& volume, Plane plane)
{
    switch (plane) {
    case Plane::xz: return {volume.y, volume.z, volume.x};
    case Plane::zy: return {volume.x, volume.y, volume.z};
    case Plane::xy: break;
    }
    return volume;
}

Extent planeVoxel(Plane plane, std::int64_t slice, std::int64_t v, std::int64_t u)
{
    switch (plane) {
    case Plane::xz: return {v, slice, u};
    case Plane::zy: return {u, v, slice};
    case Plane::xy: break;
    }
    return {slice, v, u};
}

Region planeRegion(Plane plane, std::int64_t slice, std::int64_t v0, std::int64_t u0, std::int64_t height, std::int64_t width)
{
    const Extent extent = planeVoxel(plane, 1, height, width);
    return {planeVoxel(plane, slice, v0, u0), extent};
}

VoxelSizeUm planeVoxelSize(const VoxelSizeUm& size, Plane plane)
{
    switch (plane) {
    case Plane::xz: return {size.y, size.z, size.x};
    case Plane::zy: return {size.x, size.y, size.z};
    case Plane::xy: break;
    }
    return size;
}

} // namespace voxelscribe
