#pragma once

#include "widgets/common/serial_worker.h"
#include "core/volume/volume.h"

#include <QObject>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <set>

namespace voxelscribe::window {

/// Counts the voxels of each class in a mask, slice by slice as they are finished, on a worker thread.
class MaskTally : public QObject {
    Q_OBJECT
public:
    using Counts = std::map<std::uint16_t, std::int64_t>;

    explicit MaskTally(QObject* parent = nullptr);
    ~MaskTally() override;

    /// Forgets the old mask; null: none.
    void setMask(VolumePtr mask);
    /// Slices [from, to) are finished; one counted before is not counted again.
    void add(std::int64_t from, std::int64_t to);
    const Counts& counts() const { return m_counts; }
    std::int64_t slices() const { return m_slices; }

Q_SIGNALS:
    void changed();
    void failed(const QString& message);

private:
    VolumePtr m_mask;
    Counts m_counts;
    std::int64_t m_slices = 0;
    std::set<std::int64_t> m_asked;
    std::shared_ptr<std::atomic<bool>> m_stop = std::make_shared<std::atomic<bool>>(false);
    common::SerialWorker m_worker;
};

} // namespace voxelscribe::window
