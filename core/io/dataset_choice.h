#pragma once

#include "core/volume/volume.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

namespace voxelscribe::io {

/// The image that opening chooses where a file does not say: the largest 3D array, else the largest 2D one; the first of equals.
template <typename It, typename Info>
It largestImage(It first, It last, Info infoOf)
{
    const auto rank = [&](const auto& entry) {
        const VolumeInfo& info = infoOf(entry);
        const bool isImage = info.extent.y > 1 && info.extent.x > 1;
        return std::make_tuple(isImage, isImage && info.extent.z > 1, info.extent.voxels());
    };
    return std::max_element(first, last, [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
}

/// "/entry/data", "entry/data" and "/entry/data/" name the same data set.
bool sameDataset(const std::string& a, const std::string& b);
/// Throws Error(format) naming some of the data sets there are.
[[noreturn]] void throwUnknownDataset(const std::filesystem::path& file, const std::string& wanted, const std::vector<std::string>& names);
/// What a person should know about an array of four or more axes.
std::string foldedWarning(const VolumeInfo& info);

} // namespace voxelscribe::io
