#include "core/nn/sampling_labels.h"

#include "core/base/error.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace voxelscribe::nn {
namespace {

constexpr std::int64_t kSlabBytes = std::int64_t{64} << 20;

using Counts = std::map<std::int64_t, std::int64_t>; // id → voxels

/// Counts of one slab of slices by block, keyed by (z, row of blocks, column of blocks).
class Counter {
public:
    explicit Counter(const Extent& extent) : m_columns((extent.x + LabelMap::kBlock - 1) / LabelMap::kBlock), m_extent(extent) {}

    /// Counts runs of equal labels, so that dense annotations are as quick as strokes.
    void addRow(std::int64_t z, std::int64_t y, const std::int64_t* row)
    {
        for (std::int64_t x = 0; x < m_extent.x;) {
            const std::int64_t end = std::min(m_extent.x, (x / LabelMap::kBlock + 1) * LabelMap::kBlock);
            const std::int64_t from = x;
            const std::int64_t id = row[x];
            while (x < end && row[x] == id)
                ++x;
            if (id != 0)
                blocksOf(z, y)[static_cast<std::size_t>(from / LabelMap::kBlock)][id] += x - from;
        }
    }

    LabelMap finish() const;

private:
    struct Key {
        std::int64_t z;
        std::int64_t row;
        auto operator<=>(const Key&) const = default;
    };

    std::vector<Counts>& blocksOf(std::int64_t z, std::int64_t y)
    {
        auto& blocks = m_blocks[{z, y / LabelMap::kBlock}];
        if (blocks.empty())
            blocks.resize(static_cast<std::size_t>(m_columns));
        return blocks;
    }

    std::int64_t m_columns;
    Extent m_extent;
    std::map<Key, std::vector<Counts>> m_blocks;
};

LabelMap Counter::finish() const
{
    Counts totals;
    for (const auto& [key, blocks] : m_blocks)
        for (const Counts& counts : blocks)
            for (const auto& [id, count] : counts)
                totals[id] += count;
    LabelMap map;
    for (const auto& [id, count] : totals) {
        map.ids.push_back(static_cast<std::uint16_t>(id));
        map.counts.push_back(count);
    }
    for (const auto& [key, blocks] : m_blocks)
        for (std::int64_t column = 0; column < m_columns; ++column) {
            const Counts& counts = blocks[static_cast<std::size_t>(column)];
            if (counts.empty())
                continue;
            LabelBlock block{key.z, key.row * LabelMap::kBlock, column * LabelMap::kBlock, {}};
            for (const std::uint16_t id : map.ids)
                block.counts.push_back(counts.contains(id) ? counts.at(id) : 0);
            map.blocks.push_back(std::move(block));
        }
    return map;
}

void requireUsable(const Volume& annotations, const Volume& image)
{
    const std::string where = "annotations " + annotations.info().name;
    if (annotations.extent() != image.extent())
        throw Error(ErrorCode::shape, where + " are " + annotations.extent().text() + " voxels (z×y×x), the image " + image.info().name + " is "
                                          + image.extent().text() + "; annotations must have the image's shape");
    if (!dtypeIsInteger(annotations.info().dtype))
        throw Error(ErrorCode::format, where + " are " + std::string(dtypeName(annotations.info().dtype))
                                           + "; expected integers, 0 for unlabelled and a number from 1 for each class");
}

void requireId(std::int64_t id, std::int64_t z, const Volume& annotations)
{
    if (id < 0 || id > 65535)
        throw Error(ErrorCode::format, "annotations " + annotations.info().name + ": slice " + std::to_string(z) + " holds the class "
                                           + std::to_string(id) + "; classes are numbers from 1 to 65535, and 0 is unlabelled");
}

void requireClasses(const LabelMap& map, const Volume& annotations)
{
    const std::string where = "annotations " + annotations.info().name;
    if (map.ids.empty())
        throw Error(ErrorCode::format, where + " hold no label: every voxel is 0; paint a few strokes in at least two classes");
    if (map.ids.size() == 1)
        throw Error(ErrorCode::format, where + " hold only class " + std::to_string(map.ids.front()) + " ("
                                           + std::to_string(map.counts.front())
                                           + " voxels); a network learns to tell classes apart: paint at least one more, for example the background");
    if (map.ids.size() > 255)
        throw Error(ErrorCode::format, where + " hold " + std::to_string(map.ids.size())
                                           + " classes; at most 255 can be learnt; are these instance numbers instead of classes?");
}

} // namespace

std::int64_t LabelMap::total() const
{
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

std::vector<std::int64_t> LabelMap::slices() const
{
    std::vector<std::int64_t> slices;
    for (const LabelBlock& block : blocks)
        if (slices.empty() || slices.back() != block.z)
            slices.push_back(block.z);
    return slices;
}

std::vector<std::int64_t> LabelMap::countsIn(std::int64_t z, const PixelRectangle& part) const
{
    std::vector<std::int64_t> sum(ids.size());
    const auto first = std::lower_bound(blocks.begin(), blocks.end(), z, [](const LabelBlock& block, std::int64_t at) { return block.z < at; });
    for (auto block = first; block != blocks.end() && block->z == z; ++block)
        if (!PixelRectangle{block->y, block->x, kBlock, kBlock}.intersected(part).isEmpty())
            for (std::size_t k = 0; k < sum.size(); ++k)
                sum[k] += block->counts[k];
    return sum;
}

LabelMap readLabelMap(const Volume& annotations, const Volume& image, Progress& progress)
{
    requireUsable(annotations, image);
    const Extent& extent = annotations.extent();
    const std::int64_t sliceBytes = std::max<std::int64_t>(1, extent.y * extent.x * 8);
    const std::int64_t slab = std::clamp<std::int64_t>(kSlabBytes / sliceBytes, 1, std::max<std::int64_t>(1, annotations.info().chunk.z));
    Counter counter(extent);
    for (std::int64_t z0 = 0; z0 < extent.z; z0 += slab) {
        progress.update("read", z0, extent.z);
        const std::int64_t depth = std::min(slab, extent.z - z0);
        const auto values = readAs<std::int64_t>(annotations, {{z0, 0, 0}, {depth, extent.y, extent.x}});
        for (std::int64_t row = 0; row < depth * extent.y; ++row) {
            const std::int64_t* samples = values.data() + row * extent.x;
            for (std::int64_t x = 0; x < extent.x; ++x)
                requireId(samples[x], z0 + row / extent.y, annotations);
            counter.addRow(z0 + row / extent.y, row % extent.y, samples);
        }
    }
    LabelMap map = counter.finish();
    requireClasses(map, annotations);
    return map;
}

std::vector<std::uint8_t> readLabels(const Volume& annotations, const LabelMap& map, std::int64_t z, const PixelRectangle& part)
{
    const auto values = readAs<std::int64_t>(annotations, part.region(z));
    std::vector<std::uint8_t> labels(values.size());
    std::transform(values.begin(), values.end(), labels.begin(), [&](std::int64_t id) {
        const auto at = std::lower_bound(map.ids.begin(), map.ids.end(), id);
        return id == 0 || at == map.ids.end() || *at != id ? std::uint8_t{0} : static_cast<std::uint8_t>(at - map.ids.begin() + 1);
    });
    return labels;
}

} // namespace voxelscribe::nn
