#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace voxelscribe::ops {

/// The slices that get example strokes: three spread over the stack, fewer where there are fewer.
std::vector<std::int64_t> strokeSlices(std::int64_t depth);

struct StrokeSpec {
    int strokesPerClass = 8;      ///< in a slice, at the most
    int length = 40;              ///< steps of about a pixel, at the most
    std::uint64_t seed = 1;
};

/// Thin strokes as a hurried person paints them: inside each class of the slice `truth` (height·width ids), off its borders
/// by two pixels where the class is wide enough, else by one. 0 elsewhere.
std::vector<std::uint8_t> paintStrokes(std::span<const std::uint8_t> truth, std::int64_t width, const StrokeSpec& spec);

} // namespace voxelscribe::ops
