#pragma once

#include "core/base/progress.h"
#include "core/model/class_info.h"
#include "core/volume/volume.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace voxelscribe::engine {

/// The ids that occur in `mask` as classes with names and colours by default; streamed. @throws Error(format) for ids above 65535 or below 0.
std::vector<ClassInfo> classesIn(const Volume& mask, Progress& progress);

/// `mask` with each id replaced by `value(id)`, as uint8. Ids above 65535 count as 65535.
VolumePtr mapIds(VolumePtr mask, const std::function<std::uint8_t(std::uint16_t)>& value);

} // namespace voxelscribe::engine
