#include "app/window/engine_client.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <algorithm>
#include <csignal>
#include <memory>

using voxelscribe::link::Priority;
using voxelscribe::window::EngineClient;

namespace {

constexpr int kLong = 60000;

QStringList longJob(const QString& output)
{
    return {"phantom", output, "--shape", "3000000,32,32", "--dtype", "uint8"};
}

QStringList shortJob(const QString& output)
{
    return {"phantom", output, "--shape", "3,40,50"};
}

/// A program that plays an engine: a shell script with these lines.
QString scriptedEngine(const QTemporaryDir& folder, const QByteArray& lines)
{
    const QString path = folder.filePath("engine with a space");
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("#!/bin/bash\n" + lines);
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
}

bool hasJob(const QSignalSpy& spy, qint64 id)
{
    return std::any_of(spy.begin(), spy.end(), [id](const QList<QVariant>& arguments) { return arguments.first().toLongLong() == id; });
}

/// A client of this build's engine and everything it says.
struct Ears {
    explicit Ears(const QString& program = QStringLiteral(VOXELSCRIBE_ENGINE)) : client(program) {}

    EngineClient client;
    QSignalSpy started{&client, &EngineClient::started};
    QSignalSpy paused{&client, &EngineClient::paused};
    QSignalSpy resumed{&client, &EngineClient::resumed};
    QSignalSpy progress{&client, &EngineClient::progress};
    QSignalSpy event{&client, &EngineClient::event};
    QSignalSpy finished{&client, &EngineClient::finished};
    QSignalSpy failed{&client, &EngineClient::failed};
    QSignalSpy cancelled{&client, &EngineClient::cancelled};
    QSignalSpy died{&client, &EngineClient::engineDied};
    QSignalSpy missing{&client, &EngineClient::engineMissing};
    QSignalSpy silent{&client, &EngineClient::engineSilent};
    QSignalSpy heard{&client, &EngineClient::engineHeard};
};

} // namespace

class TestEngineClient : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsAJob()
    {
        QTemporaryDir folder;
        Ears ears;
        QCOMPARE(ears.client.enginePid(), 0);
        const QString output = folder.filePath("Größe 1.tif");
        const qint64 id = ears.client.run(shortJob(output));
        QVERIFY(ears.client.isBusy());
        QVERIFY2(ears.started.isEmpty(), "nothing is said from inside run");
        QTRY_COMPARE_WITH_TIMEOUT(ears.finished.size(), 1, kLong);
        QCOMPARE(ears.finished[0][0].toLongLong(), id);
        QCOMPARE(ears.finished[0][1].toJsonObject().value("output").toString(), output);
        QVERIFY(QFile::exists(output));
        QVERIFY(!ears.client.isBusy());
        QCOMPARE(ears.started.size(), 1);
        QVERIFY(!ears.progress.isEmpty());
        QCOMPARE(ears.progress.last()[1].toString(), "phantom");
        QCOMPARE(ears.progress.last()[2].toLongLong(), 3);
        QCOMPARE(ears.progress.last()[3].toLongLong(), 3);
        QVERIFY(ears.failed.isEmpty() && ears.cancelled.isEmpty() && ears.died.isEmpty());
    }

    void passesFailuresOn()
    {
        Ears ears;
        const qint64 id = ears.client.run({"evaluate", "--truth", "/nowhere/a.tif", "--prediction", "/nowhere/b.tif"});
        QTRY_COMPARE_WITH_TIMEOUT(ears.failed.size(), 1, kLong);
        QCOMPARE(ears.failed[0][0].toLongLong(), id);
        QCOMPARE(ears.failed[0][1].toString(), "io");
        QVERIFY(ears.failed[0][2].toString().contains("/nowhere/a.tif"));
    }

    void letsAPreviewPassALongJob()
    {
        QTemporaryDir folder;
        Ears ears;
        const qint64 job = ears.client.run(longJob(folder.filePath("long.tif")));
        QTRY_VERIFY_WITH_TIMEOUT(!ears.progress.isEmpty(), kLong);
        const qint64 preview = ears.client.run(shortJob(folder.filePath("preview.tif")), Priority::preview);
        QTRY_VERIFY_WITH_TIMEOUT(hasJob(ears.finished, preview), kLong);
        QTRY_VERIFY_WITH_TIMEOUT(hasJob(ears.resumed, job), kLong);
        QVERIFY(hasJob(ears.paused, job));
        ears.client.cancel(job);
        QTRY_VERIFY_WITH_TIMEOUT(hasJob(ears.cancelled, job), kLong);
        QVERIFY(!QFile::exists(folder.filePath("long.tif")));
    }

    void cancelsBeforeTheEngineIsUp()
    {
        QTemporaryDir folder;
        Ears ears;
        const qint64 id = ears.client.run(shortJob(folder.filePath("a.tif")));
        ears.client.cancel(id);
        ears.client.cancel(4711);
        QVERIFY(ears.cancelled.isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(ears.cancelled.size(), 1, kLong);
        QVERIFY(!ears.client.isBusy());
        QVERIFY(!QFile::exists(folder.filePath("a.tif")));
    }

    void tellsOfADeadEngineAndStartsItAnew()
    {
        QTemporaryDir folder;
        Ears ears;
        const qint64 first = ears.client.run(longJob(folder.filePath("long.tif")));
        const qint64 second = ears.client.run(shortJob(folder.filePath("waits.tif")));
        QTRY_VERIFY_WITH_TIMEOUT(!ears.progress.isEmpty(), kLong);
        ::kill(static_cast<pid_t>(ears.client.enginePid()), SIGKILL);
        QTRY_COMPARE_WITH_TIMEOUT(ears.died.size(), 1, kLong);
        QVERIFY(ears.died[0][0].toString().contains("signal 9"));
        QCOMPARE(ears.died[0][1].value<QList<qint64>>(), (QList<qint64>{first, second}));
        QVERIFY(hasJob(ears.failed, first) && hasJob(ears.failed, second));
        QCOMPARE(ears.failed[0][1].toString(), "died");
        QVERIFY(!ears.client.isBusy());
        const qint64 third = ears.client.run(shortJob(folder.filePath("after.tif")));
        QTRY_VERIFY_WITH_TIMEOUT(hasJob(ears.finished, third), kLong);
    }

    void saysWhenThereIsNoEngine_data()
    {
        QTest::addColumn<QString>("program");
        QTest::newRow("missing") << "/nowhere/voxelscribe-engine";
        QTest::newRow("no program") << "/etc/hostname";
        QTest::newRow("a folder") << "/tmp";
    }

    void saysWhenThereIsNoEngine()
    {
        QFETCH(QString, program);
        Ears ears(program);
        const qint64 id = ears.client.run({"info", "x"});
        QVERIFY(ears.missing.isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(ears.missing.size(), 1, kLong);
        QVERIFY(ears.missing[0][0].toString().contains(program));
        QVERIFY(hasJob(ears.failed, id));
        QCOMPARE(ears.failed[0][1].toString(), "missing");
        QVERIFY(!ears.client.isBusy());
        ears.client.run({"info", "x"});
        QTRY_COMPARE_WITH_TIMEOUT(ears.missing.size(), 2, kLong);
    }

    void looksBesideItsOwnProgram()
    {
        EngineClient client;
        QCOMPARE(client.program(), QCoreApplication::applicationDirPath() + "/voxelscribe-engine");
    }

    void bringsTheLastWordsOfItsEngine()
    {
        QTemporaryDir folder;
        Ears ears(scriptedEngine(folder, "echo 'symbol lookup error: libfoo' >&2\nexit 127\n"));
        ears.client.run({"info", "x"});
        QTRY_COMPARE_WITH_TIMEOUT(ears.died.size(), 1, kLong);
        QVERIFY2(ears.died[0][0].toString().contains("symbol lookup error: libfoo"), qPrintable(ears.died[0][0].toString()));
        QVERIFY(ears.died[0][0].toString().contains("127"));
    }

    void refusesAnEngineOfAnotherVersion()
    {
        QTemporaryDir folder;
        Ears ears(scriptedEngine(folder, R"(echo '{"type":"hello","protocol":99,"version":"9.0.0"}'; sleep 60)"));
        ears.client.run({"info", "x"});
        QTRY_COMPARE_WITH_TIMEOUT(ears.missing.size(), 1, kLong);
        QVERIFY(ears.missing[0][0].toString().contains("9.0.0"));
        QVERIFY(ears.died.isEmpty());
    }

    void readsOnPastRubbish()
    {
        QTemporaryDir folder;
        Ears ears(scriptedEngine(folder, "echo 'Welcome to the cluster'\n"
                                         "head -c 20000000 /dev/zero | tr '\\0' x; echo\n"
                                         R"(echo '{"type":"hello","protocol":1,"version":"x"}'; read request)"
                                         "\n"
                                         R"(printf '{"type":"event","id":1,"event":"notice","text":"caf\xe9"}\n')"
                                         "\n"
                                         R"(echo '{"type":"result","id":99,"result":{}}'; echo '{"type":"result","id":1,"result":{"a":1}}'; cat)"));
        ears.client.run({"info", "x"});
        QTRY_COMPARE_WITH_TIMEOUT(ears.finished.size(), 1, kLong);
        QCOMPARE(ears.finished[0][1].toJsonObject().value("a").toInt(), 1);
        QCOMPARE(ears.event.size(), 1);
        QCOMPARE(ears.event[0][1].toString(), "notice");
        QCOMPARE(ears.event[0][2].toJsonObject().value("text").toString(), QString::fromUtf8("caf\xef\xbf\xbd"));
    }

    void noticesAnEngineThatHangs()
    {
        QTemporaryDir folder;
        Ears ears;
        ears.client.setSilenceLimit(5);
        ears.client.run(longJob(folder.filePath("long.tif")));
        QTRY_VERIFY_WITH_TIMEOUT(!ears.progress.isEmpty(), kLong);
        QVERIFY(ears.silent.isEmpty());
        const auto pid = static_cast<pid_t>(ears.client.enginePid());
        ::kill(pid, SIGSTOP);
        QTRY_COMPARE_WITH_TIMEOUT(ears.silent.size(), 1, kLong);
        ::kill(pid, SIGCONT);
        QTRY_COMPARE_WITH_TIMEOUT(ears.heard.size(), 1, kLong);
        QVERIFY(ears.died.isEmpty());
        ears.client.killEngine();
        QTRY_COMPARE_WITH_TIMEOUT(ears.died.size(), 1, kLong);
    }

    void endsItsEngineWhenItGoes()
    {
        QTemporaryDir folder;
        auto ears = std::make_unique<Ears>();
        ears->client.run(longJob(folder.filePath("long.tif")));
        QTRY_VERIFY_WITH_TIMEOUT(!ears->progress.isEmpty(), kLong);
        const auto pid = static_cast<pid_t>(ears->client.enginePid());
        ears.reset();
        QCOMPARE(::kill(pid, 0), -1);
        QTRY_VERIFY_WITH_TIMEOUT(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).isEmpty(), kLong);
    }
};

QTEST_GUILESS_MAIN(TestEngineClient)
#include "tst_engine_client.moc"
