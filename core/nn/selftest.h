#pragma once

#include "core/base/progress.h"

#include <string>
#include <vector>

namespace voxelscribe::nn {

/// Checks both networks with random weights: blocks against the whole slice, and that every weight gets a gradient.
/// One line a check. @throws Error(device) at the first that fails, with both figures.
std::vector<std::string> runSelfTest(Progress& progress);

} // namespace voxelscribe::nn
