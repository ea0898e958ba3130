#pragma once

#include "core/volume/plane.h"
#include "core/volume/volume.h"

#include <QString>
#include <cstdint>
#include <vector>

namespace voxelscribe::test {

/// A straight stroke, from the middle of a pixel to the middle of another, in pixels of an xy slice.
struct Segment {
    PlanePoint from;
    PlanePoint to;
};

/// Strokes for `classId` that a careful person would paint: along rows and columns, at the most `longest` pixels long, `margin`
/// pixels away from everything else, and away from each other; as many of `count` as there is room for.
std::vector<Segment> strokesInside(const Volume& truth, std::int64_t slice, std::uint16_t classId, int margin, int longest, int count);

/// A volume of integers as ids, whole.
std::vector<std::uint16_t> idsOf(const Volume& volume);
/// The same of a file.
std::vector<std::uint16_t> idsOf(const QString& path);
/// How many voxels have this id.
std::int64_t countOf(const std::vector<std::uint16_t>& ids, std::uint16_t id);

} // namespace voxelscribe::test
