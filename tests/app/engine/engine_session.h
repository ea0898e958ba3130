#pragma once

#include <QDeadlineTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QProcess>
#include <QStringList>
#include <QtTest/QtTest>

#include <fstream>
#include <string>

namespace voxelscribe::test {

/// `voxelscribe-engine serve` as the window sees it: requests in, messages out.
class EngineSession {
public:
    EngineSession()
    {
        m_process.start(QStringLiteral(VOXELSCRIBE_ENGINE), {QStringLiteral("serve")});
        m_process.waitForStarted();
    }

    ~EngineSession()
    {
        m_process.closeWriteChannel();
        m_process.waitForFinished(15000);
    }

    QProcess& process() { return m_process; }
    void send(const QByteArray& line) { m_process.write(line + '\n'); }

    void run(int id, const QStringList& command, const QString& priority = QStringLiteral("normal"))
    {
        const QJsonObject request{{"type", "run"}, {"id", id}, {"priority", priority}, {"command", QJsonArray::fromStringList(command)}};
        send(QJsonDocument(request).toJson(QJsonDocument::Compact));
    }

    void cancel(int id) { send(QStringLiteral("{\"type\":\"cancel\",\"id\":%1}").arg(id).toUtf8()); }

    /// The next message of `type` about job `id`, an empty object after a long wait. What is passed over goes into `seen`.
    QJsonObject next(const QString& type, int id = -1)
    {
        const auto deadline = QDeadlineTimer(60000);
        while (!deadline.hasExpired()) {
            while (m_process.canReadLine()) {
                const QJsonObject message = QJsonDocument::fromJson(m_process.readLine()).object();
                seen << message;
                if (message.value("type") == type && (id < 0 || message.value("id") == id))
                    return message;
            }
            m_process.waitForReadyRead(200);
        }
        return {};
    }

    /// Types of the messages about job `id` so far, events left out.
    QStringList story(int id) const
    {
        QStringList types;
        for (const QJsonObject& message : seen)
            if (message.value("id") == id && message.value("type") != "event")
                types << message.value("type").toString();
        return types;
    }

    QList<QJsonObject> seen;

private:
    QProcess m_process;
};

/// A job that takes minutes if nobody ends it, with little on disk meanwhile.
inline QStringList longJob(const QString& output)
{
    return {QStringLiteral("phantom"), output, QStringLiteral("--shape"), QStringLiteral("3000000,32,32"),
            QStringLiteral("--dtype"), QStringLiteral("uint8")};
}

inline QStringList shortJob(const QString& output)
{
    return {QStringLiteral("phantom"), output, QStringLiteral("--shape"), QStringLiteral("3,40,50")};
}

/// Whether the process is there and not only waiting to be collected.
inline bool isAlive(qint64 pid)
{
    std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    if (!std::getline(in, line))
        return false;
    const char state = line.at(line.rfind(')') + 2);
    return state != 'Z' && state != 'X';
}

} // namespace voxelscribe::test
