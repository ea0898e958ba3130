#pragma once

#include "core/base/progress.h"
#include "core/volume/volume.h"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace voxelscribe::ops {

/// How often each predicted class stands where each true class is. Ids may be any whole numbers, with gaps.
class Confusion {
public:
    void add(std::int64_t truth, std::int64_t prediction, std::int64_t count = 1) { m_counts[{truth, prediction}] += count; }

    /// (truth, prediction) → voxels, ascending.
    const std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>& counts() const { return m_counts; }
    std::int64_t scored() const;

    struct ClassScore {
        std::int64_t id = 0;
        double iou = 0;
        double dice = 0;
    };
    /// One for each class that the truth holds, ascending.
    std::vector<ClassScore> scores() const;
    /// Mean IoU over the classes of the truth; 0 where nothing was scored.
    double meanIoU() const;
    /// Share of the scored voxels whose class is right; 0 where nothing was scored.
    double accuracy() const;

private:
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> m_counts;
};

struct CompareOptions {
    std::int64_t truthOffset = 0;        ///< added to every value of the truth first
    std::vector<std::int64_t> slices;    ///< ascending; empty: all
    Region region;                       ///< in which voxels are scored (within the slices); empty: everywhere
    std::set<std::int64_t> ignored;      ///< values of the truth, after the offset, that are not scored
};

/// Counts slice by slice; memory is a slice of each. A 0 in the prediction is a class that the truth does not have: a miss.
/// @throws Error(shape) where the extents differ or nothing is to be scored, Error(format) where samples are not whole numbers.
Confusion compareMasks(const Volume& truth, const Volume& prediction, const CompareOptions& options, Progress& progress);

} // namespace voxelscribe::ops
