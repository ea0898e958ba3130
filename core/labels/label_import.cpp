#include "core/labels/label_import.h"

#include "core/base/error.h"
#include "core/labels/edit_journal.h"

#include <algorithm>
#include <limits>

namespace voxelscribe::labels {

namespace {

constexpr Extent kChunk = LabelVolume::kChunk;
constexpr std::int64_t kLargestId = std::numeric_limits<std::uint16_t>::max();

std::vector<std::uint16_t> readIds(const Volume& source, const Region& band)
{
    const std::vector<std::int64_t> samples = readAs<std::int64_t>(source, band);
    std::vector<std::uint16_t> ids(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (samples[i] < 0 || samples[i] > kLargestId)
            throw Error(ErrorCode::format, source.info().name + ": the sample " + std::to_string(samples[i]) + " in slice "
                                               + std::to_string(band.origin.z) + " is not a class id; expected 0 (unlabelled) to "
                                               + std::to_string(kLargestId) + "; renumber the labels first");
        ids[i] = static_cast<std::uint16_t>(samples[i]);
    }
    return ids;
}

/// Writes the part of one row that lies in the chunk; true if something changed.
bool putRow(ChunkEdit& edit, std::int64_t offset, std::span<const std::uint16_t> ids, const std::function<bool(std::uint16_t)>& isKept)
{
    bool hasChanged = false;
    for (auto at = ids.begin(); at != ids.end();) {
        const auto end = std::find_if(at, ids.end(), [id = *at](std::uint16_t other) { return other != id; });
        if (*at != 0) {
            const auto [first, last] = edit.fill(offset + (at - ids.begin()), 1, end - at, *at, isKept);
            hasChanged = hasChanged || first < last;
        }
        at = end;
    }
    return hasChanged;
}

} // namespace

void requireImportable(const Volume& source, const Extent& extent)
{
    if (source.extent() != extent)
        throw Error(ErrorCode::shape, source.info().name + ": the labels are " + source.extent().text() + ", the image is " + extent.text()
                                          + " (z×y×x); they must be the same: crop or resample the labels first");
    if (!dtypeIsInteger(source.info().dtype))
        throw Error(ErrorCode::format, source.info().name + ": the samples are " + std::string(dtypeName(source.info().dtype))
                                           + ", expected whole numbers (class ids); convert the labels first");
}

Region importLabels(const Volume& source, LabelVolume& labels, const std::function<bool(std::uint16_t)>& isKept,
                    const std::function<void(const ChunkEdit&, const Region&)>& onEdit)
{
    const Extent& extent = labels.extent();
    Region dirty;
    for (std::int64_t z = 0; z < extent.z; ++z)
        for (std::int64_t y = 0; y < extent.y; y += kChunk.y) {
            const Region band{{z, y, 0}, {1, std::min(kChunk.y, extent.y - y), extent.x}};
            const std::vector<std::uint16_t> ids = readIds(source, band);
            for (std::int64_t x = 0; x < extent.x; x += kChunk.x) {
                ChunkEdit edit(labels, {z, y / kChunk.y, x / kChunk.x});
                const Region part = labels.chunkRegion(edit.key());
                bool hasChanged = false;
                for (std::int64_t row = 0; row < part.extent.y; ++row) {
                    const auto from = ids.begin() + row * extent.x + x;
                    hasChanged = putRow(edit, row * kChunk.x, {from, from + part.extent.x}, isKept) || hasChanged;
                }
                if (hasChanged) {
                    onEdit(edit, part);
                    dirty = united(dirty, part);
                }
            }
        }
    return dirty;
}

} // namespace voxelscribe::labels
