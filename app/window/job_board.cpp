#include "app/window/job_board.h"

#include <QHash>
#include <algorithm>

namespace voxelscribe::window {

QString stageTitle(const QString& stage)
{
    static const QHash<QString, QString> words{
        {QStringLiteral("train"), JobBoard::tr("Training")},   {QStringLiteral("predict"), JobBoard::tr("Segmenting")},
        {QStringLiteral("read"), JobBoard::tr("Reading")},     {QStringLiteral("write"), JobBoard::tr("Writing")},
        {QStringLiteral("export"), JobBoard::tr("Exporting")}, {QStringLiteral("phantom"), JobBoard::tr("Simulating")},
    };
    if (words.contains(stage))
        return words.value(stage);
    return stage.isEmpty() ? stage : stage.at(0).toUpper() + stage.mid(1);
}

JobBoard::JobBoard(EngineClient& engine, panels::JobStrip& strip, QObject* parent) : QObject(parent), m_engine(engine), m_strip(strip)
{
    using panels::JobState;
    const auto setState = [this](JobState state) {
        return [this, state](qint64 id) { update(id, [state](Job& job) { job.entry.state = state; }); };
    };
    connect(&engine, &EngineClient::queued, this, setState(JobState::queued));
    connect(&engine, &EngineClient::paused, this, setState(JobState::paused));
    connect(&engine, &EngineClient::resumed, this, setState(JobState::running));
    connect(&engine, &EngineClient::started, this, [this](qint64 id) {
        update(id, [](Job& job) {
            job.entry.state = JobState::running;
            if (job.handlers.started)
                job.handlers.started();
        });
    });
    connect(&engine, &EngineClient::progress, this, [this](qint64 id, const QString& stage, qint64 done, qint64 total, double eta) {
        update(id, [&](Job& job) {
            job.entry.progress = {stageTitle(stage), double(done), double(total), eta < 0 ? std::nullopt : std::optional(eta)};
            if (job.handlers.progress)
                job.handlers.progress(job.entry.progress);
        });
    });
    connect(&engine, &EngineClient::event, this, [this](qint64 id, const QString& name, const QJsonObject& data) {
        const auto found = m_jobs.find(id);
        if (found != m_jobs.end() && found->second.handlers.event)
            found->second.handlers.event(name, data);
    });
    connect(&engine, &EngineClient::finished, this, [this](qint64 id, const QJsonObject& result) {
        const JobHandlers handlers = take(id, false);
        if (handlers.finished)
            handlers.finished(result);
    });
    connect(&engine, &EngineClient::cancelled, this, [this](qint64 id) {
        const JobHandlers handlers = take(id, false);
        if (handlers.cancelled)
            handlers.cancelled();
    });
    connect(&engine, &EngineClient::failed, this, [this](qint64 id, const QString& code, const QString& message) {
        update(id, [&](Job& job) {
            job.entry.state = JobState::failed;
            job.entry.message = message;
        });
        const JobHandlers handlers = take(id, true);
        if (handlers.failed)
            handlers.failed(code, message);
    });
    connect(&strip, &panels::JobStrip::cancelRequested, this, &JobBoard::cancel);
    connect(&strip, &panels::JobStrip::dismissed, &strip, &panels::JobStrip::removeJob);
}

qint64 JobBoard::run(const QString& title, const QStringList& command, JobHandlers handlers, link::Priority priority)
{
    const qint64 id = m_engine.run(command, priority);
    Job job;
    job.entry.id = id;
    job.entry.title = title;
    job.handlers = std::move(handlers);
    // The same thing tried again: how it failed before is no news any more.
    const auto [first, last] = m_failed.equal_range(title);
    std::for_each(first, last, [this](const auto& failed) { m_strip.removeJob(failed.second); });
    m_failed.erase(first, last);
    m_strip.setJob(job.entry);
    m_jobs.emplace(id, std::move(job));
    Q_EMIT changed();
    return id;
}

void JobBoard::forgetFailed()
{
    for (const auto& [title, id] : m_failed)
        m_strip.removeJob(id);
    m_failed.clear();
}

void JobBoard::cancel(qint64 id)
{
    update(id, [](Job& job) { job.entry.state = panels::JobState::cancelling; });
    m_engine.cancel(id);
}

qint64 JobBoard::current() const
{
    for (const auto& [id, job] : m_jobs)
        if (job.entry.state == panels::JobState::running)
            return id;
    return m_jobs.empty() ? 0 : m_jobs.begin()->first;
}

void JobBoard::update(qint64 id, const std::function<void(Job&)>& change)
{
    const auto found = m_jobs.find(id);
    if (found == m_jobs.end())
        return;
    const bool cancelling = found->second.entry.state == panels::JobState::cancelling;
    change(found->second);
    if (cancelling && found->second.entry.state == panels::JobState::running)
        found->second.entry.state = panels::JobState::cancelling;
    m_strip.setJob(found->second.entry);
}

JobHandlers JobBoard::take(qint64 id, bool keepLine)
{
    const auto found = m_jobs.find(id);
    if (found == m_jobs.end())
        return {};
    const QString title = found->second.entry.title;
    JobHandlers handlers = std::move(found->second.handlers);
    m_jobs.erase(found);
    if (keepLine)
        m_failed.emplace(title, id);
    else
        m_strip.removeJob(id);
    Q_EMIT changed();
    return handlers;
}

} // namespace voxelscribe::window
