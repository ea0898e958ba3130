#pragma once

#include "core/volume/volume.h"

namespace voxelscribe {

/// The part `region` of `source`, read on demand. @throws Error(shape) outside it.
VolumePtr cropVolume(VolumePtr source, const Region& region);
/// `source` averaged over blocks of bin×bin×bin voxels (the mode for labels); incomplete blocks at the end are dropped,
/// an axis shorter than `bin` is kept whole. Integer results are rounded to nearest. The voxel size grows accordingly.
VolumePtr binVolume(VolumePtr source, std::int64_t bin, bool labels = false);
/// `source` converted to `dtype`: rounded to nearest and saturated, never wrapped; NaN becomes 0 in integers.
VolumePtr castVolume(VolumePtr source, DType dtype);

} // namespace voxelscribe
