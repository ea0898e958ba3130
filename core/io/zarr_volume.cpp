#include "core/io/zarr_volume.h"

#include "core/base/error.h"
#include "core/io/folded_shape.h"
#include "core/io/zarr_chunk.h"
#include "core/io/zarr_group.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace voxelscribe::io {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

using Index = std::vector<std::int64_t>;

/// A C-order array in memory, and where in it a box begins.
struct Block {
    const Index& shape;
    Index start;
};

std::size_t offsetOf(const Block& block, const Index& at)
{
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis)
        offset = offset * block.shape[axis] + block.start[axis] + at[axis];
    return static_cast<std::size_t>(offset);
}

/// Steps `index` through `count` in C order, the last axis left out; false at the end.
bool nextRow(Index& index, const Index& count)
{
    for (std::size_t axis = index.size() - 1; axis-- > 0;) {
        if (++index[axis] < count[axis])
            return true;
        index[axis] = 0;
    }
    return false;
}

void copyBox(const std::byte* from, const Block& source, std::byte* to, const Block& target, const Index& count, std::size_t size)
{
    Index at(count.size(), 0);
    do
        std::memcpy(to + offsetOf(target, at) * size, from + offsetOf(source, at) * size, static_cast<std::size_t>(count.back()) * size);
    while (nextRow(at, count));
}

class ZarrVolume : public Volume {
public:
    ZarrVolume(fs::path folder, ZarrMeta meta, VolumeInfo info)
        : Volume(std::move(info)), m_folder(std::move(folder)), m_meta(std::move(meta)), m_shape(m_meta.shape)
    {
    }

private:
    void readRegion(const Region& region, std::span<std::byte> out) const override
    {
        const std::size_t size = dtypeSize(m_meta.dtype);
        const auto sliceBytes = static_cast<std::size_t>(region.extent.y * region.extent.x) * size;
        std::vector<std::byte> chunk(static_cast<std::size_t>(m_meta.chunkSamples()) * size);
        m_shape.forEachBox(region, [&](const FoldedShape::Box& box) {
            readBox(box, chunk, out.data() + static_cast<std::size_t>(box.firstSlice) * sliceBytes);
        });
    }

    void readBox(const FoldedShape::Box& box, std::span<std::byte> chunk, std::byte* out) const
    {
        const std::size_t axes = box.start.size();
        Index first(axes);
        Index chunks(axes);
        for (std::size_t axis = 0; axis < axes; ++axis) {
            first[axis] = box.start[axis] / m_meta.chunks[axis];
            chunks[axis] = (box.start[axis] + box.count[axis] - 1) / m_meta.chunks[axis] - first[axis] + 1;
        }
        Index at(axes, 0);
        do
            for (at.back() = 0; at.back() < chunks.back(); ++at.back()) {
                Index index(axes);
                std::transform(first.begin(), first.end(), at.begin(), index.begin(), std::plus<>());
                readStoredChunk(m_meta, m_folder / m_meta.chunkKey(index), chunk);
                copyOverlap(box, index, chunk, out);
            }
        while (nextRow(at, chunks));
    }

    void copyOverlap(const FoldedShape::Box& box, const Index& index, std::span<const std::byte> chunk, std::byte* out) const
    {
        Block source{m_meta.chunks, Index(index.size())};
        Block target{box.count, Index(index.size())};
        Index count(index.size());
        for (std::size_t axis = 0; axis < index.size(); ++axis) {
            const std::int64_t begin = index[axis] * m_meta.chunks[axis];
            const std::int64_t from = std::max(begin, box.start[axis]);
            const std::int64_t to = std::min(begin + m_meta.chunks[axis], box.start[axis] + box.count[axis]);
            source.start[axis] = from - begin;
            target.start[axis] = from - box.start[axis];
            count[axis] = to - from;
        }
        copyBox(chunk.data(), source, out, target, count, dtypeSize(m_meta.dtype));
    }

    fs::path m_folder;
    ZarrMeta m_meta;
    FoldedShape m_shape;
};

} // namespace

Listing listZarr(const fs::path& folder)
{
    Listing listing{folder, "Zarr", {}, {}};
    for (ZarrEntry& entry : zarrEntries(folder, listing.warnings))
        listing.arrays.push_back(std::move(entry.info));
    return listing;
}

VolumePtr openZarr(const fs::path& folder, const std::string& dataset)
{
    std::vector<std::string> warnings;
    std::vector<ZarrEntry> entries = zarrEntries(folder, warnings);
    ZarrEntry& entry = findZarrEntry(entries, folder, dataset);
    return std::make_shared<ZarrVolume>(entry.folder, std::move(entry.meta), std::move(entry.info));
}

json zarrAttributesOf(const fs::path& folder, const std::string& dataset)
{
    std::vector<std::string> warnings;
    std::vector<ZarrEntry> entries = zarrEntries(folder, warnings);
    return findZarrEntry(entries, folder, dataset).attributes;
}

} // namespace voxelscribe::io
