#include "core/io/folded_shape.h"

#include "core/base/error.h"

#include <algorithm>
#include <string>

namespace voxelscribe::io {

FoldedShape::FoldedShape(std::vector<std::int64_t> shape) : m_shape(std::move(shape))
{
    if (m_shape.size() < 2)
        throw Error(ErrorCode::shape, "an array of " + std::to_string(m_shape.size()) + " axes is no image: expected at least two");
    std::vector<std::size_t> kept;
    for (std::size_t axis = 0; axis < m_shape.size(); ++axis)
        if (m_shape.size() <= 3 || m_shape[axis] != 1)
            kept.push_back(axis);
    for (std::size_t axis = m_shape.size(); kept.size() < 2 && axis-- > 0;)
        if (std::find(kept.begin(), kept.end(), axis) == kept.end())
            kept.insert(std::upper_bound(kept.begin(), kept.end(), axis), axis);
    m_x = kept[kept.size() - 1];
    m_y = kept[kept.size() - 2];
    m_leading.assign(kept.begin(), kept.end() - 2);
    m_extent = {1, m_shape[m_y], m_shape[m_x]};
    for (const std::size_t axis : m_leading)
        m_extent.z = checkedProduct(m_extent.z, m_shape[axis], "array");
    m_extent.voxels();
}

Extent FoldedShape::folded(const std::vector<std::int64_t>& chunk) const
{
    const std::int64_t z = m_leading.empty() ? 1 : chunk[m_leading.back()];
    return {std::clamp<std::int64_t>(z, 1, std::max<std::int64_t>(1, m_extent.z)), std::min(chunk[m_y], m_extent.y), std::min(chunk[m_x], m_extent.x)};
}

std::vector<int> FoldedShape::spatialAxes() const
{
    return {m_leading.empty() ? -1 : static_cast<int>(m_leading.back()), static_cast<int>(m_y), static_cast<int>(m_x)};
}

void FoldedShape::forEachBox(const Region& region, const std::function<void(const Box&)>& visit) const
{
    const std::int64_t inner = m_leading.empty() ? 1 : m_shape[m_leading.back()];
    for (std::int64_t z = region.origin.z; z < region.origin.z + region.extent.z;) {
        Box box;
        box.start.assign(m_shape.size(), 0);
        box.count.assign(m_shape.size(), 1);
        box.firstSlice = z - region.origin.z;
        box.slices = std::min(region.extent.z - box.firstSlice, inner - z % inner);
        std::int64_t rest = z;
        for (auto axis = m_leading.rbegin(); axis != m_leading.rend(); ++axis) {
            box.start[*axis] = rest % m_shape[*axis];
            rest /= m_shape[*axis];
        }
        if (!m_leading.empty())
            box.count[m_leading.back()] = box.slices;
        box.start[m_y] = region.origin.y;
        box.count[m_y] = region.extent.y;
        box.start[m_x] = region.origin.x;
        box.count[m_x] = region.extent.x;
        visit(box);
        z += box.slices;
    }
}

std::string defaultAxes(std::size_t count)
{
    const std::string known = "tczyx";
    return count <= known.size() ? known.substr(known.size() - count) : std::string(count - known.size(), 'q') + known;
}

} // namespace voxelscribe::io
