#pragma once

#include "app/engine/command.h"
#include "core/volume/volume.h"

#include <chrono>
#include <string>

namespace voxelscribe::engine {

/// What the user allows, or half of what is free.
std::int64_t memoryBudget(const CommonOptions& common);
/// `volume` for reading slice by slice: through a cache of at most half of `budgetBytes` where its chunks are thicker than a slice.
VolumePtr streamed(VolumePtr volume, std::int64_t budgetBytes);
/// @throws Error(memory) where not even a few slices of `volume` fit into `budgetBytes`.
void requireSlicesFit(const Volume& volume, std::int64_t budgetBytes);
/// Tells the warnings of `volume` as notices.
void tellWarnings(const Volume& volume, Progress& progress);
void tell(const std::string& text, Progress& progress);

/// The result object of commands that write a volume.
nlohmann::json writtenResult(const std::string& output, std::chrono::steady_clock::time_point start, std::int64_t voxels);

} // namespace voxelscribe::engine
