#pragma once

#include "core/link/line_buffer.h"
#include "core/link/messages.h"

#include <QByteArray>
#include <QHash>
#include <QJsonObject>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <string_view>

class QProcess;

namespace voxelscribe::window {

/// Runs the engine's commands in a child process that serves them one after another. Everything is asynchronous: no call
/// blocks, and no signal is sent from inside `run` or `cancel`. The engine starts with the first job, and anew with the
/// first one after its death.
///
/// Each job ends with exactly one of `finished`, `failed` and `cancelled`. A job that the engine took along when it died
/// fails with the code "died", one for which there is no engine with "missing", after `engineDied` or `engineMissing`.
class EngineClient : public QObject {
    Q_OBJECT
public:
    /// `program` is the engine's file; by default voxelscribe-engine beside this program.
    explicit EngineClient(QString program = {}, QObject* parent = nullptr);
    /// Lets the engine end its jobs in order, and kills it if that takes more than a few seconds.
    ~EngineClient() override;

    /// Queues a command line, for example {"predict", "--image", …}. A preview passes the job that runs, which pauses meanwhile.
    qint64 run(const QStringList& command, link::Priority priority = link::Priority::normal);
    void cancel(qint64 id);
    /// Ends an engine that does not answer; its jobs are lost, what they had finished is kept.
    void killEngine();

    bool isBusy() const { return !m_jobs.isEmpty(); }
    QString program() const { return m_program; }
    /// Process id of the engine, 0 while none runs.
    qint64 enginePid() const;
    /// After so many seconds without a heartbeat the engine counts as silent.
    void setSilenceLimit(int seconds) { m_silenceLimit = seconds; }

Q_SIGNALS:
    void queued(qint64 id);
    void started(qint64 id);
    void paused(qint64 id);
    void resumed(qint64 id);
    /// `etaSeconds` is negative where nobody can tell yet.
    void progress(qint64 id, const QString& stage, qint64 done, qint64 total, double etaSeconds);
    /// What else a job tells: "epoch", "chunk", "notice"…
    void event(qint64 id, const QString& name, const QJsonObject& data);
    void finished(qint64 id, const QJsonObject& result);
    void failed(qint64 id, const QString& code, const QString& message);
    void cancelled(qint64 id);
    void engineDied(const QString& lastWords, const QList<qint64>& lostJobs);
    void engineMissing(const QString& message);
    /// The engine runs but has said nothing for too long; `engineHeard` follows if it comes back.
    void engineSilent(const QString& message);
    void engineHeard();

private:
    struct Job {
        QStringList command;
        link::Priority priority = link::Priority::normal;
        bool isSent = false;
    };

    void ensureStarted();
    void startProcess();
    void sendPending();
    void send(const nlohmann::json& message);
    void readOutput();
    void readError();
    void onLine(std::string_view line);
    void onMessage(const QJsonObject& message);
    void onEvent(qint64 id, const QJsonObject& message);
    void onHello(const QJsonObject& message);
    void onProcessFinished();
    void onStartFailed(const QString& message);
    void onTick();
    QString describeEnd() const;
    QList<qint64> takeJobs();

    QString m_program;
    QPointer<QProcess> m_process;
    QHash<qint64, Job> m_jobs;
    qint64 m_lastId = 0;
    link::LineBuffer m_lines;
    QByteArray m_errorTail;
    QTimer m_tick;
    int m_silenceLimit = 10;
    int m_silentTicks = 0;
    bool m_saidSilent = false;
};

} // namespace voxelscribe::window
