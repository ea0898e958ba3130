#pragma once

#include "core/nn/sampling_labels.h"
#include "core/nn/sampling_rectangle.h"

#include <cstdint>
#include <string>
#include <vector>

namespace voxelscribe::nn {

/// A rectangle of slice z.
struct CellPlace {
    std::int64_t z = 0;
    PixelRectangle part;
    bool operator==(const CellPlace&) const = default;
};

struct PlanSettings {
    std::int64_t halo = 0;            ///< of the network: training keeps this distance from validation
    std::int64_t mostLabelled = 48;   ///< cells
    std::int64_t mostUnlabelled = 16;
    std::uint64_t seed = 1;
};

/// Which parts of a stack are read for training. Cells are about 256 pixels wide, so that memory and time do not grow with the stack;
/// training windows are cut from labelled and unlabelled cells, never across their border.
struct TrainingPlan {
    std::vector<CellPlace> labelled;
    std::vector<CellPlace> unlabelled;
    std::vector<CellPlace> validation; ///< at least a halo away from all others in their slice
    std::string note;                  ///< why there is no validation; empty if there is
    std::string shortened;             ///< what a person should know if not all labels are used; empty if they are
};

/// Withholds every fifth annotated slice where there are four or more, else a strip at the border of a slice, if every class keeps most of
/// its voxels for training; nothing where strokes are few.
TrainingPlan planTraining(const LabelMap& map, const Extent& extent, const PlanSettings& settings);

/// `whole` in equal cells of about 256 pixels edge, each grown by 16 pixels where there are any.
std::vector<PixelRectangle> cellsOf(const PixelRectangle& whole);

} // namespace voxelscribe::nn
