#include "work_folder.h"

#include <QtTest/QtTest>

using namespace voxelscribe::test;

namespace {

/// Starts a command, kills it (SIGKILL) once its output has said `word` so many times; false if it came to an end before.
bool killed(const WorkFolder& here, const QStringList& arguments, const QByteArray& word, int times = 1)
{
    QProcess process;
    here.start(process, arguments);
    if (!waitForWord(process, word, times))
        return false;
    process.kill();
    return process.waitForFinished(30000) && process.exitStatus() == QProcess::CrashExit;
}

} // namespace

/// What is there after the engine was killed, and that nothing of it gets in the way.
class TestResumeKill : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_here.isValid());
        QCOMPARE(m_here.run({"phantom", "stack/", "--shape", "24,256,251", "--strokes", "strokes.tif"}).exitCode, 0);
        for (const char* network : {"tunet", "msdnet"}) {
            const QStringList size = network[0] == 't' ? QStringList{"--set", "depth=2", "--set", "base_channels=4"} : QStringList{"--set", "num_layers=6"};
            const Finished trained = m_here.run(QStringList{"train", "--image", "stack", "--annotations", "strokes.tif", "--model", QString(network) + ".safetensors",
                                                            "--network", network, "--epochs", "2", "--overwrite"} + size);
            QVERIFY2(trained.exitCode == 0, qPrintable(trained.err));
        }
    }

    void everyKillCostsAtMostASlice_data()
    {
        QTest::addColumn<QString>("network");
        QTest::addColumn<QString>("output");
        QTest::newRow("TUNet to Zarr") << "tunet" << "mask.zarr";
        QTest::newRow("MSDNet to a TIFF series") << "msdnet" << "mask/";
    }

    /// Killed again and again, with other tiles, threads and memory each time: the result is that of an undisturbed run.
    void everyKillCostsAtMostASlice()
    {
        QFETCH(QString, network);
        QFETCH(QString, output);
        const auto predict = [&](const QString& folder) {
            QDir(m_here.path()).mkpath(folder);
            return QStringList{"predict", "--image", "stack", "--model", network + ".safetensors", "--output", folder + "/" + output, "--json"};
        };
        const QString whole = "whole " + QString(output).remove('/');
        const QString broken = "broken " + QString(output).remove('/');
        const Finished undisturbed = m_here.run(predict(whole));
        QVERIFY2(undisturbed.exitCode == 0, qPrintable(undisturbed.err));
        QCOMPARE(lastObject(undisturbed.out)["chunksComputed"].toInt(), 24);

        QVERIFY(killed(m_here, predict(broken) + QStringList{"--threads", "1"}, "\"event\":\"chunk\"", 5));
        QVERIFY(killed(m_here, predict(broken) + QStringList{"--resume", "--tile", "64"}, "\"event\":\"chunk\"", 5));
        QVERIFY(killed(m_here, predict(broken) + QStringList{"--resume", "--threads", "2", "--first", "20"}, "\"event\":\"chunk\"", 4));
        const Finished resumed = m_here.run(predict(broken) + QStringList{"--resume", "--tile", "100", "--memory", "1GiB"});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.err));
        const QJsonObject result = lastObject(resumed.out);
        QVERIFY2(result["chunksReused"].toInt() >= 14, qPrintable(resumed.out)); // 5 + 5 + 4 were told to be done
        QCOMPARE(result["chunksReused"].toInt() + result["chunksComputed"].toInt(), 24);
        QVERIFY(m_here.content(whole) == m_here.content(broken));
    }

    void aKillWhileTheFileIsPutTogetherCostsNothing_data()
    {
        QTest::addColumn<QString>("output");
        QTest::newRow("TIFF") << "late.tif";
        QTest::newRow("HDF5") << "late.h5";
    }

    void aKillWhileTheFileIsPutTogetherCostsNothing()
    {
        QFETCH(QString, output);
        const QStringList predict{"predict", "--image", "stack", "--model", "msdnet.safetensors", "--output", output, "--json"};
        QVERIFY(killed(m_here, predict, "\"stage\":\"writing\""));
        const Finished resumed = m_here.run(predict + QStringList{"--resume"});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.err));
        QCOMPARE(lastObject(resumed.out)["chunksComputed"].toInt(), 0);
        QCOMPARE(lastObject(resumed.out)["chunksReused"].toInt(), 24);
        QDir(m_here.path()).mkpath(QStringLiteral("again"));
        QCOMPARE(m_here.run({"predict", "--image", "stack", "--model", "msdnet.safetensors", "--output", "again/" + output}).exitCode, 0);
        QVERIFY(m_here.content(output) == m_here.content("again/" + output));
    }

    void aChunkCutShortByAPowerCutIsNotTaken()
    {
        const QStringList predict{"predict", "--image", "stack", "--model", "msdnet.safetensors", "--output", "cut.zarr", "--json"};
        QVERIFY(killed(m_here, predict, "\"event\":\"chunk\"", 3));
        const QString chunk = m_here.path(QStringLiteral("cut.zarr/0/1/0/0"));
        QVERIFY(QFile::resize(chunk, 11));
        const Finished resumed = m_here.run(predict + QStringList{"--resume"});
        QDir(m_here.path()).mkpath(QStringLiteral("uncut"));
        QCOMPARE(m_here.run({"predict", "--image", "stack", "--model", "msdnet.safetensors", "--output", "uncut/cut.zarr"}).exitCode, 0);
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.err));
        QVERIFY(lastObject(resumed.out)["chunksReused"].toInt() >= 2);
        QVERIFY(m_here.content(QStringLiteral("cut.zarr")) == m_here.content(QStringLiteral("uncut/cut.zarr")));
    }

    void nothingHalfDoneHasAFinalName_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("word");
        QTest::addColumn<QString>("output");
        for (const char* output : {"big.tif", "big.zarr"})
            QTest::addRow("phantom to %s", output) << QStringList{"phantom", output, "--shape", "300,512,511"} << QByteArray("\"stage\":\"phantom\"") << output;
        for (const char* output : {"big.h5", "big/"})
            QTest::addRow("convert to %s", output) << QStringList{"convert", "source.tif", output} << QByteArray("\"stage\":\"writing\"") << output;
        QTest::newRow("train") << QStringList{"train", "--image", "stack", "--annotations", "strokes.tif", "--model", "big.safetensors", "--seconds", "600"}
                               << QByteArray("\"stage\":\"train\"") << "big.safetensors";
    }

    void nothingHalfDoneHasAFinalName()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, word);
        QFETCH(QString, output);
        if (!QFileInfo::exists(m_here.path(QStringLiteral("source.tif"))))
            QCOMPARE(m_here.run({"phantom", "source.tif", "--shape", "200,512,511"}).exitCode, 0);
        QVERIFY(killed(m_here, arguments + QStringList{"--json"}, word, 2));
        QVERIFY2(!QFileInfo::exists(m_here.path(output)), "half a result lies under its final name");
        if (output != QStringLiteral("big.safetensors")) { // the same command works at once, what was left does not hinder it
            const Finished again = m_here.run(arguments);
            QVERIFY2(again.exitCode == 0, qPrintable(again.err));
            QVERIFY(QFileInfo::exists(m_here.path(output)));
        }
        for (const QString& left : m_here.names().filter(QStringLiteral("big")))
            if (QFileInfo(m_here.path(left)).isDir())
                QDir(m_here.path(left)).removeRecursively();
            else
                QFile::remove(m_here.path(left));
    }

private:
    WorkFolder m_here;
};

QTEST_GUILESS_MAIN(TestResumeKill)
#include "tst_resume_kill.moc"
