#pragma once

#include "widgets/common/job_progress.h"

#include <QString>
#include <QWidget>
#include <memory>

namespace voxelscribe::panels {

enum class JobState { queued, running, paused, cancelling, failed };

/// A job as the strip shows it. Jobs that end well are removed.
struct JobEntry {
    qint64 id = 0;
    QString title;                   ///< "Train", "Run slices 0–255"
    JobState state = JobState::queued;
    common::JobProgress progress;
    QString message;                 ///< of a failed job
    QString details;                 ///< its last words
};

/// Running and queued jobs, one line each: progress, time left, cancel; failed ones until they are dismissed. Takes no room while empty.
class JobStrip : public QWidget {
    Q_OBJECT
public:
    explicit JobStrip(QWidget* parent = nullptr);
    ~JobStrip() override;

    /// Adds the job or updates its line.
    void setJob(const JobEntry& job);
    void removeJob(qint64 id);
    int count() const;

Q_SIGNALS:
    void cancelRequested(qint64 id);
    void dismissed(qint64 id);       ///< a failed job's line has gone

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::panels
