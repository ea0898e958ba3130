#include "app/engine/job_queue.h"

#include <algorithm>

namespace voxelscribe::engine {

using link::RunRequest;

namespace {

auto findJob(std::deque<RunRequest>& jobs, std::int64_t id)
{
    return std::find_if(jobs.begin(), jobs.end(), [id](const RunRequest& request) { return request.id == id; });
}

bool takeOut(std::deque<RunRequest>& jobs, std::int64_t id)
{
    const auto found = findJob(jobs, id);
    if (found == jobs.end())
        return false;
    jobs.erase(found);
    return true;
}

std::optional<RunRequest> takeFirst(std::deque<RunRequest>& jobs, std::optional<std::int64_t>& running)
{
    if (jobs.empty() || running)
        return std::nullopt;
    RunRequest first = std::move(jobs.front());
    jobs.pop_front();
    running = first.id;
    return first;
}

} // namespace

void JobQueue::add(RunRequest request)
{
    (request.priority == link::Priority::preview ? m_previews : m_normal).push_back(std::move(request));
}

bool JobQueue::removeWaiting(std::int64_t id)
{
    return takeOut(m_normal, id) || takeOut(m_previews, id);
}

bool JobQueue::holds(std::int64_t id) const
{
    const auto has = [id](const std::deque<RunRequest>& jobs) {
        return std::any_of(jobs.begin(), jobs.end(), [id](const RunRequest& request) { return request.id == id; });
    };
    return m_runningNormal == id || m_runningPreview == id || has(m_normal) || has(m_previews);
}

void JobQueue::finished(std::int64_t id)
{
    if (m_runningPreview == id)
        m_runningPreview.reset();
    if (m_runningNormal == id) {
        m_runningNormal.reset();
        m_isPaused = false;
    }
}

std::optional<RunRequest> JobQueue::nextToStart()
{
    if (std::optional<RunRequest> preview = takeFirst(m_previews, m_runningPreview))
        return preview;
    if (m_runningPreview)
        return std::nullopt;
    return takeFirst(m_normal, m_runningNormal);
}

std::optional<std::int64_t> JobQueue::toPause()
{
    if (!m_runningPreview || !m_runningNormal || m_isPaused)
        return std::nullopt;
    m_isPaused = true;
    return m_runningNormal;
}

std::optional<std::int64_t> JobQueue::toResume()
{
    if (!m_isPaused || m_runningPreview || !m_previews.empty())
        return std::nullopt;
    m_isPaused = false;
    return m_runningNormal;
}

} // namespace voxelscribe::engine
