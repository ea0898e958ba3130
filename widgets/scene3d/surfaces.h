#pragma once

#include "core/base/extent.h"

#include <cstdint>
#include <vector>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

namespace voxelscribe::scene3d {

/// Smoothed surface of the voxels that hold `label` in a z, y, x volume, in micrometres; empty where there is none.
/// Closed at the volume's border. Runs on a worker thread.
vtkSmartPointer<vtkPolyData> surfaceOf(const std::vector<std::uint8_t>& labels, const Extent& extent, std::uint8_t label,
                                       const VoxelSizeUm& spacing);

/// Surface of what is bright in a grey proxy: above Otsu's threshold (IEEE Trans. SMC 9 (1979) 62), on a grid thinned to at
/// most 96 voxels an axis, so that noise makes no millions of triangles.
vtkSmartPointer<vtkPolyData> imageSurfaceOf(const std::vector<std::uint8_t>& greys, const Extent& extent, const VoxelSizeUm& spacing);

} // namespace voxelscribe::scene3d
