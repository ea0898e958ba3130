#include "core/nn/teacher_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

namespace voxelscribe::nn {
namespace {

using Plane = std::vector<float>;

constexpr std::array kSigmas{0.7, 1.0, 1.6, 3.5};

/// Taps of a Gaussian's derivative: g, −x/σ²·g, (x²/σ⁴ − 1/σ²)·g, mirrored as a convolution reads them.
std::vector<float> gaussianTaps(double sigma, int order)
{
    const auto radius = static_cast<int>(3 * sigma + 0.5);
    std::vector<double> gauss;
    double sum = 0;
    for (int x = -radius; x <= radius; ++x) {
        gauss.push_back(std::exp(-0.5 * x * x / (sigma * sigma)));
        sum += gauss.back();
    }
    std::vector<float> taps;
    const double s2 = sigma * sigma;
    for (int x = -radius; x <= radius; ++x) {
        const double g = gauss[static_cast<std::size_t>(x + radius)] / sum;
        taps.push_back(static_cast<float>(order == 0 ? g : order == 1 ? x / s2 * g : (x * x / (s2 * s2) - 1 / s2) * g));
    }
    if (order == 2) { // cut off and sampled, it would not be blind to a constant
        const float mean = std::accumulate(taps.begin(), taps.end(), 0.0F) / static_cast<float>(taps.size());
        for (float& tap : taps)
            tap -= mean;
    }
    return taps;
}

/// out[i] += Σ taps[k]·line[i + k]; `line` is continued by the radius at both ends.
void correlate(const float* line, const std::vector<float>& taps, float* out, std::int64_t count)
{
    for (std::size_t k = 0; k < taps.size(); ++k) {
        const float tap = taps[k];
        const float* shifted = line + k;
        for (std::int64_t i = 0; i < count; ++i)
            out[i] += tap * shifted[i];
    }
}

Plane alongRows(std::span<const float> image, std::int64_t height, std::int64_t width, const std::vector<float>& taps)
{
    const auto radius = static_cast<std::int64_t>(taps.size() / 2);
    Plane out(image.size());
#pragma omp parallel
    {
        std::vector<float> line(static_cast<std::size_t>(width + 2 * radius));
#pragma omp for
        for (std::int64_t y = 0; y < height; ++y) {
            const float* row = image.data() + y * width;
            std::fill_n(line.begin(), radius, row[0]);
            std::copy_n(row, width, line.begin() + radius);
            std::fill_n(line.begin() + radius + width, radius, row[width - 1]);
            correlate(line.data(), taps, out.data() + y * width, width);
        }
    }
    return out;
}

Plane alongColumns(const Plane& image, std::int64_t height, std::int64_t width, const std::vector<float>& taps)
{
    const auto radius = static_cast<std::int64_t>(taps.size() / 2);
    Plane out(image.size());
#pragma omp parallel for
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t k = -radius; k <= radius; ++k) {
            const float tap = taps[static_cast<std::size_t>(k + radius)];
            const float* row = image.data() + std::clamp<std::int64_t>(y + k, 0, height - 1) * width;
            float* target = out.data() + y * width;
            for (std::int64_t x = 0; x < width; ++x)
                target[x] += tap * row[x];
        }
    return out;
}

/// Eigenvalues of the symmetric [[a, c], [c, b]], the larger first.
void eigenvalues(const Plane& a, const Plane& b, const Plane& c, float* larger, float* smaller)
{
    for (std::size_t i = 0; i < a.size(); ++i) {
        const float middle = (a[i] + b[i]) / 2;
        const float half = (a[i] - b[i]) / 2;
        const float spread = std::sqrt(half * half + c[i] * c[i]);
        larger[i] = middle + spread;
        smaller[i] = middle - spread;
    }
}

Plane product(const Plane& a, const Plane& b)
{
    Plane out(a.size());
    std::transform(a.begin(), a.end(), b.begin(), out.begin(), std::multiplies<>());
    return out;
}

/// The seven features at one σ, written plane after plane to `out`.
void featuresAt(double sigma, std::span<const float> image, std::int64_t height, std::int64_t width, float* out)
{
    const auto derive = [&](int orderY, int orderX) { return gaussianDerivative(image, height, width, sigma, orderY, orderX); };
    const auto pixels = static_cast<std::int64_t>(image.size());
    const Plane smooth = derive(0, 0);
    const Plane yy = derive(2, 0);
    const Plane xx = derive(0, 2);
    const Plane gy = derive(1, 0);
    const Plane gx = derive(0, 1);
    std::copy(smooth.begin(), smooth.end(), out);
    for (std::int64_t i = 0; i < pixels; ++i) {
        const auto at = static_cast<std::size_t>(i);
        out[pixels + i] = yy[at] + xx[at];
        out[2 * pixels + i] = std::hypot(gy[at], gx[at]);
    }
    eigenvalues(yy, xx, derive(1, 1), out + 3 * pixels, out + 4 * pixels);
    const auto window = [&](const Plane& plane) { return gaussianDerivative(plane, height, width, std::max(sigma / 2, 0.5), 0, 0); };
    eigenvalues(window(product(gy, gy)), window(product(gx, gx)), window(product(gy, gx)), out + 5 * pixels, out + 6 * pixels);
}

} // namespace

std::vector<float> gaussianDerivative(std::span<const float> image, std::int64_t height, std::int64_t width, double sigma, int orderY, int orderX)
{
    return alongColumns(alongRows(image, height, width, gaussianTaps(sigma, orderX)), height, width, gaussianTaps(sigma, orderY));
}

FeaturePlanes computeFeatures(std::span<const float> image, std::int64_t height, std::int64_t width)
{
    FeaturePlanes planes{kFeatureCount, height * width, {}};
    planes.values.resize(static_cast<std::size_t>(kFeatureCount * planes.pixels));
    constexpr std::int64_t kPerSigma = kFeatureCount / static_cast<std::int64_t>(kSigmas.size());
    for (std::size_t s = 0; s < kSigmas.size(); ++s)
        featuresAt(kSigmas[s], image, height, width, planes.values.data() + static_cast<std::int64_t>(s) * kPerSigma * planes.pixels);
    return planes;
}

} // namespace voxelscribe::nn
