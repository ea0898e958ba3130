#include "core/nn/teacher_guided.h"

#include "core/nn/teacher_features.h"

#include <algorithm>
#include <vector>

namespace voxelscribe::nn {
namespace {

constexpr double kWindowSigma = 4;
constexpr float kEpsilon = 0.01F;

using Plane = std::vector<float>;

Plane product(std::span<const float> a, std::span<const float> b)
{
    Plane out(a.size());
    std::transform(a.begin(), a.end(), b.begin(), out.begin(), std::multiplies<>());
    return out;
}

} // namespace

void refineByGuide(std::span<const float> image, std::int64_t height, std::int64_t width, std::span<float> probabilities)
{
    const auto mean = [&](std::span<const float> plane) { return gaussianDerivative(plane, height, width, kWindowSigma, 0, 0); };
    const Plane meanImage = mean(image);
    const Plane meanSquare = mean(product(image, image));
    for (std::size_t from = 0; from < probabilities.size(); from += image.size()) {
        const std::span<float> plane = probabilities.subspan(from, image.size());
        const Plane meanPlane = mean(plane);
        Plane slope = mean(product(image, plane));
        Plane offset(image.size());
        for (std::size_t i = 0; i < image.size(); ++i) {
            slope[i] = (slope[i] - meanImage[i] * meanPlane[i]) / (meanSquare[i] - meanImage[i] * meanImage[i] + kEpsilon);
            offset[i] = meanPlane[i] - slope[i] * meanImage[i];
        }
        const Plane meanSlope = mean(slope);
        const Plane meanOffset = mean(offset);
        for (std::size_t i = 0; i < image.size(); ++i)
            plane[i] = std::clamp((plane[i] + 2 * (meanSlope[i] * image[i] + meanOffset[i])) / 3, 0.0F, 1.0F);
    }
}

} // namespace voxelscribe::nn
