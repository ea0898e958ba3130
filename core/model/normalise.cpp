#include "core/model/normalise.h"

#include <algorithm>
#include <cmath>

namespace voxelscribe {
namespace {

/// The sample of rank `position` (0…size−1, fractions between neighbours); reorders.
double rankValue(std::span<float> samples, double position)
{
    const auto below = static_cast<std::ptrdiff_t>(position);
    const auto at = samples.begin() + below;
    std::nth_element(samples.begin(), at, samples.end());
    const double low = *at;
    if (at + 1 == samples.end())
        return low;
    const double high = *std::min_element(at + 1, samples.end());
    return low + (high - low) * (position - static_cast<double>(below));
}

} // namespace

GreyRange percentileRange(std::span<float> samples, double lowFraction, double highFraction)
{
    const auto end = std::remove_if(samples.begin(), samples.end(), [](float v) { return !std::isfinite(v); });
    const std::span<float> finite(samples.begin(), end);
    if (finite.empty())
        return {};
    const double last = static_cast<double>(finite.size() - 1);
    return {rankValue(finite, lowFraction * last), rankValue(finite, highFraction * last)};
}

GreyRange greyRange(const Normalisation& rule, const Volume& volume, std::int64_t z)
{
    if (rule.rule == Normalisation::Rule::volume)
        return {rule.low, rule.high};
    std::vector<float> samples = readAs<float>(volume, Region::slice(volume.extent(), z));
    return percentileRange(samples, rule.lowFraction, rule.highFraction);
}

void applyGreyRange(std::span<float> samples, const GreyRange& range)
{
    const auto low = static_cast<float>(range.low);
    const auto width = static_cast<float>(range.high - range.low);
    if (!(width > 0)) {
        for (float& v : samples)
            v = v > low ? 1.0F : 0.0F;
        return;
    }
    const float scale = 1.0F / width;
    for (float& v : samples) {
        const float scaled = (v - low) * scale;
        v = scaled > 0 ? std::min(scaled, 1.0F) : 0.0F; // NaN compares false
    }
}

std::vector<float> readNormalised(const Volume& volume, const Region& region, const GreyRange& range)
{
    std::vector<float> samples = readAs<float>(volume, region);
    applyGreyRange(samples, range);
    return samples;
}

} // namespace voxelscribe
