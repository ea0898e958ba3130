#include "engine_session.h"
#include "support/run_program.h"

#include <QTemporaryDir>

#include <csignal>

using voxelscribe::test::Finished;
using voxelscribe::test::longJob;
using voxelscribe::test::runEngine;
using voxelscribe::test::runProgram;

namespace {

QJsonObject lastObject(const QString& out)
{
    const QStringList lines = out.split('\n', Qt::SkipEmptyParts);
    return lines.isEmpty() ? QJsonObject{} : QJsonDocument::fromJson(lines.last().toUtf8()).object();
}

} // namespace

class TestEngineCli : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatItIs()
    {
        const Finished version = runEngine({"--version"});
        QCOMPARE(version.exitCode, 0);
        QVERIFY(version.out.startsWith("voxelscribe-engine "));
        const Finished help = runEngine({"phantom", "--help"});
        QCOMPARE(help.exitCode, 0);
        for (const char* word : {"--shape", "--json", "--memory", "--threads", "--device", "--seed"})
            QVERIFY2(help.out.contains(word), word);
    }

    void refusesWrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("nothing") << QStringList{};
        QTest::newRow("no such command") << QStringList{"frobnicate"};
        QTest::newRow("no such option") << QStringList{"phantom", "a.tif", "--shape", "1,2,3", "--colour"};
        QTest::newRow("an option is missing") << QStringList{"phantom", "a.tif"};
        QTest::newRow("two numbers for three") << QStringList{"phantom", "a.tif", "--shape", "1,2"};
        QTest::newRow("words for numbers") << QStringList{"phantom", "a.tif", "--shape", "1,two,3"};
        QTest::newRow("an empty shape") << QStringList{"phantom", "a.tif", "--shape", "1,0,3"};
        QTest::newRow("no such sample type") << QStringList{"phantom", "a.tif", "--shape", "1,2,3", "--dtype", "uint7"};
        QTest::newRow("one name twice") << QStringList{"phantom", "a.tif", "--shape", "1,2,3", "--labels", "a.tif"};
        QTest::newRow("no memory size") << QStringList{"phantom", "a.tif", "--shape", "1,2,3", "--memory", "much"};
        QTest::newRow("no number of threads") << QStringList{"phantom", "a.tif", "--shape", "1,2,3", "--threads", "0"};
        QTest::newRow("no device") << QStringList{"phantom", "a.tif", "--shape", "1,2,3", "--device", "gpu"};
        QTest::newRow("no seed") << QStringList{"phantom", "a.tif", "--shape", "1,2,3", "--seed", "x"};
    }

    void refusesWrongUsage()
    {
        QFETCH(QStringList, arguments);
        const Finished finished = runEngine(arguments);
        QCOMPARE(finished.exitCode, 2);
        QVERIFY(finished.err.startsWith("error: "));
        QCOMPARE(finished.err.count('\n'), 1);
        QCOMPARE(finished.out, QString());
        QVERIFY(!QFile::exists("a.tif"));
        const Finished asJson = runEngine(arguments + QStringList{"--json"});
        QCOMPARE(asJson.exitCode, 2);
        QCOMPARE(lastObject(asJson.out).value("error").toObject().value("code").toString(), "usage");
    }

    void failsWithOneLine_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("code");
        QTest::newRow("a missing input") << QStringList{"evaluate", "--truth", "/nowhere/Größe 1.tif", "--prediction", "/nowhere/p.tif"} << "io";
        QTest::newRow("a folder that is not there") << QStringList{"phantom", "/nowhere/Größe 1.tif", "--shape", "3,4,5"} << "io";
        QTest::newRow("a file format that is none") << QStringList{"phantom", "Größe 1.docx", "--shape", "3,4,5"} << "format";
    }

    void failsWithOneLine()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, code);
        const Finished plain = runEngine(arguments);
        QCOMPARE(plain.exitCode, 1);
        QVERIFY2(plain.err.startsWith("error: ") && plain.err.contains("Größe 1"), qPrintable(plain.err));
        QCOMPARE(plain.err.count('\n'), 1);
        QCOMPARE(plain.out, QString());
        const Finished asJson = runEngine(arguments + QStringList{"--json"});
        QCOMPARE(asJson.exitCode, 1);
        const QJsonObject error = lastObject(asJson.out).value("error").toObject();
        QCOMPARE(error.value("code").toString(), code);
        QVERIFY(asJson.err.contains(error.value("message").toString()));
    }

    void refusesToReplaceAFileUnasked()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("there already.tif");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("precious");
        file.close();
        QCOMPARE(runEngine({"phantom", path, "--shape", "2,3,4"}).exitCode, 1);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("precious"));
        QCOMPARE(runEngine({"phantom", path, "--shape", "2,3,4", "--overwrite"}).exitCode, 0);
        QVERIFY(QFileInfo(path).size() > 8);
    }

    void givesJsonLinesWithTheResultLast()
    {
        QTemporaryDir folder;
        const Finished finished = runEngine({"phantom", folder.filePath("a.tif"), "--shape", "9,31,47", "--json"});
        QCOMPARE(finished.exitCode, 0);
        QCOMPARE(finished.err, QString());
        const QStringList lines = finished.out.split('\n', Qt::SkipEmptyParts);
        QVERIFY(lines.size() >= 2);
        for (const QString& line : lines.mid(0, lines.size() - 1)) {
            const QJsonObject event = QJsonDocument::fromJson(line.toUtf8()).object();
            QCOMPARE(event.value("event").toString(), "progress");
            QCOMPARE(event.value("stage").toString(), "phantom");
            QCOMPARE(event.value("total").toInt(), 9);
            QVERIFY(event.contains("done") && event.contains("eta"));
        }
        QCOMPARE(QJsonDocument::fromJson(lines[lines.size() - 2].toUtf8()).object().value("done").toInt(), 9);
        const QJsonObject result = lastObject(finished.out);
        QCOMPARE(result.value("voxels").toInt(), 9 * 31 * 47);
        QCOMPARE(result.value("output").toString(), folder.filePath("a.tif"));
        QVERIFY(result.value("seconds").toDouble() > 0);
        QVERIFY(result.value("peakMemoryBytes").toInteger() > 1 << 20);
    }

    void stopsCleanly_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("Ctrl+C") << SIGINT;
        QTest::newRow("asked to end") << SIGTERM;
        QTest::newRow("its terminal closed") << SIGHUP;
    }

    void stopsCleanly()
    {
        QFETCH(int, signal);
        QTemporaryDir folder;
        QProcess process;
        process.start(VOXELSCRIBE_ENGINE, longJob(folder.filePath("long.tif")) + QStringList{"--json"});
        QVERIFY(process.waitForStarted());
        QVERIFY(process.waitForReadyRead(60000)); // its first progress
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QCOMPARE(lastObject(process.readAllStandardOutput()).value("error").toObject().value("code").toString(), "cancelled");
        QVERIFY(process.readAllStandardError().startsWith("error: cancelled"));
        QVERIFY2(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).isEmpty(), "no half file stays");
    }

    void goesOnWhenItsReaderGoes()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("a.tif");
        const QString line = QStringLiteral("'%1' phantom '%2' --shape 200,100,100 --json | true").arg(VOXELSCRIBE_ENGINE, path);
        QCOMPARE(runProgram("bash", {"-c", "set -o pipefail; " + line}).exitCode, 0);
        QVERIFY(QFile::exists(path));
    }

    void showsABarOnATerminal()
    {
        if (QStandardPaths::findExecutable("script").isEmpty())
            QSKIP("no script program to play a terminal");
        QTemporaryDir folder;
        const QString line = QStringLiteral("'%1' phantom '%2' --shape 300,64,64").arg(VOXELSCRIBE_ENGINE, folder.filePath("a.tif"));
        const Finished finished = runProgram("script", {"-qec", line, "/dev/null"});
        QCOMPARE(finished.exitCode, 0);
        QVERIFY2(finished.out.contains("phantom [") && finished.out.contains("300/300"), qPrintable(finished.out));
        QVERIFY(!finished.out.contains("{\"event\""));
    }
};

QTEST_GUILESS_MAIN(TestEngineCli)
#include "tst_engine_cli.moc"
