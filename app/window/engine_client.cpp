#include "app/window/engine_client.h"

#include <QCoreApplication>
#include <QDebug>
#include <QJsonDocument>
#include <QProcess>

#include <algorithm>
#include <utility>

namespace voxelscribe::window {

namespace {

constexpr int kErrorTailBytes = 8192;
constexpr int kLastLines = 6;
constexpr int kFarewellMs = 3000;

QJsonObject objectOf(std::string_view line)
{
    const QByteArray bytes(line.data(), static_cast<qsizetype>(line.size()));
    QJsonDocument document = QJsonDocument::fromJson(bytes);
    if (document.isNull()) // a byte that is not UTF-8 must not cost the whole message
        document = QJsonDocument::fromJson(QString::fromUtf8(bytes).toUtf8());
    return document.object();
}

} // namespace

EngineClient::EngineClient(QString program, QObject* parent) : QObject(parent), m_program(std::move(program))
{
    if (m_program.isEmpty())
        m_program = QCoreApplication::applicationDirPath() + QStringLiteral("/voxelscribe-engine");
    m_tick.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, &EngineClient::onTick);
}

EngineClient::~EngineClient()
{
    if (!m_process || m_process->state() == QProcess::NotRunning)
        return;
    m_process->disconnect(this);
    m_process->closeWriteChannel();
    m_process->waitForFinished(kFarewellMs); // what is left of it goes down with the QProcess
    delete m_process;
}

qint64 EngineClient::enginePid() const
{
    return m_process ? m_process->processId() : 0;
}

qint64 EngineClient::run(const QStringList& command, link::Priority priority)
{
    const qint64 id = ++m_lastId;
    m_jobs.insert(id, {command, priority, false});
    QMetaObject::invokeMethod(this, &EngineClient::ensureStarted, Qt::QueuedConnection);
    return id;
}

void EngineClient::cancel(qint64 id)
{
    const auto job = m_jobs.constFind(id);
    if (job == m_jobs.constEnd())
        return;
    if (job->isSent)
        return send({{"type", "cancel"}, {"id", id}});
    m_jobs.erase(job);
    QMetaObject::invokeMethod(this, [this, id] { Q_EMIT cancelled(id); }, Qt::QueuedConnection);
}

void EngineClient::killEngine()
{
    if (m_process)
        m_process->kill();
}

void EngineClient::ensureStarted()
{
    if (m_jobs.isEmpty())
        return;
    if (!m_process)
        startProcess();
    else if (m_process->state() == QProcess::Running)
        sendPending();
}

void EngineClient::startProcess()
{
    m_lines = link::LineBuffer();
    m_errorTail.clear();
    m_silentTicks = 0;
    m_saidSilent = false;
    m_process = new QProcess(this);
    connect(m_process, &QProcess::started, this, &EngineClient::sendPending);
    connect(m_process, &QProcess::readyReadStandardOutput, this, &EngineClient::readOutput);
    connect(m_process, &QProcess::readyReadStandardError, this, &EngineClient::readError);
    connect(m_process, &QProcess::finished, this, &EngineClient::onProcessFinished);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            onStartFailed(tr("The engine %1 cannot be started: %2. Install Voxelscribe again so that both programs lie in one "
                             "folder. Looking and painting go on without it.").arg(m_program, m_process->errorString()));
    });
    m_tick.start();
    m_process->start(m_program, {QStringLiteral("serve")});
}

void EngineClient::sendPending()
{
    QList<qint64> ids = m_jobs.keys();
    std::sort(ids.begin(), ids.end());
    for (const qint64 id : std::as_const(ids)) {
        Job& job = m_jobs[id];
        if (std::exchange(job.isSent, true))
            continue;
        link::RunRequest request{id, job.priority, {}};
        for (const QString& word : std::as_const(job.command))
            request.command.push_back(word.toStdString());
        send(link::toJson(request));
    }
}

void EngineClient::send(const nlohmann::json& message)
{
    if (m_process)
        m_process->write(QByteArray::fromStdString(link::toLine(message)));
}

void EngineClient::readOutput()
{
    const QByteArray bytes = m_process->readAllStandardOutput();
    if (bytes.isEmpty())
        return;
    m_silentTicks = 0;
    if (std::exchange(m_saidSilent, false))
        Q_EMIT engineHeard();
    m_lines.add({bytes.constData(), static_cast<std::size_t>(bytes.size())}, [this](std::string_view line) { onLine(line); });
}

void EngineClient::readError()
{
    m_errorTail += m_process->readAllStandardError();
    m_errorTail = m_errorTail.right(kErrorTailBytes);
}

void EngineClient::onLine(std::string_view line)
{
    const QJsonObject message = objectOf(line);
    if (!message.isEmpty()) // what a login shell or a launcher prints is no message
        onMessage(message);
}

void EngineClient::onMessage(const QJsonObject& message)
{
    const QString type = message.value(u"type").toString();
    const qint64 id = message.value(u"id").toInteger();
    if (type == u"hello")
        return onHello(message);
    if (type == u"error" && id == 0)
        qWarning().noquote() << "engine:" << message.value(u"message").toString();
    if (!m_jobs.contains(id))
        return;
    if (type == u"queued")
        Q_EMIT queued(id);
    else if (type == u"started")
        Q_EMIT started(id);
    else if (type == u"paused")
        Q_EMIT paused(id);
    else if (type == u"resumed")
        Q_EMIT resumed(id);
    else if (type == u"event")
        onEvent(id, message);
    else if (type == u"result" && m_jobs.remove(id))
        Q_EMIT finished(id, message.value(u"result").toObject());
    else if (type == u"error" && m_jobs.remove(id))
        Q_EMIT failed(id, message.value(u"code").toString(), message.value(u"message").toString());
    else if (type == u"cancelled" && m_jobs.remove(id))
        Q_EMIT cancelled(id);
}

void EngineClient::onEvent(qint64 id, const QJsonObject& message)
{
    const QString name = message.value(u"event").toString();
    if (name == u"progress")
        Q_EMIT progress(id, message.value(u"stage").toString(), message.value(u"done").toInteger(),
                        message.value(u"total").toInteger(), message.value(u"eta").toDouble(-1));
    else
        Q_EMIT event(id, name, message);
}

void EngineClient::onHello(const QJsonObject& message)
{
    const int protocol = message.value(u"protocol").toInt();
    if (protocol == link::kProtocol || !m_process)
        return;
    m_process->disconnect(this);
    m_process->kill();
    onStartFailed(tr("The engine %1 is of another version (%2): it speaks protocol %3, this window protocol %4. "
                     "Install Voxelscribe again so that both programs are of one version.")
                      .arg(m_program, message.value(u"version").toString())
                      .arg(protocol)
                      .arg(link::kProtocol));
}

QList<qint64> EngineClient::takeJobs()
{
    QList<qint64> ids = m_jobs.keys();
    std::sort(ids.begin(), ids.end());
    m_jobs.clear();
    return ids;
}

void EngineClient::onStartFailed(const QString& message)
{
    m_tick.stop();
    m_process->deleteLater();
    m_process.clear();
    const QList<qint64> lost = takeJobs();
    Q_EMIT engineMissing(message);
    for (const qint64 id : lost)
        Q_EMIT failed(id, QStringLiteral("missing"), message);
}

QString EngineClient::describeEnd() const
{
    QStringList lines = QString::fromUtf8(m_errorTail).split(u'\n', Qt::SkipEmptyParts);
    lines = lines.mid(std::max<qsizetype>(0, lines.size() - kLastLines));
    const QString end = m_process->exitStatus() == QProcess::CrashExit
                            ? tr("The engine was ended by signal %1").arg(m_process->exitCode())
                            : tr("The engine ended with status %1").arg(m_process->exitCode());
    return lines.isEmpty() ? end + tr(" and left no last words.") : end + tr(". Its last words: ") + lines.join(u'\n');
}

void EngineClient::onProcessFinished()
{
    readOutput();
    readError();
    m_tick.stop();
    const QString words = describeEnd();
    m_process->deleteLater();
    m_process.clear();
    const QList<qint64> lost = takeJobs();
    Q_EMIT engineDied(words, lost);
    for (const qint64 id : lost)
        Q_EMIT failed(id, QStringLiteral("died"), words);
}

void EngineClient::onTick()
{
    // Ticks, not a clock: a window that was itself held up for long must not blame the engine.
    if (++m_silentTicks <= m_silenceLimit || m_saidSilent)
        return;
    m_saidSilent = true;
    Q_EMIT engineSilent(tr("The engine has not answered for %1 seconds. The computer may be out of memory or its disk may hang; "
                           "wait, or end the engine: what it has finished is kept.").arg(m_silentTicks));
}

} // namespace voxelscribe::window
