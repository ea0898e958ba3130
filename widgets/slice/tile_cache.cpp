#include "widgets/slice/tile_cache.h"

namespace voxelscribe::slice {

const SampleTile* TileCache::find(const TileKey& key)
{
    const auto found = m_entries.find(key);
    if (found == m_entries.end())
        return nullptr;
    m_uses.splice(m_uses.begin(), m_uses, found->second.use);
    return &found->second.tile;
}

bool TileCache::isFresh(const TileKey& key) const
{
    const auto found = m_entries.find(key);
    return found != m_entries.end() && !found->second.outdated;
}

void TileCache::insert(const TileKey& key, SampleTile tile, bool outdated, const std::set<TileKey>& kept)
{
    Entry& entry = m_entries[key];
    if (entry.tile.serial != 0) {
        m_usedBytes -= entry.tile.bytes();
        m_uses.erase(entry.use);
    }
    m_uses.push_front(key);
    tile.serial = ++m_lastSerial;
    m_usedBytes += tile.bytes();
    entry = {std::move(tile), outdated, m_uses.begin()};
    for (auto use = m_uses.end(); m_usedBytes > m_budgetBytes && use != m_uses.begin();) {
        --use;
        if (*use == key || kept.contains(*use))
            continue;
        const auto oldest = m_entries.find(*use);
        m_usedBytes -= oldest->second.tile.bytes();
        m_entries.erase(oldest);
        use = m_uses.erase(use);
    }
}

void TileCache::outdate(const std::function<bool(const TileKey&)>& condition)
{
    for (auto& [key, entry] : m_entries)
        if (condition(key))
            entry.outdated = true;
}

} // namespace voxelscribe::slice
