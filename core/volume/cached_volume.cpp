#include "core/volume/cached_volume.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <utility>

namespace voxelscribe {

namespace {
using Bytes = std::shared_ptr<const std::vector<std::byte>>;
using Key = std::pair<std::uint64_t, std::int64_t>; // volume, block
} // namespace

struct ChunkCache::Impl {
    struct Block {
        Bytes bytes;                     ///< null while one thread reads it
        std::int64_t size = 0;
        std::list<Key>::iterator use;    ///< valid once read
    };

    explicit Impl(std::int64_t bytes) : budget(bytes) {}

    /// Makes room for `size` bytes; false where blocks being read hold the budget.
    bool makeRoom(std::int64_t size)
    {
        while (used + size > budget && !uses.empty()) {
            const auto oldest = blocks.find(uses.back());
            used -= oldest->second.size;
            uses.pop_back();
            blocks.erase(oldest);
        }
        return used + size <= budget;
    }

    template <typename Read>
    Bytes block(const Key& key, std::int64_t size, const Read& read)
    {
        std::unique_lock lock(mutex);
        for (;;) {
            const auto found = blocks.find(key);
            if (found == blocks.end()) {
                if (makeRoom(size))
                    break;
            } else if (found->second.bytes) {
                uses.splice(uses.begin(), uses, found->second.use);
                return found->second.bytes;
            }
            changed.wait(lock); // another thread reads this block, or all that fits in the budget
        }
        blocks[key].size = size;
        used += size;
        lock.unlock();
        try {
            auto bytes = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(size));
            read(std::span<std::byte>(*bytes));
            lock.lock();
            Block& block = blocks[key];
            block.bytes = std::move(bytes);
            block.use = uses.insert(uses.begin(), key);
            changed.notify_all();
            return block.bytes;
        } catch (...) {
            if (!lock.owns_lock())
                lock.lock();
            blocks.erase(key);
            used -= size;
            changed.notify_all();
            throw;
        }
    }

    void forget(std::uint64_t volume)
    {
        const std::lock_guard lock(mutex);
        auto at = blocks.lower_bound({volume, 0});
        while (at != blocks.end() && at->first.first == volume) {
            used -= at->second.size;
            uses.erase(at->second.use); // nobody reads: the volume is being destroyed
            at = blocks.erase(at);
        }
        changed.notify_all();
    }

    const std::int64_t budget;
    std::int64_t used = 0;
    std::uint64_t volumes = 0;
    std::map<Key, Block> blocks;
    std::list<Key> uses; ///< of blocks that are there, latest first
    std::mutex mutex;
    std::condition_variable changed;
};

ChunkCache::ChunkCache(std::int64_t budgetBytes) : m_impl(std::make_unique<Impl>(budgetBytes)) {}
ChunkCache::~ChunkCache() = default;

std::int64_t ChunkCache::budgetBytes() const
{
    return m_impl->budget;
}

std::int64_t ChunkCache::usedBytes() const
{
    const std::lock_guard lock(m_impl->mutex);
    return m_impl->used;
}

namespace {

class CachedVolume : public Volume {
public:
    CachedVolume(VolumePtr source, std::shared_ptr<ChunkCache> cache)
        : Volume(source->info()), m_source(std::move(source)), m_cache(std::move(cache)), m_block(m_info.chunk)
    {
        if (m_block.isEmpty())
            m_block = {1, m_info.extent.y, m_info.extent.x};
        const std::lock_guard lock(m_cache->impl().mutex);
        m_id = ++m_cache->impl().volumes;
    }
    ~CachedVolume() override { m_cache->impl().forget(m_id); }

private:
    std::int64_t sampleBytes() const { return static_cast<std::int64_t>(dtypeSize(m_info.dtype)); }

    void readRegion(const Region& region, std::span<std::byte> out) const override
    {
        if (m_block.voxels() * sampleBytes() > m_cache->budgetBytes()) {
            m_source->read(region, out);
            return;
        }
        const Extent last = region.end();
        for (std::int64_t z = region.origin.z / m_block.z; z * m_block.z < last.z; ++z)
            for (std::int64_t y = region.origin.y / m_block.y; y * m_block.y < last.y; ++y)
                for (std::int64_t x = region.origin.x / m_block.x; x * m_block.x < last.x; ++x)
                    copyBlock({z, y, x}, region, out);
    }

    void copyBlock(const Extent& index, const Region& region, std::span<std::byte> out) const
    {
        const Region whole = Region{{index.z * m_block.z, index.y * m_block.y, index.x * m_block.x}, m_block}.intersected(
            Region::whole(m_info.extent));
        const std::int64_t rows = (m_info.extent.y + m_block.y - 1) / m_block.y;
        const std::int64_t columns = (m_info.extent.x + m_block.x - 1) / m_block.x;
        const Key key{m_id, (index.z * rows + index.y) * columns + index.x};
        const Bytes bytes = m_cache->impl().block(key, whole.extent.voxels() * sampleBytes(),
                                                  [&](std::span<std::byte> to) { m_source->read(whole, to); });
        const Region part = whole.intersected(region);
        const auto offset = [&](const Region& box, std::int64_t z, std::int64_t y) {
            return (((z - box.origin.z) * box.extent.y + y - box.origin.y) * box.extent.x + part.origin.x - box.origin.x) * sampleBytes();
        };
        for (std::int64_t z = part.origin.z; z < part.end().z; ++z)
            for (std::int64_t y = part.origin.y; y < part.end().y; ++y)
                std::memcpy(out.data() + offset(region, z, y), bytes->data() + offset(whole, z, y),
                            static_cast<std::size_t>(part.extent.x * sampleBytes()));
    }

    VolumePtr m_source;
    std::shared_ptr<ChunkCache> m_cache;
    Extent m_block;
    std::uint64_t m_id = 0;
};

} // namespace

VolumePtr cachedVolume(VolumePtr source, std::shared_ptr<ChunkCache> cache)
{
    return std::make_shared<CachedVolume>(std::move(source), std::move(cache));
}

} // namespace voxelscribe
