#pragma once

#include "core/base/extent.h"
#include "core/volume/volume.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace voxelscribe::labels {

/// A sparse volume of class ids, 0 = unlabelled, in chunks of one slice × 256 × 256; an empty chunk takes no memory.
/// Chunks are shared with snapshots and with the editor's journal, and copied at the first write after that.
/// Not thread-safe: it belongs to the thread that paints; `snapshot` gives others their own.
class LabelVolume {
public:
    static constexpr Extent kChunk{1, 256, 256};
    using Chunk = std::vector<std::uint16_t>;      ///< kChunk.voxels() ids, border chunks padded with 0
    using ChunkPtr = std::shared_ptr<const Chunk>; ///< null: nothing labelled
    using ChunkKey = Extent;                       ///< chunk indices z, y, x
    struct KeyLess {
        bool operator()(const ChunkKey& a, const ChunkKey& b) const;
    };

    explicit LabelVolume(const Extent& extent);
    LabelVolume(const LabelVolume&) = delete; // two volumes may share chunks only through `snapshot`
    LabelVolume& operator=(const LabelVolume&) = delete;
    LabelVolume(LabelVolume&&) noexcept = default;
    LabelVolume& operator=(LabelVolume&&) noexcept = default;

    const Extent& extent() const { return m_extent; }
    std::uint16_t at(const Extent& position) const;
    /// @throws Error(shape) outside the volume.
    void read(const Region& region, std::span<std::uint16_t> out) const;
    void write(const Region& region, std::span<const std::uint16_t> ids);

    /// The chunk's ids, or nullptr where nothing is labelled. Valid until the next change.
    const Chunk* chunk(const ChunkKey& key) const;
    /// Replaces a chunk; one of zeros is dropped. @throws Error(shape) for a key outside, another size or ids in the padding.
    void setChunk(const ChunkKey& key, Chunk ids);
    /// Puts `ids` (null: empties it) in place and returns what was there; both stay whole for whoever holds them.
    ChunkPtr exchangeChunk(const ChunkKey& key, ChunkPtr ids);
    std::vector<ChunkKey> occupiedChunks() const;
    /// Labelled voxels a class, kept up to date by every write.
    const std::map<std::uint16_t, std::int64_t>& voxelsOfClass() const { return m_counts; }
    std::vector<std::int64_t> labelledSlices() const;
    std::int64_t memoryBytes() const;
    /// An immutable copy that other threads may read. Costs a pointer a chunk.
    VolumePtr snapshot() const;
    /// A volume of just these chunks, for another thread to save while painting goes on. Costs a pointer a chunk.
    LabelVolume copyOf(std::span<const ChunkKey> keys) const;

    /// The voxels that a chunk covers; smaller than kChunk at the border.
    Region chunkRegion(const ChunkKey& key) const;
    /// From here on the first write to a chunk copies it, and that edit's `before` hands out the ids as they are now.
    void beginStep() { ++m_epoch; }

private:
    friend class ChunkEdit;
    struct Slot {
        std::shared_ptr<Chunk> ids;
        std::int64_t labelled = 0;                 ///< voxels that are not 0
        std::uint64_t epoch = 0;                   ///< older than m_epoch: someone else may hold `ids`
    };
    void count(const Chunk& ids, std::int64_t sign);
    void countClass(std::uint16_t id, std::int64_t change);
    void requireKey(const ChunkKey& key) const;

    Extent m_extent;
    std::map<ChunkKey, Slot, KeyLess> m_chunks;
    std::map<std::uint16_t, std::int64_t> m_counts;
    mutable std::uint64_t m_epoch = 1;
};

/// Writes to one chunk of a LabelVolume. The chunk is made or copied at the first voxel that really changes; counts are
/// brought up to date, and a chunk that became empty is dropped, when the edit ends.
class ChunkEdit {
public:
    using Key = LabelVolume::ChunkKey;

    /// `key` lies inside the volume.
    ChunkEdit(LabelVolume& labels, const Key& key);
    ~ChunkEdit();
    ChunkEdit(const ChunkEdit&) = delete;
    ChunkEdit& operator=(const ChunkEdit&) = delete;

    const Key& key() const { return m_key; }
    std::uint16_t at(std::int64_t offset) const { return m_read == nullptr ? std::uint16_t{0} : m_read[offset]; }
    /// Sets `length` voxels from `offset`, `stride` apart, to `id`, but for those whose present id `isKept(id)` protects.
    /// Returns the first and one past the last that changed, counted in voxels of the run; equal if none did.
    template <typename IsKept>
    std::pair<std::int64_t, std::int64_t> fill(std::int64_t offset, std::int64_t stride, std::int64_t length, std::uint16_t id, IsKept&& isKept);
    /// Sets voxels from `offset` on to `ids`, one by one, but for those whose present id `isKept(id)` protects.
    template <typename IsKept>
    void put(std::int64_t offset, std::span<const std::uint16_t> ids, IsKept&& isKept);
    /// The chunk as it was at `beginStep`, if this edit made the first change since then.
    const std::optional<LabelVolume::ChunkPtr>& before() const { return m_before; }

private:
    std::uint16_t* writable();
    void recount(std::uint16_t from, std::uint16_t to, std::int64_t voxels);

    LabelVolume& m_labels;
    Key m_key;
    LabelVolume::Slot* m_slot = nullptr;
    const std::uint16_t* m_read = nullptr;
    std::uint16_t* m_write = nullptr;
    std::optional<LabelVolume::ChunkPtr> m_before;
};

template <typename IsKept>
std::pair<std::int64_t, std::int64_t> ChunkEdit::fill(std::int64_t offset, std::int64_t stride, std::int64_t length, std::uint16_t id, IsKept&& isKept)
{
    std::int64_t first = 0;
    std::int64_t last = 0;
    for (std::int64_t i = 0; i < length;) {
        // Runs of one old id are handled together: what is kept and what is counted is asked once a run.
        const std::uint16_t old = at(offset + i * stride);
        std::int64_t end = i + 1;
        if (m_read == nullptr)
            end = length;
        else
            while (end < length && m_read[offset + end * stride] == old)
                ++end;
        if (old != id && !isKept(old)) {
            std::uint16_t* const to = writable() + offset;
            for (std::int64_t k = i; k < end; ++k)
                to[k * stride] = id;
            recount(old, id, end - i);
            first = last == 0 ? i : first;
            last = end;
        }
        i = end;
    }
    return {first, last};
}

template <typename IsKept>
void ChunkEdit::put(std::int64_t offset, std::span<const std::uint16_t> ids, IsKept&& isKept)
{
    for (std::size_t i = 0; i < ids.size();) {
        std::size_t end = i + 1;
        while (end < ids.size() && ids[end] == ids[i])
            ++end;
        fill(offset + static_cast<std::int64_t>(i), 1, static_cast<std::int64_t>(end - i), ids[i], isKept);
        i = end;
    }
}

} // namespace voxelscribe::labels
