#pragma once

#include "core/base/extent.h"
#include "core/volume/volume.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace voxelscribe::labels {

/// A sparse volume of class ids, 0 = unlabelled, in chunks of one slice × 256 × 256; an empty chunk takes no memory.
/// Not thread-safe: it belongs to the thread that paints; `snapshot` gives others their own.
class LabelVolume {
public:
    static constexpr Extent kChunk{1, 256, 256};
    using Chunk = std::vector<std::uint16_t>;      ///< kChunk.voxels() ids, border chunks padded with 0
    using ChunkKey = Extent;                       ///< chunk indices z, y, x

    explicit LabelVolume(const Extent& extent);

    const Extent& extent() const { return m_extent; }
    std::uint16_t at(const Extent& position) const;
    /// @throws Error(shape) outside the volume.
    void read(const Region& region, std::span<std::uint16_t> out) const;
    void write(const Region& region, std::span<const std::uint16_t> ids);

    /// The chunk's ids, or nullptr where nothing is labelled.
    const Chunk* chunk(const ChunkKey& key) const;
    /// Replaces a chunk; one of zeros is dropped.
    void setChunk(const ChunkKey& key, Chunk ids);
    std::vector<ChunkKey> occupiedChunks() const;
    /// Labelled voxels a class, kept up to date by every write.
    const std::map<std::uint16_t, std::int64_t>& voxelsOfClass() const { return m_counts; }
    std::vector<std::int64_t> labelledSlices() const;
    std::int64_t memoryBytes() const;
    /// An immutable copy that other threads may read.
    VolumePtr snapshot() const;

private:
    struct KeyLess {
        bool operator()(const ChunkKey& a, const ChunkKey& b) const;
    };
    Extent m_extent;
    std::map<ChunkKey, Chunk, KeyLess> m_chunks;
    std::map<std::uint16_t, std::int64_t> m_counts;
};

} // namespace voxelscribe::labels
