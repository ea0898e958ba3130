#include "core/labels/label_volume.h"

#include "core/base/error.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace voxelscribe::labels {

namespace {

constexpr Extent kChunk = LabelVolume::kChunk;
constexpr std::int64_t kChunkVoxels = kChunk.z * kChunk.y * kChunk.x;
constexpr std::int64_t kChunkBytes = kChunkVoxels * static_cast<std::int64_t>(sizeof(std::uint16_t));

/// Calls f(key, part) for each chunk that `region` touches, with the part of the region inside it.
template <typename F>
void forEachChunk(const Region& region, F&& f)
{
    const Extent end = region.end();
    for (std::int64_t z = region.origin.z; z < end.z; ++z)
        for (std::int64_t y = region.origin.y / kChunk.y; y * kChunk.y < end.y; ++y)
            for (std::int64_t x = region.origin.x / kChunk.x; x * kChunk.x < end.x; ++x) {
                const Extent key{z, y, x};
                f(key, region.intersected({{z, y * kChunk.y, x * kChunk.x}, kChunk}));
            }
}

std::int64_t offsetInChunk(std::int64_t y, std::int64_t x)
{
    return y % kChunk.y * kChunk.x + x % kChunk.x;
}

/// Where voxel (z, y, x) of the volume lies in a buffer of `region`.
std::int64_t offsetInRegion(const Region& region, std::int64_t z, std::int64_t y, std::int64_t x)
{
    return ((z - region.origin.z) * region.extent.y + y - region.origin.y) * region.extent.x + x - region.origin.x;
}

void requireBuffer(const Region& region, const Extent& whole, std::size_t elements)
{
    requireInside(region, whole, "annotations");
    if (static_cast<std::int64_t>(elements) != region.extent.voxels())
        throw Error(ErrorCode::shape, "annotations: the buffer has " + std::to_string(elements) + " elements, the region "
                                          + region.extent.text() + " needs " + std::to_string(region.extent.voxels()));
}

/// Reads `region` from chunks that `chunkAt(key)` points to, null where nothing is labelled.
template <typename ChunkAt>
void readChunks(const Region& region, std::span<std::uint16_t> out, ChunkAt&& chunkAt)
{
    forEachChunk(region, [&](const Extent& key, const Region& part) {
        const LabelVolume::Chunk* chunk = chunkAt(key);
        for (std::int64_t y = part.origin.y; y < part.end().y; ++y) {
            std::uint16_t* to = out.data() + offsetInRegion(region, part.origin.z, y, part.origin.x);
            if (chunk == nullptr)
                std::fill_n(to, part.extent.x, std::uint16_t{0});
            else
                std::copy_n(chunk->data() + offsetInChunk(y, part.origin.x), part.extent.x, to);
        }
    });
}

/// The chunks of a LabelVolume at one moment.
class Snapshot : public Volume {
public:
    using Chunks = std::map<Extent, LabelVolume::ChunkPtr, LabelVolume::KeyLess>;
    Snapshot(VolumeInfo info, Chunks chunks) : Volume(std::move(info)), m_chunks(std::move(chunks)) {}

private:
    void readRegion(const Region& region, std::span<std::byte> out) const override
    {
        std::vector<std::uint16_t> ids(static_cast<std::size_t>(region.extent.voxels()));
        readChunks(region, ids, [this](const Extent& key) {
            const auto at = m_chunks.find(key);
            return at == m_chunks.end() ? nullptr : at->second.get();
        });
        std::memcpy(out.data(), ids.data(), out.size());
    }

    Chunks m_chunks;
};

} // namespace

bool LabelVolume::KeyLess::operator()(const ChunkKey& a, const ChunkKey& b) const
{
    return std::tie(a.z, a.y, a.x) < std::tie(b.z, b.y, b.x);
}

LabelVolume::LabelVolume(const Extent& extent) : m_extent(extent)
{
    if (extent.isEmpty())
        throw Error(ErrorCode::shape, "annotations: a volume of " + extent.text() + " has no voxels; expected at least 1×1×1");
    extent.voxels();
}

std::uint16_t LabelVolume::at(const Extent& position) const
{
    requireInside({position, {1, 1, 1}}, m_extent, "annotations");
    const Chunk* ids = chunk({position.z, position.y / kChunk.y, position.x / kChunk.x});
    return ids == nullptr ? std::uint16_t{0} : (*ids)[static_cast<std::size_t>(offsetInChunk(position.y, position.x))];
}

void LabelVolume::read(const Region& region, std::span<std::uint16_t> out) const
{
    requireBuffer(region, m_extent, out.size());
    readChunks(region, out, [this](const Extent& key) { return chunk(key); });
}

void LabelVolume::write(const Region& region, std::span<const std::uint16_t> ids)
{
    requireBuffer(region, m_extent, ids.size());
    forEachChunk(region, [&](const Extent& key, const Region& part) {
        ChunkEdit edit(*this, key);
        for (std::int64_t y = part.origin.y; y < part.end().y; ++y) {
            const std::uint16_t* from = ids.data() + offsetInRegion(region, part.origin.z, y, part.origin.x);
            edit.put(offsetInChunk(y, part.origin.x), {from, static_cast<std::size_t>(part.extent.x)}, [](std::uint16_t) { return false; });
        }
    });
}

const LabelVolume::Chunk* LabelVolume::chunk(const ChunkKey& key) const
{
    const auto at = m_chunks.find(key);
    return at == m_chunks.end() ? nullptr : at->second.ids.get();
}

Region LabelVolume::chunkRegion(const ChunkKey& key) const
{
    return Region{{key.z, key.y * kChunk.y, key.x * kChunk.x}, kChunk}.intersected(Region::whole(m_extent));
}

void LabelVolume::requireKey(const ChunkKey& key) const
{
    const Extent grid{m_extent.z, (m_extent.y + kChunk.y - 1) / kChunk.y, (m_extent.x + kChunk.x - 1) / kChunk.x};
    if (!Region{key, {1, 1, 1}}.isInside(grid))
        throw Error(ErrorCode::shape, "annotations: there is no chunk " + key.text() + " in a volume of " + grid.text() + " chunks");
}

void LabelVolume::setChunk(const ChunkKey& key, Chunk ids)
{
    requireKey(key);
    if (static_cast<std::int64_t>(ids.size()) != kChunkVoxels)
        throw Error(ErrorCode::shape, "annotations: a chunk of " + std::to_string(ids.size()) + " ids given, "
                                          + std::to_string(kChunkVoxels) + " expected");
    const Extent inside = chunkRegion(key).extent;
    for (std::int64_t y = 0; y < kChunk.y; ++y) {
        const auto row = ids.begin() + y * kChunk.x;
        if (std::any_of(y < inside.y ? row + inside.x : row, row + kChunk.x, [](std::uint16_t id) { return id != 0; }))
            throw Error(ErrorCode::shape, "annotations: chunk " + key.text() + " has labels outside the volume of " + m_extent.text());
    }
    exchangeChunk(key, std::make_shared<Chunk>(std::move(ids)));
}

LabelVolume::ChunkPtr LabelVolume::exchangeChunk(const ChunkKey& key, ChunkPtr ids)
{
    requireKey(key);
    ChunkPtr before;
    if (const auto at = m_chunks.find(key); at != m_chunks.end()) {
        before = at->second.ids;
        count(*before, -1);
        m_chunks.erase(at);
    }
    if (!ids)
        return before;
    Slot slot;
    slot.labelled = kChunkVoxels - std::ranges::count(*ids, std::uint16_t{0});
    if (slot.labelled == 0)
        return before;
    count(*ids, 1);
    slot.ids = std::const_pointer_cast<Chunk>(std::move(ids)); // epoch 0: never written in place while others may hold it
    m_chunks.emplace(key, std::move(slot));
    return before;
}

void LabelVolume::count(const Chunk& ids, std::int64_t sign)
{
    for (auto at = ids.begin(); at != ids.end();) {
        const auto end = std::find_if(at, ids.end(), [id = *at](std::uint16_t other) { return other != id; });
        countClass(*at, sign * (end - at));
        at = end;
    }
}

void LabelVolume::countClass(std::uint16_t id, std::int64_t change)
{
    if (id == 0)
        return;
    const auto at = m_counts.try_emplace(id, 0).first;
    at->second += change;
    if (at->second == 0)
        m_counts.erase(at);
}

std::vector<LabelVolume::ChunkKey> LabelVolume::occupiedChunks() const
{
    std::vector<ChunkKey> keys;
    keys.reserve(m_chunks.size());
    for (const auto& entry : m_chunks)
        keys.push_back(entry.first);
    return keys;
}

std::vector<std::int64_t> LabelVolume::labelledSlices() const
{
    std::vector<std::int64_t> slices;
    for (auto at = m_chunks.begin(); at != m_chunks.end(); at = m_chunks.lower_bound({slices.back() + 1, 0, 0}))
        slices.push_back(at->first.z);
    return slices;
}

std::int64_t LabelVolume::memoryBytes() const
{
    return static_cast<std::int64_t>(m_chunks.size()) * kChunkBytes;
}

VolumePtr LabelVolume::snapshot() const
{
    ++m_epoch;
    Snapshot::Chunks chunks;
    for (const auto& [key, slot] : m_chunks)
        chunks.emplace_hint(chunks.end(), key, slot.ids);
    VolumeInfo info;
    info.name = "annotations";
    info.dtype = DType::uint16;
    info.extent = m_extent;
    info.shape = {m_extent.z, m_extent.y, m_extent.x};
    info.chunk = kChunk;
    return std::make_shared<Snapshot>(std::move(info), std::move(chunks));
}

LabelVolume LabelVolume::copyOf(std::span<const ChunkKey> keys) const
{
    ++m_epoch;
    LabelVolume copy(m_extent);
    for (const ChunkKey& key : keys)
        if (const auto at = m_chunks.find(key); at != m_chunks.end())
            copy.exchangeChunk(key, at->second.ids);
    return copy;
}

ChunkEdit::ChunkEdit(LabelVolume& labels, const Key& key) : m_labels(labels), m_key(key)
{
    const auto at = m_labels.m_chunks.find(key);
    if (at == m_labels.m_chunks.end())
        return;
    m_slot = &at->second;
    m_read = m_slot->ids->data();
}

ChunkEdit::~ChunkEdit()
{
    if (m_write != nullptr && m_slot->labelled == 0)
        m_labels.m_chunks.erase(m_key);
}

std::uint16_t* ChunkEdit::writable()
{
    if (m_write != nullptr)
        return m_write;
    const bool isNew = m_slot == nullptr;
    if (isNew) {
        m_before.emplace();
        auto ids = std::make_shared<LabelVolume::Chunk>(static_cast<std::size_t>(kChunkVoxels));
        m_slot = &m_labels.m_chunks[m_key];
        m_slot->ids = std::move(ids);
    } else if (m_slot->epoch < m_labels.m_epoch) {
        m_before.emplace(m_slot->ids);
        m_slot->ids = std::make_shared<LabelVolume::Chunk>(*m_slot->ids);
    }
    m_slot->epoch = m_labels.m_epoch;
    m_write = m_slot->ids->data();
    m_read = m_write;
    return m_write;
}

void ChunkEdit::recount(std::uint16_t from, std::uint16_t to, std::int64_t voxels)
{
    m_labels.countClass(from, -voxels);
    m_labels.countClass(to, voxels);
    m_slot->labelled += (to != 0 ? voxels : 0) - (from != 0 ? voxels : 0);
}

} // namespace voxelscribe::labels
