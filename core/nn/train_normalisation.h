#pragma once

#include "core/base/progress.h"
#include "core/model/model_contract.h"
#include "core/volume/volume.h"

#include <string>

namespace voxelscribe::nn {

/// The rule for a stack and, in words, why it was chosen.
struct ChosenNormalisation {
    Normalisation rule;
    std::string reason;
};

/// Looks at up to 32 slices. One range for the stack, unless *each* of five percentiles (1, 25, 50, 75, 99) wanders from slice to slice
/// by more than 15 % of the grey range: content moves some of them, only another exposure moves all.
/// @throws Error(format) where no sample is finite.
ChosenNormalisation chooseNormalisation(const Volume& image, Progress& progress);

} // namespace voxelscribe::nn
