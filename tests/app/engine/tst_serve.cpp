#include "engine_session.h"

#include <QTemporaryDir>

#include <csignal>

using voxelscribe::test::EngineSession;
using voxelscribe::test::isAlive;
using voxelscribe::test::longJob;
using voxelscribe::test::shortJob;

class TestServe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void greetsAndBeats()
    {
        EngineSession engine;
        const QJsonObject hello = engine.next("hello");
        QCOMPARE(engine.seen.size(), 1);
        QCOMPARE(hello.value("protocol").toInt(), 1);
        QCOMPARE(hello.value("pid").toInteger(), engine.process().processId());
        QVERIFY(!hello.value("version").toString().isEmpty());
        QVERIFY(!engine.next("heartbeat").isEmpty());
        QVERIFY(!engine.next("heartbeat").isEmpty());
    }

    void runsJobsOneAfterAnother()
    {
        QTemporaryDir folder;
        EngineSession engine;
        engine.run(1, shortJob(folder.filePath("a.tif")));
        engine.run(2, shortJob(folder.filePath("b.tif")));
        const QJsonObject result = engine.next("result", 2).value("result").toObject();
        QCOMPARE(result.value("voxels").toInt(), 3 * 40 * 50);
        QCOMPARE(engine.story(1), (QStringList{"queued", "started", "result"}));
        QCOMPARE(engine.story(2), (QStringList{"queued", "started", "result"}));
        const auto place = [&](int id, const QString& type) {
            for (qsizetype i = 0; i < engine.seen.size(); ++i)
                if (engine.seen[i].value("id") == id && engine.seen[i].value("type") == type)
                    return i;
            return qsizetype{-1};
        };
        QVERIFY(place(1, "result") < place(2, "started"));
        QVERIFY(QFile::exists(folder.filePath("b.tif")));
    }

    void relaysProgress()
    {
        QTemporaryDir folder;
        EngineSession engine;
        engine.run(4, shortJob(folder.filePath("Größe 1 µm.tif")));
        QVERIFY(!engine.next("result", 4).isEmpty());
        QList<QJsonObject> events;
        for (const QJsonObject& message : engine.seen)
            if (message.value("type") == "event")
                events << message;
        QVERIFY(!events.isEmpty());
        QCOMPARE(events.last().value("event").toString(), "progress");
        QCOMPARE(events.last().value("id").toInt(), 4);
        QCOMPARE(events.last().value("done").toInt(), 3);
        QCOMPARE(events.last().value("total").toInt(), 3);
        QVERIFY(events.last().contains("stage") && events.last().contains("eta"));
    }

    void letsAPreviewPass()
    {
        QTemporaryDir folder;
        EngineSession engine;
        engine.run(1, longJob(folder.filePath("long.tif")));
        QVERIFY(!engine.next("started", 1).isEmpty());
        engine.run(2, shortJob(folder.filePath("waits.tif")));
        engine.run(3, shortJob(folder.filePath("preview.tif")), "preview");
        QVERIFY(!engine.next("result", 3).isEmpty());
        QVERIFY(!engine.next("resumed", 1).isEmpty());
        QCOMPARE(engine.story(1), (QStringList{"queued", "started", "paused", "resumed"}));
        QCOMPARE(engine.story(2), QStringList{"queued"});
        QVERIFY2(!engine.next("event", 1).isEmpty(), "the paused job goes on");
        engine.cancel(2);
        engine.cancel(1);
        QVERIFY(!engine.next("cancelled", 1).isEmpty());
        QCOMPARE(engine.story(2), (QStringList{"queued", "cancelled"}));
    }

    void cancelsAPausedJob()
    {
        QTemporaryDir folder;
        EngineSession engine;
        engine.run(1, longJob(folder.filePath("long.tif")));
        QVERIFY(!engine.next("started", 1).isEmpty());
        engine.run(2, longJob(folder.filePath("preview.tif")), "preview");
        QVERIFY(!engine.next("paused", 1).isEmpty());
        engine.cancel(1);
        QVERIFY(!engine.next("cancelled", 1).isEmpty());
        engine.cancel(2);
        QVERIFY(!engine.next("cancelled", 2).isEmpty());
    }

    void cancelsAndLeavesNothingBehind()
    {
        QTemporaryDir folder;
        EngineSession engine;
        engine.run(1, longJob(folder.filePath("long.tif")));
        QVERIFY(!engine.next("event", 1).isEmpty());
        engine.cancel(1);
        QVERIFY(!engine.next("cancelled", 1).isEmpty());
        QVERIFY(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).isEmpty());
        engine.run(2, shortJob(folder.filePath("after.tif")));
        QVERIFY(!engine.next("result", 2).isEmpty());
    }

    void reportsFailuresAsTheCommandPutsThem_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("part");
        QTest::newRow("a missing input") << QStringList{"evaluate", "--truth", "/nowhere/t.tif", "--prediction", "/nowhere/p.tif"}
                                         << "io" << "/nowhere/t.tif";
        QTest::newRow("wrong usage") << QStringList{"phantom", "--no-such-option"} << "usage" << "";
        QTest::newRow("no such command") << QStringList{"frobnicate"} << "usage" << "frobnicate";
    }

    void reportsFailuresAsTheCommandPutsThem()
    {
        QFETCH(QStringList, command);
        QFETCH(QString, code);
        QFETCH(QString, part);
        EngineSession engine;
        engine.run(1, command);
        const QJsonObject error = engine.next("error", 1);
        QCOMPARE(error.value("code").toString(), code);
        QVERIFY2(error.value("message").toString().contains(part), qPrintable(error.value("message").toString()));
    }

    void reportsAJobThatIsKilled()
    {
        QTemporaryDir folder;
        EngineSession engine;
        engine.run(1, longJob(folder.filePath("long.tif")));
        const auto pid = static_cast<pid_t>(engine.next("started", 1).value("pid").toInteger());
        QVERIFY(pid > 0);
        QVERIFY(!engine.next("event", 1).isEmpty());
        ::kill(pid, SIGKILL);
        const QJsonObject error = engine.next("error", 1);
        QCOMPARE(error.value("code").toString(), "died");
        QVERIFY(error.value("message").toString().contains("signal 9"));
        QVERIFY(error.value("message").toString().contains("phantom"));
        QVERIFY(!QFile::exists(folder.filePath("long.tif")));
        engine.run(2, shortJob(folder.filePath("after.tif")));
        QVERIFY2(!engine.next("result", 2).isEmpty(), "the others are not harmed");
    }

    void takesItsJobsAlongWhenKilled()
    {
        QTemporaryDir folder;
        EngineSession engine;
        engine.run(1, longJob(folder.filePath("long.tif")));
        const qint64 normal = engine.next("started", 1).value("pid").toInteger();
        engine.run(2, longJob(folder.filePath("preview.tif")), "preview");
        const qint64 preview = engine.next("started", 2).value("pid").toInteger();
        QVERIFY(!engine.next("paused", 1).isEmpty());
        QVERIFY(isAlive(normal) && isAlive(preview));
        engine.process().kill();
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(preview), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(normal), 30000);
    }

    void endsItsJobsWhenTheWindowGoes_data()
    {
        QTest::addColumn<QByteArray>("how");
        QTest::newRow("the input ends") << QByteArray("eof");
        QTest::newRow("it is told to quit") << QByteArray("quit");
        QTest::newRow("it is asked to stop") << QByteArray("term");
    }

    void endsItsJobsWhenTheWindowGoes()
    {
        QFETCH(QByteArray, how);
        QTemporaryDir folder;
        EngineSession engine;
        engine.run(1, longJob(folder.filePath("long.tif")));
        const qint64 pid = engine.next("started", 1).value("pid").toInteger();
        QVERIFY(!engine.next("event", 1).isEmpty());
        if (how == "eof")
            engine.process().closeWriteChannel();
        else if (how == "quit")
            engine.send(R"({"type":"quit"})");
        else
            engine.process().terminate();
        QVERIFY(engine.process().waitForFinished(60000));
        QCOMPARE(engine.process().exitStatus(), QProcess::NormalExit);
        QVERIFY(!isAlive(pid));
        QVERIFY(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).isEmpty());
    }

    void answersMalformedRequests_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("id");
        QTest::newRow("words") << QByteArray("hello?") << 0;
        QTest::newRow("bytes that are not text") << QByteArray("\xff\xfe{}") << 0;
        QTest::newRow("an empty object") << QByteArray("{}") << 0;
        QTest::newRow("a run without a number") << QByteArray(R"({"type":"run","command":["info"]})") << 0;
        QTest::newRow("a run without a command") << QByteArray(R"({"type":"run","id":5})") << 5;
        QTest::newRow("another type") << QByteArray(R"({"type":"dance","id":5})") << 5;
        QTest::newRow("a server inside the server") << QByteArray(R"({"type":"run","id":5,"command":["serve"]})") << 5;
    }

    void answersMalformedRequests()
    {
        QFETCH(QByteArray, line);
        QFETCH(int, id);
        EngineSession engine;
        engine.send(line);
        const QJsonObject error = engine.next("error");
        QCOMPARE(error.value("id").toInt(), id);
        QCOMPARE(error.value("code").toString(), "format");
        QTemporaryDir folder;
        engine.run(7, shortJob(folder.filePath("after.tif")));
        QVERIFY2(!engine.next("result", 7).isEmpty(), "it goes on after that");
    }

    void survivesALineWithoutEnd()
    {
        EngineSession engine;
        const QByteArray piece(1 << 20, 'x');
        for (int i = 0; i < 20; ++i)
            engine.process().write(piece);
        engine.send("");
        QTemporaryDir folder;
        engine.run(1, shortJob(folder.filePath("after.tif")));
        QVERIFY(!engine.next("result", 1).isEmpty());
    }

    void refusesANumberInUse()
    {
        QTemporaryDir folder;
        EngineSession engine;
        engine.run(1, longJob(folder.filePath("long.tif")));
        QVERIFY(!engine.next("started", 1).isEmpty());
        engine.run(1, shortJob(folder.filePath("other.tif")));
        QVERIFY2(!engine.next("error", 0).isEmpty(), "the job that runs must not look failed");
        engine.cancel(1);
        QVERIFY(!engine.next("cancelled", 1).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestServe)
#include "tst_serve.moc"
