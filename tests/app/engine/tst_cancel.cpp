#include "work_folder.h"

#include <QtTest/QtTest>

using namespace voxelscribe::test;

/// Ctrl+C in every long command: gone within a second on a machine with nothing else to do, within five on a busy one.
class TestCancel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_here.isValid());
        QCOMPARE(m_here.run({"phantom", "large.tif", "--shape", "6,1024,1023", "--labels", "truth.tif", "--strokes", "strokes.tif"}).exitCode, 0);
        const Finished trained = m_here.run({"train", "--image", "large.tif", "--annotations", "strokes.tif", "--model", "tunet.safetensors", "--seconds", "4"});
        QVERIFY2(trained.exitCode == 0, qPrintable(trained.err));
        const Finished small = m_here.run({"train", "--image", "large.tif", "--annotations", "strokes.tif", "--model", "msdnet.safetensors", "--network", "msdnet", "--seconds", "4"});
        QVERIFY2(small.exitCode == 0, qPrintable(small.err));
        // Volumes that take long without taking much space.
        const Finished made = runPython(QStringLiteral("import sys, os, h5py\n"
                                                       "os.chdir(sys.argv[1])\n"
                                                       "f = h5py.File('endless.h5', 'w')\n"
                                                       "f.create_dataset('d', (20000, 1024, 1023), 'u2', chunks=(1, 1024, 1023), compression='gzip')\n"
                                                       "f.create_dataset('m', (20000, 1024, 1023), 'u1', chunks=(1, 1024, 1023), compression='gzip', fillvalue=1)\n"),
                                        {m_here.path()});
        QVERIFY2(made.exitCode == 0, qPrintable(made.err));
        m_before = m_here.names();
    }

    void leavesAtOnce_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("train") << QStringList{"train", "--image", "large.tif", "--annotations", "strokes.tif", "--model", "o.safetensors", "--seconds", "600"} << QByteArray("\"event\":\"progress\"");
        QTest::newRow("train MSDNet") << QStringList{"train", "--image", "large.tif", "--annotations", "strokes.tif", "--model", "o.safetensors", "--network", "msdnet", "--seconds", "600"}
                                      << QByteArray("\"stage\":\"train\"");
        for (const char* network : {"tunet", "msdnet"}) // within the first slice: nothing is worth keeping yet
            QTest::addRow("predict with %s", network) << QStringList{"predict", "--image", "large.tif", "--model", QString(network) + ".safetensors", "--output", "o.tif"}
                                                      << QByteArray("\"stage\":\"predict\"");
        for (const char* output : {"o.tif", "o.h5", "o.zarr", "o/"}) {
            QTest::addRow("export to %s", output) << QStringList{"export", "endless.h5::/m", output} << QByteArray("\"event\":\"progress\"");
            QTest::addRow("phantom to %s", output) << QStringList{"phantom", output, "--shape", "400,2000,1999"} << QByteArray("\"stage\":\"phantom\"");
        }
        QTest::newRow("convert") << QStringList{"convert", "endless.h5::/d", "o.zarr"} << QByteArray("\"stage\":\"writing\"");
    }

    void leavesAtOnce()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, word);
        QProcess process;
        m_here.start(process, arguments + QStringList{"--json"});
        QVERIFY(waitForWord(process, word));
        const qint64 ms = interrupted(process);
        QVERIFY2(ms >= 0 && ms < 5000, qPrintable(QStringLiteral("took %1 ms").arg(ms)));
        verifyCancelled(process);
        QCOMPARE(m_here.names(), m_before);
    }

    void theSilentOnesLeaveToo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("info") << QStringList{"info", "endless.h5::/d", "--stats", "--json"};
        QTest::newRow("evaluate") << QStringList{"evaluate", "--truth", "endless.h5::/m", "--prediction", "endless.h5::/m", "--json"};
    }

    void theSilentOnesLeaveToo()
    {
        QFETCH(QStringList, arguments);
        QProcess process;
        m_here.start(process, arguments);
        QVERIFY(process.waitForStarted());
        QVERIFY(!process.waitForFinished(1500)); // it says nothing before its result
        const qint64 ms = interrupted(process);
        QVERIFY2(ms >= 0 && ms < 5000, qPrintable(QStringLiteral("took %1 ms").arg(ms)));
        verifyCancelled(process);
    }

    void finishedSlicesAreKept_data()
    {
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("store");
        QTest::newRow("Zarr") << "kept.zarr" << "kept.zarr";
        QTest::newRow("HDF5") << "kept.h5" << "kept.h5.work.zarr";
    }

    void finishedSlicesAreKept()
    {
        QFETCH(QString, output);
        QFETCH(QString, store);
        const QStringList predict{"predict", "--image", "large.tif", "--model", "tunet.safetensors", "--output", output, "--slices", "1:4", "--json"};
        QProcess process;
        m_here.start(process, predict);
        QVERIFY(waitForWord(process, "\"event\":\"chunk\"", 2));
        const qint64 ms = interrupted(process);
        QVERIFY2(ms >= 0 && ms < 5000, qPrintable(QStringLiteral("took %1 ms").arg(ms)));
        verifyCancelled(process);
        QCOMPARE(m_here.names().filter(QStringLiteral("kept")), QStringList{store});
        const Finished resumed = m_here.run(predict + QStringList{"--resume"});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.err));
        QCOMPARE(lastObject(resumed.out)["chunksReused"].toInt(), 2);
        QCOMPARE(lastObject(resumed.out)["chunksComputed"].toInt(), 1);
        QCOMPARE(m_here.names().filter(QStringLiteral("kept")), QStringList{output});
        QDir(m_here.path(output)).removeRecursively();
        QFile::remove(m_here.path(output));
    }

private:
    /// Sends SIGINT and says how long the program took to go, -1 if it stayed.
    static qint64 interrupted(QProcess& process)
    {
        QElapsedTimer timer;
        timer.start();
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        const qint64 ms = process.waitForFinished(60000) ? timer.elapsed() : -1;
        qInfo("gone after %lld ms", static_cast<long long>(ms));
        return ms;
    }

    static void verifyCancelled(QProcess& process)
    {
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QCOMPARE(lastObject(QString::fromUtf8(process.readAllStandardOutput()))["error"].toObject()["code"].toString(), QStringLiteral("cancelled"));
        QVERIFY(process.readAllStandardError().contains("error: cancelled"));
    }

    WorkFolder m_here;
    QStringList m_before;
};

QTEST_GUILESS_MAIN(TestCancel)
#include "tst_cancel.moc"
