#pragma once

#include "core/labels/label_volume.h"
#include "support/thrown.h"

#include <QString>
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace voxelscribe::test {

/// All ids of a label volume as one dense array.
inline std::vector<std::uint16_t> dense(const labels::LabelVolume& volume)
{
    std::vector<std::uint16_t> ids(static_cast<std::size_t>(volume.extent().voxels()));
    volume.read(Region::whole(volume.extent()), ids);
    return ids;
}

/// Voxels a class, counted one by one.
inline std::map<std::uint16_t, std::int64_t> countedByHand(const labels::LabelVolume& volume)
{
    std::map<std::uint16_t, std::int64_t> counts;
    for (const std::uint16_t id : dense(volume))
        if (id != 0)
            ++counts[id];
    return counts;
}

/// One slice of a plane as text, a line a row, '.' for unlabelled: what a person would draw.
inline QString drawn(const labels::LabelVolume& volume, std::int64_t z)
{
    QString text;
    for (std::int64_t y = 0; y < volume.extent().y; ++y) {
        for (std::int64_t x = 0; x < volume.extent().x; ++x) {
            const std::uint16_t id = volume.at({z, y, x});
            text += id == 0 ? QChar(u'.') : QChar(static_cast<char16_t>(u'0' + id));
        }
        text += QChar(u'\n');
    }
    return text;
}

} // namespace voxelscribe::test
