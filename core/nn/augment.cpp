#include "core/nn/augment.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace voxelscribe::nn {
namespace {

/// Binomial 1-2-1 along rows, mixed in by `share`.
void blurRows(std::span<float> window, std::int64_t height, std::int64_t width, float share)
{
    std::vector<float> row(static_cast<std::size_t>(width));
    for (std::int64_t y = 0; y < height; ++y) {
        float* pixels = window.data() + y * width;
        std::copy_n(pixels, width, row.begin());
        for (std::int64_t x = 0; x < width; ++x) {
            const float left = row[static_cast<std::size_t>(std::max<std::int64_t>(0, x - 1))];
            const float right = row[static_cast<std::size_t>(std::min(width - 1, x + 1))];
            pixels[x] += share * 0.25F * (left + right - 2 * pixels[x]);
        }
    }
}

void blurColumns(std::span<float> window, std::int64_t height, std::int64_t width, float share)
{
    std::vector<float> above(window.begin(), window.begin() + width);
    for (std::int64_t y = 0; y < height; ++y) {
        float* pixels = window.data() + y * width;
        const float* under = window.data() + std::min(height - 1, y + 1) * width;
        for (std::int64_t x = 0; x < width; ++x) {
            const float own = pixels[x];
            pixels[x] += share * 0.25F * (above[static_cast<std::size_t>(x)] + under[x] - 2 * own);
            above[static_cast<std::size_t>(x)] = own;
        }
    }
}

} // namespace

void changeGrey(std::span<float> window, std::int64_t height, std::int64_t width, double strength, std::mt19937_64& random)
{
    if (strength <= 0)
        return;
    std::normal_distribution<float> normal;
    std::uniform_real_distribution<float> uniform;
    const auto amount = static_cast<float>(strength);
    const float gamma = std::exp(amount * 0.075F * normal(random));
    const float gain = std::exp(amount * 0.03F * normal(random));
    const float offset = amount * 0.015F * normal(random);
    const float noise = uniform(random) < 0.5F ? amount * 0.01F * uniform(random) : 0.0F;
    if (uniform(random) < 0.15F) {
        const float share = std::min(1.0F, amount * uniform(random));
        blurRows(window, height, width, share);
        blurColumns(window, height, width, share);
    }
    for (float& v : window)
        v = std::pow(v, gamma) * gain + offset + (noise > 0 ? noise * normal(random) : 0.0F);
}

} // namespace voxelscribe::nn
