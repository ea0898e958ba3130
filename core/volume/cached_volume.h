#pragma once

#include "core/volume/volume.h"

#include <memory>

namespace voxelscribe {

/// One byte budget shared by all cached volumes of a process: least recently used blocks go first. Thread-safe.
class ChunkCache {
public:
    explicit ChunkCache(std::int64_t budgetBytes);
    ~ChunkCache();
    std::int64_t budgetBytes() const;
    std::int64_t usedBytes() const;

    struct Impl;
    Impl& impl() { return *m_impl; }

private:
    std::unique_ptr<Impl> m_impl;
};

/// `source` read through `cache` in blocks of its `info().chunk`. A block larger than the budget is passed through.
/// Two threads that want the same block read it once. The cache lets go of the blocks when the volume is destroyed.
VolumePtr cachedVolume(VolumePtr source, std::shared_ptr<ChunkCache> cache);

} // namespace voxelscribe
