#pragma once

#include "core/link/messages.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace voxelscribe::engine {

/// Which job runs next: one normal job at a time, in order; a preview passes all of them, and the normal job that runs is
/// paused meanwhile. Knows no processes: it answers what is to be done, `Serve` does it.
class JobQueue {
public:
    void add(link::RunRequest request);
    /// Takes a waiting job out. False if it does not wait.
    bool removeWaiting(std::int64_t id);
    bool holds(std::int64_t id) const;
    /// The job is over.
    void finished(std::int64_t id);

    /// The job to start now; it counts as running from here on.
    std::optional<link::RunRequest> nextToStart();
    /// The normal job that should be paused now: it runs beside a preview.
    std::optional<std::int64_t> toPause();
    /// The paused job that may go on now.
    std::optional<std::int64_t> toResume();
    bool isIdle() const { return m_normal.empty() && m_previews.empty() && !m_runningNormal && !m_runningPreview; }

private:
    std::deque<link::RunRequest> m_normal;
    std::deque<link::RunRequest> m_previews;
    std::optional<std::int64_t> m_runningNormal;
    std::optional<std::int64_t> m_runningPreview;
    bool m_isPaused = false;
};

} // namespace voxelscribe::engine
