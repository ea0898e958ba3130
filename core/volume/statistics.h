#pragma once

#include "core/base/progress.h"
#include "core/volume/volume.h"

#include <cstdint>
#include <string>
#include <vector>

namespace voxelscribe {

/// Statistics over the finite samples of a volume; `min > max` where there is none.
struct VolumeStatistics {
    double min = 1;
    double max = 0;
    double mean = 0;
    std::int64_t finite = 0;
    std::int64_t nonfinite = 0;      ///< NaN and infinities, left out of everything else
    std::string sha1;                ///< of all samples, little-endian, C order; empty unless asked for
    std::vector<std::int64_t> histogram; ///< equal bins from `min` to `max`; empty unless asked for
    bool oneBinPerValue = false;     ///< bin i counts the integer min + i, nothing else

    /// Value below which the share `fraction` (0…1) of the finite samples lies, by linear interpolation inside a bin;
    /// with one bin a value it is the smallest value that at least this share does not exceed. NaN without a histogram.
    double percentile(double fraction) const;
};

struct StatisticsOptions {
    bool sha1 = false;                ///< left out where only some slices are read
    int histogramBins = 0;            ///< 0: no histogram; 16-bit integers and narrower are counted exactly, whatever the number
    std::int64_t sampleSlices = 0;    ///< > 0: only so many evenly spaced slices are read
};

/// Streams through `volume` slice by slice, a slice in bands; memory is a few slices. A histogram of other than narrow integers
/// takes a second pass, since its range must be known first.
VolumeStatistics computeStatistics(const Volume& volume, const StatisticsOptions& options, Progress& progress);

} // namespace voxelscribe
