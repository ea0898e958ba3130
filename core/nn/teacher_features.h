#pragma once

#include "core/nn/sampling_rectangle.h"

#include <cstdint>
#include <span>
#include <vector>

namespace voxelscribe::nn {

/// Filter responses of one rectangle of a slice, a plane a feature.
struct FeaturePlanes {
    std::int64_t count = 0;
    std::int64_t pixels = 0;
    std::vector<float> values;        ///< count·pixels

    /// The features of one pixel, gathered.
    void gather(std::int64_t pixel, float* out) const
    {
        for (std::int64_t f = 0; f < count; ++f)
            out[f] = values[static_cast<std::size_t>(f * pixels + pixel)];
    }
};

constexpr std::int64_t kFeatureCount = 28;

/// At σ 0.7, 1, 1.6 and 3.5 pixels: Gaussian, Laplacian, gradient magnitude, the two eigenvalues of the Hessian and of the structure tensor
/// (window σ/2, at least 0.5). The border pixels are continued outwards.
FeaturePlanes computeFeatures(std::span<const float> image, std::int64_t height, std::int64_t width);

/// `image` convolved with the derivative of order `orderY`, `orderX` (0…2) of a Gaussian, cut off at 3σ.
std::vector<float> gaussianDerivative(std::span<const float> image, std::int64_t height, std::int64_t width, double sigma, int orderY, int orderX);

} // namespace voxelscribe::nn
