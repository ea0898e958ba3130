#include "app/engine/stream_options.h"

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/volume/cached_volume.h"

namespace voxelscribe::engine {

using nlohmann::json;

std::int64_t memoryBudget(const CommonOptions& common)
{
    return common.memoryBytes > 0 ? common.memoryBytes : defaultMemoryBudgetBytes();
}

VolumePtr streamed(VolumePtr volume, std::int64_t budgetBytes)
{
    if (volume->info().chunk.z <= 1)
        return volume;
    return cachedVolume(std::move(volume), std::make_shared<ChunkCache>(budgetBytes / 2));
}

void requireSlicesFit(const Volume& volume, std::int64_t budgetBytes)
{
    const Extent& extent = volume.extent();
    const std::int64_t slice = Extent{1, extent.y, extent.x}.voxels() * static_cast<std::int64_t>(dtypeSize(volume.info().dtype));
    constexpr std::int64_t kSlices = 3; // one read, one converted, one compressed
    if (slice > budgetBytes / kSlices)
        throw Error(ErrorCode::memory, volume.info().name + ": slices of " + byteSizeText(slice) + " are worked on one at a time, which needs "
                                           + byteSizeText(kSlices * slice) + "; " + byteSizeText(budgetBytes)
                                           + " are allowed; raise --memory, or take a part (--roi)");
}

void tell(const std::string& text, Progress& progress)
{
    progress.event("notice", {{"text", text}});
}

void tellWarnings(const Volume& volume, Progress& progress)
{
    for (const std::string& warning : volume.info().warnings)
        tell(warning, progress);
}

json writtenResult(const std::string& output, std::chrono::steady_clock::time_point start, std::int64_t voxels)
{
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    return {{"output", output}, {"seconds", seconds.count()}, {"voxels", voxels}, {"peakMemoryBytes", peakMemoryBytes()}};
}

} // namespace voxelscribe::engine
