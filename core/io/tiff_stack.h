#pragma once

#include "core/io/tiff_decoder.h"
#include "core/volume/volume.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace voxelscribe::io {

/// Pages of one shape and type, in the order of the file; or planes in one piece behind the first page's directory.
struct TiffPlanes {
    TiffPage page;                            ///< the first one
    std::vector<std::int64_t> directories;    ///< of each page
    std::optional<std::int64_t> dataOffset;   ///< of the first plane, where all lie in one piece
    std::int64_t count = 0;
};

/// Which plane and which sample of it each slice of a volume is.
struct TiffSliceOrder {
    std::int64_t slices = 1;      ///< planes of one time point
    std::int64_t sliceStep = 1;   ///< planes from one slice to the next
    std::int64_t frameStep = 1;   ///< planes from one time point to the next
    std::int64_t firstPlane = 0;
    std::int64_t sample = 0;
    std::int64_t samplesAsSlices = 1; ///< > 1: each sample of each plane is a slice of its own
};

/// What a TIFF file offers under one name.
struct TiffArray {
    VolumeInfo info;
    std::shared_ptr<const TiffPlanes> planes;
    TiffSliceOrder order;
};

/// The lazy volume of such an array.
VolumePtr makeTiffVolume(TiffArray array, std::shared_ptr<const TiffDecoder> decoder);

/// The block of a page that is read most cheaply: the whole page if it is small, else whole strips or tiles.
Extent cheapestBlock(const TiffPage& page, DType dtype);

} // namespace voxelscribe::io
