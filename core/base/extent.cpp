#include "core/base/extent.h"

#include "core/base/error.h"

#include <algorithm>

namespace voxelscribe {

std::int64_t checkedProduct(std::int64_t a, std::int64_t b, const char* what)
{
    std::int64_t product = 0;
    if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product))
        throw Error(ErrorCode::shape, std::string(what) + ": " + std::to_string(a) + " × " + std::to_string(b)
                                          + " is not a size this computer can address; check the file's header");
    return product;
}

std::int64_t Extent::voxels() const
{
    return checkedProduct(checkedProduct(z, y, "extent"), x, "extent");
}

std::string Extent::text() const
{
    return std::to_string(z) + "×" + std::to_string(y) + "×" + std::to_string(x);
}

bool Region::isInside(const Extent& whole) const
{
    const Extent last = end();
    return origin.z >= 0 && origin.y >= 0 && origin.x >= 0 && last.z <= whole.z && last.y <= whole.y && last.x <= whole.x;
}

Region Region::intersected(const Region& other) const
{
    const Extent a = end();
    const Extent b = other.end();
    const Extent from{std::max(origin.z, other.origin.z), std::max(origin.y, other.origin.y), std::max(origin.x, other.origin.x)};
    const Extent to{std::min(a.z, b.z), std::min(a.y, b.y), std::min(a.x, b.x)};
    return {from, {std::max<std::int64_t>(0, to.z - from.z), std::max<std::int64_t>(0, to.y - from.y),
                   std::max<std::int64_t>(0, to.x - from.x)}};
}

void requireInside(const Region& region, const Extent& whole, const std::string& what)
{
    if (!region.extent.isEmpty() && region.isInside(whole))
        return;
    throw Error(ErrorCode::shape, what + ": the region " + region.extent.text() + " at " + region.origin.text()
                                      + " does not lie inside the volume of " + whole.text() + " (z×y×x)");
}

} // namespace voxelscribe
