#include "core/nn/train_normalisation.h"

#include "core/base/error.h"
#include "core/model/normalise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace voxelscribe::nn {
namespace {

constexpr std::int64_t kMostSlices = 32;
constexpr std::size_t kMostSamplesOfSlice = 1 << 16;
constexpr double kExposureShift = 0.15;
constexpr std::array kFractions{0.01, 0.25, 0.5, 0.75, 0.99};

using Percentiles = std::array<double, kFractions.size()>;

/// Finite samples of slice `z`, thinned evenly.
std::vector<float> sampleSlice(const Volume& image, std::int64_t z)
{
    const std::vector<float> all = readAs<float>(image, Region::slice(image.extent(), z));
    const std::size_t step = all.size() / kMostSamplesOfSlice + 1;
    std::vector<float> finite;
    for (std::size_t i = 0; i < all.size(); i += step)
        if (std::isfinite(all[i]))
            finite.push_back(all[i]);
    return finite;
}

Percentiles percentilesOf(std::vector<float> samples)
{
    Percentiles values{};
    for (std::size_t i = 0; i < kFractions.size(); ++i)
        values[i] = percentileRange(samples, kFractions[i], kFractions[i]).low;
    return values;
}

double standardDeviation(const std::vector<Percentiles>& slices, std::size_t which)
{
    double sum = 0;
    double squares = 0;
    for (const Percentiles& slice : slices)
        sum += slice[which];
    const double mean = sum / static_cast<double>(slices.size());
    for (const Percentiles& slice : slices)
        squares += (slice[which] - mean) * (slice[which] - mean);
    return std::sqrt(squares / static_cast<double>(slices.size()));
}

/// The least of the five percentiles' deviations over the slices, as a share of a slice's usual grey range.
double leastShift(const std::vector<Percentiles>& slices)
{
    std::vector<double> ranges;
    for (const Percentiles& slice : slices)
        ranges.push_back(slice.back() - slice.front());
    const auto middle = ranges.begin() + static_cast<std::ptrdiff_t>(ranges.size() / 2);
    std::nth_element(ranges.begin(), middle, ranges.end());
    double least = standardDeviation(slices, 0);
    for (std::size_t i = 1; i < kFractions.size(); ++i)
        least = std::min(least, standardDeviation(slices, i));
    return *middle > 0 ? least / *middle : 0;
}

} // namespace

ChosenNormalisation chooseNormalisation(const Volume& image, Progress& progress)
{
    const std::int64_t depth = image.extent().z;
    const std::int64_t count = std::min(depth, kMostSlices);
    std::vector<float> pooled;
    std::vector<Percentiles> slices;
    for (std::int64_t i = 0; i < count; ++i) {
        progress.update("statistics", i, count);
        const std::vector<float> samples = sampleSlice(image, count == 1 ? 0 : i * (depth - 1) / (count - 1));
        pooled.insert(pooled.end(), samples.begin(), samples.end());
        if (!samples.empty())
            slices.push_back(percentilesOf(samples));
    }
    if (pooled.empty())
        throw Error(ErrorCode::format, image.info().name + ": none of the samples looked at is a finite number, so there is nothing to "
                                                           "learn from; expected grey values");
    ChosenNormalisation chosen;
    const GreyRange range = percentileRange(pooled, chosen.rule.lowFraction, chosen.rule.highFraction);
    chosen.rule.low = range.low;
    chosen.rule.high = range.high;
    const double shift = leastShift(slices);
    std::array<char, 160> text{};
    if (shift > kExposureShift) {
        chosen.rule.rule = Normalisation::Rule::slice;
        std::snprintf(text.data(), text.size(), "each slice by its own percentiles: all grey values shift by %.0f %% of their range or more "
                                                "from slice to slice", 100 * shift);
    } else
        std::snprintf(text.data(), text.size(), "one range for the stack: exposures agree to %.0f %% of the grey range", std::max(1.0, 100 * shift));
    chosen.reason = text.data();
    return chosen;
}

} // namespace voxelscribe::nn
