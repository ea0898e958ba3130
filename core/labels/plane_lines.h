#pragma once

#include "core/labels/label_volume.h"
#include "core/volume/plane.h"

#include <cstdint>
#include <optional>

namespace voxelscribe::labels {

/// A slice seen as lines along the axis on which its chunks are long: x in xy and xz, y in zy. So a span of a line crosses
/// few chunks in every plane, and painting, filling and clearing are the same code for all three.
struct PlaneLines {
    Plane plane = Plane::xy;
    std::int64_t slice = 0;
    std::int64_t lines = 0;        ///< voxels across
    std::int64_t length = 0;       ///< voxels along a line

    static PlaneLines of(const Extent& volume, Plane plane, std::int64_t slice);
    /// {along the line, across}, from the plane's own u, v.
    struct Point {
        double along = 0;
        double across = 0;
    };
    Point point(const PlanePoint& at) const { return isTurned() ? Point{at.v, at.u} : Point{at.u, at.v}; }
    Extent voxel(std::int64_t line, std::int64_t along) const { return isTurned() ? planeVoxel(plane, slice, along, line) : planeVoxel(plane, slice, line, along); }
    /// The volume's voxels of a rectangle of lines.
    Region region(std::int64_t line, std::int64_t along, std::int64_t lineCount, std::int64_t alongCount) const;
    /// Edge lengths {along, across}, with the finer one 1; 1 and 1 where the voxel size is not known.
    Point pixelSize(const std::optional<VoxelSizeUm>& size) const;
    /// Voxels along a line that lie in one chunk.
    std::int64_t chunkLength() const { return isTurned() ? LabelVolume::kChunk.y : LabelVolume::kChunk.x; }
    /// Distance of neighbours along a line in a chunk's memory.
    std::int64_t stride() const { return isTurned() ? LabelVolume::kChunk.x : 1; }
    bool isTurned() const { return plane == Plane::zy; }
};

/// Pixels first … end−1 of a line.
struct Span {
    std::int64_t line = 0;
    std::int64_t first = 0;
    std::int64_t end = 0;
    bool isEmpty() const { return end <= first; }
    bool operator==(const Span&) const = default;
};

} // namespace voxelscribe::labels
