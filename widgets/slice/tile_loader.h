#pragma once

#include "widgets/slice/tile_cache.h"

#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

class QThreadPool;

namespace voxelscribe::slice {

/// Reads tiles on worker threads into a cache. What is wanted is said as a whole each time: reads that have not begun and
/// are no longer wanted never begin, running ones end at the next band, and what they bring is dropped.
/// Never waits for a read, not even in its destructor.
class TileLoader : public QObject {
    Q_OBJECT
public:
    /// Runs on a worker thread; see readImageTiles.
    using Reader = std::function<std::vector<SampleTile>(const TileKey& lead, const StopQuery& stop)>;

    TileLoader(const TileGrid& grid, Reader reader, std::int64_t budgetBytes, int threads, QObject* parent = nullptr);
    ~TileLoader() override;

    const TileGrid& grid() const { return m_grid; }
    TileCache& cache() { return m_cache; }
    /// `visible` and then `ahead`, the most urgent first. Failures of tiles that are not among them are forgotten, so that
    /// coming back tries again.
    void want(const std::vector<TileKey>& visible, const std::vector<TileKey>& ahead);
    /// There, or failed: nothing more will come for it.
    bool isSettled(const TileKey& key) const { return m_cache.isFresh(key) || m_failures.contains(key); }
    /// Why a tile could not be read; nullptr where it was not tried or has been read.
    const QString* failure(const TileKey& key) const;
    /// The file has changed in `dirty`: tiles that show it are read again when they are wanted, the old ones serve till then.
    void outdate(const Region& dirty);

Q_SIGNALS:
    /// Some tiles came or failed.
    void settled();

private:
    struct Shared;
    struct Finished;
    class Work;
    void startWorkers();
    void takeFinished();
    void take(Finished& finished);

    TileGrid m_grid;
    TileCache m_cache;
    std::set<TileKey> m_wanted;
    std::set<TileKey> m_outdatedInFlight;   ///< leads whose file changed while they were being read
    std::map<TileKey, QString> m_failures;
    std::shared_ptr<Shared> m_shared;
    QThreadPool* m_pool;
};

} // namespace voxelscribe::slice
