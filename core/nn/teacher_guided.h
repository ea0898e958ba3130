#pragma once

#include <cstdint>
#include <span>

namespace voxelscribe::nn {

/// Moves the borders of probabilities to those of the image, in place: P ← (P + 2·G)/3, 0…1, where G is P through a guided filter
/// (He, Sun & Tang 2013) with the image as guide, a Gaussian window of σ 4 pixels and ε 0.01. `probabilities` holds a plane a class.
void refineByGuide(std::span<const float> image, std::int64_t height, std::int64_t width, std::span<float> probabilities);

} // namespace voxelscribe::nn
