#pragma once

#include "core/base/extent.h"

#include <CLI/Error.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace voxelscribe::engine {

/// Values of options that the commands share. Text of a wrong form is wrong usage (CLI::ValidationError, exit status 2);
/// a well-formed value that does not fit the data is Error(shape) (exit status 1).

/// "Z,Y,X", each at least 1.
Extent parseExtent(const std::string& option, const std::string& text);
/// "z0:z1,y0:y1,x0:x1" inside `whole`; an end that is left out is the volume's. Empty text: everything.
Region parseRoi(const std::string& option, const std::string& text, const Extent& whole);
/// First and one past the last of "a:b" inside 0…depth; an end that is left out is the stack's. Empty text: everything.
struct SliceRange {
    std::int64_t from = 0;
    std::int64_t to = 0;
};
SliceRange parseSliceRange(const std::string& option, const std::string& text, std::int64_t depth);
/// The slices of "0,2,5:9" (9 excluded), ascending, each once. Empty text: all of them.
std::vector<std::int64_t> parseSlices(const std::string& option, const std::string& text, std::int64_t depth);

} // namespace voxelscribe::engine
