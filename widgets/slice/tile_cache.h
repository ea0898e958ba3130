#pragma once

#include "widgets/slice/tile_read.h"

#include <functional>
#include <list>
#include <map>
#include <set>

namespace voxelscribe::slice {

/// Tiles in memory under a byte budget; the least recently used go first. Belongs to one thread.
class TileCache {
public:
    explicit TileCache(std::int64_t budgetBytes) : m_budgetBytes(budgetBytes) {}

    std::int64_t budgetBytes() const { return m_budgetBytes; }
    std::int64_t usedBytes() const { return m_usedBytes; }

    /// The tile, now the most recently used; nullptr where it is not there.
    const SampleTile* find(const TileKey& key);
    /// There and not outdated.
    bool isFresh(const TileKey& key) const;
    /// Takes a tile in, then drops others until the budget holds; tiles in `kept` stay whatever it says.
    void insert(const TileKey& key, SampleTile tile, bool outdated, const std::set<TileKey>& kept);
    /// Tiles for which `condition` holds are still shown, but no longer fresh.
    void outdate(const std::function<bool(const TileKey&)>& condition);

private:
    struct Entry {
        SampleTile tile;
        bool outdated = false;
        std::list<TileKey>::iterator use;
    };
    std::int64_t m_budgetBytes;
    std::int64_t m_usedBytes = 0;
    std::uint64_t m_lastSerial = 0;
    std::map<TileKey, Entry> m_entries;
    std::list<TileKey> m_uses;      ///< most recent first
};

} // namespace voxelscribe::slice
