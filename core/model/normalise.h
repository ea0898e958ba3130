#pragma once

#include "core/model/model_contract.h"
#include "core/volume/volume.h"

#include <span>
#include <vector>

namespace voxelscribe {

/// The two grey values that become 0 and 1.
struct GreyRange {
    double low = 0;
    double high = 1;
};

/// The range that a model's rule gives slice `z`: the frozen one, or the slice's own percentiles (finite samples; whole slice, always).
GreyRange greyRange(const Normalisation& rule, const Volume& volume, std::int64_t z);
/// The percentiles `lowFraction` and `highFraction` (0…1, linear between samples as NumPy's default) of the finite ones of `samples`,
/// whose order is changed. {0, 1} where there is none.
GreyRange percentileRange(std::span<float> samples, double lowFraction, double highFraction);

/// v → clamp((v − low)/(high − low), 0, 1) in place; NaN becomes 0; a range without width maps to 0 below and at `low`, else 1.
void applyGreyRange(std::span<float> samples, const GreyRange& range);
/// Samples of `region` (one slice thick or more) as float32 0…1.
std::vector<float> readNormalised(const Volume& volume, const Region& region, const GreyRange& range);

} // namespace voxelscribe
