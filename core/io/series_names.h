#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace voxelscribe::io {

/// Files of a folder whose names differ only in their last number, in natural order.
struct NamedSeries {
    std::string pattern;              ///< "rec_*.tif"
    std::vector<std::string> names;
    std::vector<std::string> gaps;    ///< numbers that are missing: "4", "9–11"

    std::string text() const;         ///< "rec_00000.tif … rec_00007.tif"
};

/// Groups image names into series, the longest first. Names without a number form one series of their own.
std::vector<NamedSeries> groupSeries(std::vector<std::string> names);
/// Names of the TIFF files directly in `folder` (by their ending), hidden ones left out, in no order; `others` counts the remaining files.
/// @throws Error(io).
std::vector<std::string> tiffNames(const std::filesystem::path& folder, std::int64_t& others);

} // namespace voxelscribe::io
