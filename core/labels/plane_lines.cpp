#include "core/labels/plane_lines.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace voxelscribe::labels {

PlaneLines PlaneLines::of(const Extent& volume, Plane plane, std::int64_t slice)
{
    const Extent seen = planeExtent(volume, plane); // {slices, height, width}
    if (slice < 0 || slice >= seen.z)
        throw Error(ErrorCode::shape, "annotations: there is no slice " + std::to_string(slice) + " in this direction; expected 0 to "
                                          + std::to_string(seen.z - 1));
    PlaneLines lines{plane, slice, seen.y, seen.x};
    if (lines.isTurned())
        std::swap(lines.lines, lines.length);
    return lines;
}

Region PlaneLines::region(std::int64_t line, std::int64_t along, std::int64_t lineCount, std::int64_t alongCount) const
{
    return isTurned() ? planeRegion(plane, slice, along, line, alongCount, lineCount)
                      : planeRegion(plane, slice, line, along, lineCount, alongCount);
}

PlaneLines::Point PlaneLines::pixelSize(const std::optional<VoxelSizeUm>& size) const
{
    if (!size)
        return {1, 1};
    const VoxelSizeUm seen = planeVoxelSize(*size, plane);
    const bool isUsable = std::isfinite(seen.x) && std::isfinite(seen.y) && seen.x > 0 && seen.y > 0;
    if (!isUsable)
        return {1, 1};
    const double finer = std::min(seen.x, seen.y);
    return point({seen.x / finer, seen.y / finer});
}

} // namespace voxelscribe::labels
