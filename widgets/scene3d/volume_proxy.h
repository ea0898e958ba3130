#pragma once

#include "core/base/extent.h"
#include "core/volume/volume.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace voxelscribe::scene3d {

/// How a volume is thinned out to a proxy that any graphics memory holds: whole steps along each axis.
struct ProxyGeometry {
    Extent source;
    Extent step{1, 1, 1};       ///< source voxels a proxy voxel
    Extent extent;              ///< of the proxy

    /// The coarsest steps with which no axis has more than `largestEdge` voxels.
    static ProxyGeometry fit(const Extent& source, std::int64_t largestEdge);
    /// The source slice that proxy slice `k` shows.
    std::int64_t sourceSlice(std::int64_t k) const;
    /// Proxy slices whose source slice lies in [from, to).
    std::vector<std::int64_t> slicesIn(std::int64_t from, std::int64_t to) const;
};

/// Slice `k` of the image proxy, as 0…255 between `low` and `high`; the mean over each step in the plane.
std::vector<std::uint8_t> readImageSlice(const Volume& volume, const ProxyGeometry& geometry, std::int64_t k, double low, double high);
/// Slice `k` of a mask proxy: `indexOf` turns the id in the middle of each step into what is stored.
std::vector<std::uint8_t> readLabelSlice(const Volume& mask, const ProxyGeometry& geometry, std::int64_t k,
                                         const std::vector<std::uint8_t>& indexOfId);
/// All proxy slices, coarse first: every eighth, then the ones between, so that a slow file shows its whole shape soon.
std::vector<std::int64_t> coarseToFine(std::int64_t slices);

} // namespace voxelscribe::scene3d
