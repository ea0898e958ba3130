#pragma once

#include "core/base/progress.h"
#include "core/nn/network.h"
#include "core/nn/sampling_windows.h"

#include <cstdint>
#include <vector>

namespace voxelscribe::nn {

/// A cell that is only looked at, with the real neighbours that its pixels depend on.
struct ValidationCell {
    CellPlace place;
    PixelRectangle input;             ///< place.part grown by the network's halo
    std::vector<float> image;         ///< of `input`, 0…1
    std::vector<std::uint8_t> labels; ///< of place.part; class index + 1, 0: unlabelled
};

struct Scores {
    double loss = 0;                  ///< cross entropy of labelled pixels, classes of equal weight
    double meanIou = 0;               ///< of labelled pixels, over the classes present
    std::vector<double> iou;          ///< a class; −1: none there
    std::int64_t voxels = 0;
};

/// Segments the cells as prediction does and compares with their labels.
Scores validate(Network& network, const std::vector<ValidationCell>& cells, const Progress& progress);

/// Computes the batch norms' statistics anew over cells as they are in the stack: those of training, from windows of which half are drawn
/// around strokes, and changing with the weights, do not fit prediction.
void recalibrate(Network& network, const std::vector<Cell>& cells, const Progress& progress);

} // namespace voxelscribe::nn
