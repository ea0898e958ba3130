#pragma once

#include "core/base/extent.h"

namespace voxelscribe {

/// The three orthogonal cuts, named by the axes they show (horizontal, vertical): xy is a slice of constant z.
enum class Plane { xy, xz, zy };

/// A point of a plane in voxel coordinates; pixel (0, 0) covers [0, 1) × [0, 1).
struct PlanePoint {
    double u = 0; ///< horizontal
    double v = 0; ///< vertical
};

/// Extent of `volume` seen in `plane`: {slices, height, width}.
Extent planeExtent(const Extent& volume, Plane plane);
/// The volume's voxel under pixel (u, v) of slice `slice`.
Extent planeVoxel(Plane plane, std::int64_t slice, std::int64_t v, std::int64_t u);
/// The one-voxel-thick region of `volume` that the rectangle v0…, u0… of slice `slice` shows.
Region planeRegion(Plane plane, std::int64_t slice, std::int64_t v0, std::int64_t u0, std::int64_t height, std::int64_t width);
/// Voxel size seen in the plane: {across slices, vertical, horizontal}.
VoxelSizeUm planeVoxelSize(const VoxelSizeUm& size, Plane plane);

} // namespace voxelscribe
