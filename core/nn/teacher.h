#pragma once

#include "core/base/progress.h"
#include "core/nn/sampling_windows.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace voxelscribe::nn {

struct TeacherSettings {
    int classes = 2;
    int trees = 60;
    std::uint64_t seed = 1;
    std::function<double()> timeUsed;    ///< share of the time there is for all this; from 1 on the rest stays without opinions. Absent: no limit
};

/// Strokes alone teach a network nothing about the pixels between them: it fits them in a hundred steps. So a random forest on filter
/// responses learns the strokes first, tells what it thinks of all pixels of the cells, refined by the image's borders, and the network
/// learns both. Fills `opinions` of the cells, in random order. Does nothing where labels of one class only are left in them.
/// @return cells that have opinions now.
std::int64_t spreadLabels(std::vector<Cell>& cells, const TeacherSettings& settings, Progress& progress);

} // namespace voxelscribe::nn
