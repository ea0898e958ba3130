#include "app/window/mask_tally.h"

#include <algorithm>
#include <vector>

namespace voxelscribe::window {

namespace {

struct Tally {
    MaskTally::Counts counts;
    std::int64_t slices = 0;
    QString failure;
};

/// Counts one slice in bands of a few megabytes, so that giant slices need no giant memory.
void countSlice(const Volume& mask, std::int64_t z, MaskTally::Counts& counts)
{
    constexpr std::int64_t kBandVoxels = 4 << 20;
    const Extent& whole = mask.extent();
    const std::int64_t rows = std::clamp<std::int64_t>(kBandVoxels / whole.x, 1, whole.y);
    std::vector<std::int64_t> histogram(65536, 0);
    for (std::int64_t y = 0; y < whole.y; y += rows) {
        const Region band{{z, y, 0}, {1, std::min(rows, whole.y - y), whole.x}};
        for (const std::uint16_t id : readAs<std::uint16_t>(mask, band))
            ++histogram[id];
    }
    for (std::size_t id = 0; id < histogram.size(); ++id)
        if (histogram[id] > 0)
            counts[static_cast<std::uint16_t>(id)] += histogram[id];
}

Tally countSlices(const Volume& mask, const std::vector<std::int64_t>& slices, const std::atomic<bool>& stop)
{
    Tally tally;
    try {
        for (const std::int64_t z : slices) {
            if (stop)
                break;
            countSlice(mask, z, tally.counts);
            ++tally.slices;
        }
    } catch (const std::exception& error) {
        tally.failure = QString::fromUtf8(error.what());
    }
    return tally;
}

} // namespace

MaskTally::MaskTally(QObject* parent) : QObject(parent) {}

MaskTally::~MaskTally()
{
    *m_stop = true;
}

void MaskTally::setMask(VolumePtr mask)
{
    *m_stop = true;
    m_stop = std::make_shared<std::atomic<bool>>(false);
    m_mask = std::move(mask);
    m_counts.clear();
    m_asked.clear();
    m_slices = 0;
    Q_EMIT changed();
}

void MaskTally::add(std::int64_t from, std::int64_t to)
{
    if (!m_mask)
        return;
    // A few slices a task: the figures grow while a long mask is counted.
    constexpr std::size_t kSlicesATask = 16;
    std::vector<std::int64_t> slices;
    for (std::int64_t z = from; z < to; ++z) {
        if (m_asked.insert(z).second)
            slices.push_back(z);
        if (slices.empty() || (slices.size() < kSlicesATask && z + 1 < to))
            continue;
        m_worker.post([mask = m_mask, part = std::exchange(slices, {}), stop = m_stop] { return countSlices(*mask, part, *stop); },
                      this, [this, stop = m_stop](const Tally& tally) {
                          if (*stop)
                              return; // another mask is shown meanwhile
                          for (const auto& [id, voxels] : tally.counts)
                              m_counts[id] += voxels;
                          m_slices += tally.slices;
                          if (!tally.failure.isEmpty())
                              Q_EMIT failed(tally.failure);
                          Q_EMIT changed();
                      });
    }
}

} // namespace voxelscribe::window
