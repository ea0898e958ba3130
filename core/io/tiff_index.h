#pragma once

#include "core/io/tiff_stack.h"

#include <memory>
#include <string>
#include <vector>

namespace voxelscribe::io {

/// What a TIFF file holds.
struct TiffIndex {
    std::vector<TiffArray> arrays;      ///< not empty; the first is the one to open
    std::vector<std::string> warnings;  ///< about the file as a whole
    std::int64_t pages = 0;
};

/// Walks the directories of `file`, groups its pages and names the arrays. @throws Error(format | io) if nothing in it can be read.
TiffIndex indexTiff(const TiffFile& file);

} // namespace voxelscribe::io
