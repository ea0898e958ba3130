#pragma once

#include "app/window/engine_client.h"
#include "widgets/panels/job_strip.h"

#include <QObject>
#include <functional>
#include <map>

namespace voxelscribe::window {

/// What is done with the news of one job. All of them are optional.
struct JobHandlers {
    std::function<void()> started;
    std::function<void(const common::JobProgress& progress)> progress;
    std::function<void(const QString& name, const QJsonObject& data)> event;
    std::function<void(const QJsonObject& result)> finished;
    std::function<void(const QString& code, const QString& message)> failed;
    std::function<void()> cancelled;
};

/// Gives jobs to the engine, brings their news to who asked for them, and shows all of them in the strip.
class JobBoard : public QObject {
    Q_OBJECT
public:
    JobBoard(EngineClient& engine, panels::JobStrip& strip, QObject* parent = nullptr);

    qint64 run(const QString& title, const QStringList& command, JobHandlers handlers, link::Priority priority = link::Priority::normal);
    void cancel(qint64 id);
    /// Takes the lines of failed jobs away, for example since their stack is closed.
    void forgetFailed();
    /// The job that runs; 0: none.
    qint64 current() const;
    int count() const { return int(m_jobs.size()); }

Q_SIGNALS:
    /// The number of jobs has changed.
    void changed();

private:
    struct Job {
        panels::JobEntry entry;
        JobHandlers handlers;
    };
    void update(qint64 id, const std::function<void(Job&)>& change);
    JobHandlers take(qint64 id, bool keepLine);

    EngineClient& m_engine;
    panels::JobStrip& m_strip;
    std::map<qint64, Job> m_jobs;
    std::multimap<QString, qint64> m_failed;        ///< lines that still tell of a failure
};

/// Words for a stage of the engine: "predict" → "Segmenting".
QString stageTitle(const QString& stage);

} // namespace voxelscribe::window
