#include "widgets/slice/tile_loader.h"

#include <QCoreApplication>
#include <QMutex>
#include <QMutexLocker>
#include <QRunnable>
#include <QThreadPool>
#include <deque>
#include <new>

namespace voxelscribe::slice {

struct TileLoader::Finished {
    TileKey lead;
    std::vector<SampleTile> tiles;
    QString failure;
};

/// What the loader and its workers share; outlives the loader as long as a worker runs.
struct TileLoader::Shared {
    QMutex mutex;
    TileLoader* loader = nullptr;          ///< null once the loader is gone
    QThreadPool* pool = nullptr;
    Reader reader;
    std::deque<TileKey> queue;
    std::set<TileKey> wantedLeads;
    std::set<TileKey> inFlight;
    std::vector<Finished> finished;
    bool told = false;                     ///< the loader has been asked to fetch `finished`
    int workers = 0;

    bool isWanted(const TileKey& lead)
    {
        const QMutexLocker lock(&mutex);
        return loader != nullptr && wantedLeads.contains(lead);
    }
};

/// Reads from the queue until it is empty.
class TileLoader::Work : public QRunnable {
public:
    explicit Work(std::shared_ptr<Shared> shared) : m_shared(std::move(shared)) {}

    void run() override
    {
        TileKey lead;
        while (next(lead)) {
            Finished finished = read(lead);
            const QMutexLocker lock(&m_shared->mutex);
            m_shared->finished.push_back(std::move(finished));
            TileLoader* loader = m_shared->loader;
            if (loader != nullptr && !m_shared->told) {
                m_shared->told = true;
                QMetaObject::invokeMethod(loader, [loader] { loader->takeFinished(); }, Qt::QueuedConnection);
            }
        }
    }

private:
    bool next(TileKey& lead)
    {
        const QMutexLocker lock(&m_shared->mutex);
        if (m_shared->loader == nullptr || m_shared->queue.empty()) {
            if (--m_shared->workers == 0 && m_shared->loader == nullptr)
                m_shared->pool->deleteLater();
            return false;
        }
        lead = m_shared->queue.front();
        m_shared->queue.pop_front();
        m_shared->inFlight.insert(lead);
        return true;
    }

    Finished read(const TileKey& lead) const
    {
        Finished finished{lead, {}, {}};
        try {
            finished.tiles = m_shared->reader(lead, [this, lead] { return !m_shared->isWanted(lead); });
        } catch (const std::bad_alloc&) {
            finished.failure = QCoreApplication::translate("SliceView", "not enough memory for this slice");
        } catch (const std::exception& error) {
            finished.failure = QString::fromUtf8(error.what());
            if (finished.failure.isEmpty())
                finished.failure = QCoreApplication::translate("SliceView", "unknown error");
        }
        return finished;
    }

    std::shared_ptr<Shared> m_shared;
};

TileLoader::TileLoader(const TileGrid& grid, Reader reader, std::int64_t budgetBytes, int threads, QObject* parent)
    : QObject(parent), m_grid(grid), m_cache(budgetBytes), m_shared(std::make_shared<Shared>()),
      m_pool(new QThreadPool(QCoreApplication::instance()))
{
    m_pool->setMaxThreadCount(threads);
    m_shared->loader = this;
    m_shared->pool = m_pool;
    m_shared->reader = std::move(reader);
}

TileLoader::~TileLoader()
{
    const QMutexLocker lock(&m_shared->mutex);
    m_shared->loader = nullptr;
    m_shared->queue.clear();
    if (m_shared->workers == 0)
        m_pool->deleteLater();
}

void TileLoader::want(const std::vector<TileKey>& visible, const std::vector<TileKey>& ahead)
{
    m_wanted = std::set<TileKey>(visible.begin(), visible.end());
    m_wanted.insert(ahead.begin(), ahead.end());
    std::erase_if(m_failures, [&](const auto& failed) { return !m_wanted.contains(failed.first); });
    const QMutexLocker lock(&m_shared->mutex);
    m_shared->queue.clear();
    m_shared->wantedLeads.clear();
    std::set<TileKey> queued;
    for (const auto* keys : {&visible, &ahead})
        for (const TileKey& key : *keys) {
            const TileKey lead = m_grid.lead(key);
            m_shared->wantedLeads.insert(lead);
            if (!isSettled(key) && !m_shared->inFlight.contains(lead) && queued.insert(lead).second)
                m_shared->queue.push_back(lead);
        }
    startWorkers();
}

void TileLoader::startWorkers()
{
    const int useful = static_cast<int>(std::min<std::size_t>(m_shared->queue.size() + m_shared->inFlight.size(),
                                                              static_cast<std::size_t>(m_pool->maxThreadCount())));
    for (; m_shared->workers < useful; ++m_shared->workers)
        m_pool->start(new Work(m_shared));
}

const QString* TileLoader::failure(const TileKey& key) const
{
    const auto found = m_failures.find(key);
    return found == m_failures.end() ? nullptr : &found->second;
}

void TileLoader::outdate(const Region& dirty)
{
    const auto shows = [&](const TileKey& key) {
        const PixelRect part = shownPart(dirty, key.plane, key.slice);
        return !part.isEmpty() && !part.toLevel(key.level).grown(1).intersected(m_grid.tileRect(key)).isEmpty();
    };
    m_cache.outdate(shows);
    std::erase_if(m_failures, [&](const auto& failed) { return shows(failed.first); });
    const QMutexLocker lock(&m_shared->mutex);
    for (const TileKey& lead : m_shared->inFlight)
        for (TileKey key = lead; key.slice < lead.slice + m_grid.slicesAt(lead); ++key.slice)
            if (shows(key))
                m_outdatedInFlight.insert(lead);
}

void TileLoader::takeFinished()
{
    std::vector<Finished> all;
    {
        const QMutexLocker lock(&m_shared->mutex);
        all.swap(m_shared->finished);
        m_shared->told = false;
    }
    for (Finished& finished : all)
        take(finished);
    Q_EMIT settled();
}

void TileLoader::take(Finished& finished)
{
    TileKey key = finished.lead;
    const bool outdated = m_outdatedInFlight.erase(finished.lead) > 0;
    {
        const QMutexLocker lock(&m_shared->mutex);
        m_shared->inFlight.erase(finished.lead);
    }
    if (!finished.failure.isEmpty()) {
        for (const std::int64_t end = key.slice + m_grid.slicesAt(finished.lead); key.slice < end; ++key.slice)
            if (m_wanted.contains(key))
                m_failures.insert_or_assign(key, finished.failure);
        return;
    }
    for (SampleTile& tile : finished.tiles) {
        m_cache.insert(key, std::move(tile), outdated, m_wanted);
        ++key.slice;
    }
}

} // namespace voxelscribe::slice
