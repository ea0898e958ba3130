#include "work_folder.h"

#include <QtTest/QtTest>

using namespace voxelscribe::test;

/// A disk that is full from the start, or fills while the engine works. Needs the right to mount a small one.
class TestFullDisk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_here.isValid());
        const SmallDisk probe(m_here.path(QStringLiteral("probe")), "size=64k");
        if (!probe.isThere())
            QSKIP("no right to mount a small file system here");
        QCOMPARE(m_here.run({"phantom", "image.tif", "--shape", "24,256,251", "--labels", "truth.tif", "--strokes", "strokes.tif"}).exitCode, 0);
        const Finished trained = m_here.run({"train", "--image", "image.tif", "--annotations", "strokes.tif", "--model", "m.safetensors", "--epochs", "1",
                                             "--network", "msdnet", "--set", "num_layers=4"});
        QVERIFY2(trained.exitCode == 0, qPrintable(trained.err));
    }

    void isToldBeforeTheWork_data()
    {
        QTest::addColumn<QStringList>("arguments");
        for (const char* output : {"disk/o.tif", "disk/o.h5", "disk/o.zarr", "disk/o/"})
            QTest::addRow("phantom to %s", output) << QStringList{"phantom", output, "--shape", "100,200,211"};
        QTest::newRow("train") << QStringList{"train", "--image", "image.tif", "--annotations", "strokes.tif", "--model", "disk/o.safetensors", "--seconds", "600"};
        QTest::newRow("probabilities") << QStringList{"predict", "--image", "image.tif", "--model", "m.safetensors", "--output", "o.zarr", "--probabilities", "disk/o.h5"};
    }

    /// What is known to be too much is refused with both numbers.
    void isToldBeforeTheWork()
    {
        QFETCH(QStringList, arguments);
        const SmallDisk disk(m_here.path(QStringLiteral("disk")), "size=1m");
        QVERIFY(disk.isThere());
        const Finished refused = m_here.run(arguments + QStringList{"--json"});
        const QString message = verifyFailed(refused);
        for (const char* word : {"disk/o", "needed", "1.0 MiB free", "free some space or choose another folder"})
            QVERIFY2(message.contains(QLatin1String(word)), qPrintable(message));
        QVERIFY(!refused.out.contains(QStringLiteral("\"stage\"")));
        QCOMPARE(m_here.names(QStringLiteral("disk")), QStringList());
        QVERIFY(!QFileInfo::exists(m_here.path(QStringLiteral("o.zarr"))));
    }

    void fillsMeanwhile_data()
    {
        QTest::addColumn<QStringList>("arguments");
        for (const char* output : {"disk/o.tif", "disk/o.h5", "disk/o.zarr", "disk/o/"})
            QTest::addRow("convert to %s", output) << QStringList{"convert", "image.tif", output};
        for (const char* output : {"disk/o.tif", "disk/o.h5", "disk/o.zarr", "disk/o/"})
            QTest::addRow("export to %s", output) << QStringList{"export", "noise.tif", output};
    }

    void fillsMeanwhile()
    {
        QFETCH(QStringList, arguments);
        if (!QFileInfo::exists(m_here.path(QStringLiteral("noise.tif")))) { // labels that do not compress
            const Finished made = runPython(QStringLiteral("import sys, os, numpy as np, tifffile\n"
                                                           "os.chdir(sys.argv[1])\n"
                                                           "tifffile.imwrite('noise.tif', np.random.default_rng(1).integers(0, 200, (24, 256, 251)).astype('u1'))\n"),
                                            {m_here.path()});
            QVERIFY2(made.exitCode == 0, qPrintable(made.err));
        }
        const SmallDisk disk(m_here.path(QStringLiteral("disk")), "size=700k");
        QVERIFY(disk.isThere());
        const QString message = verifyFailed(m_here.run(arguments + QStringList{"--json"}));
        for (const char* word : {"disk/", "No space left on device", "free some space"})
            QVERIFY2(message.contains(QLatin1String(word)), qPrintable(message));
        QCOMPARE(m_here.names(QStringLiteral("disk")), QStringList());
    }

    /// The model is written at the end, minutes after its place was checked.
    void fillsWhileTraining()
    {
        const SmallDisk disk(m_here.path(QStringLiteral("disk")), "size=20m");
        QVERIFY(disk.isThere());
        QProcess process;
        m_here.start(process, {"train", "--image", "image.tif", "--annotations", "strokes.tif", "--model", "disk/o.safetensors", "--epochs", "3",
                                 "--network", "msdnet", "--set", "num_layers=4", "--json"});
        QVERIFY(waitForWord(process, "\"stage\":\"train\""));
        disk.fill();
        QVERIFY(process.waitForFinished(120000));
        QCOMPARE(process.exitCode(), 1);
        const QString message = lastObject(QString::fromUtf8(process.readAllStandardOutput()))["error"].toObject()["message"].toString();
        QVERIFY2(message.contains(QStringLiteral("disk/o.safetensors")) && message.contains(QStringLiteral("No space left on device")), qPrintable(message));
        QCOMPARE(m_here.names(QStringLiteral("disk")), QStringList{"filler"});
    }

    void fillsWhilePredicting_data()
    {
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("store");
        QTest::newRow("Zarr") << "o.zarr" << "o.zarr";
        QTest::newRow("HDF5") << "o.h5" << "o.h5.work.zarr";
        QTest::newRow("TIFF series") << "o/" << "o.work.zarr";
    }

    void fillsWhilePredicting()
    {
        QFETCH(QString, output);
        QFETCH(QString, store);
        const SmallDisk disk(m_here.path(QStringLiteral("disk")), "size=8m");
        QVERIFY(disk.isThere());
        const QStringList predict{"predict", "--image", "image.tif", "--model", "m.safetensors", "--json", "--output"};
        QProcess process;
        m_here.start(process, predict + QStringList{"disk/" + output});
        QVERIFY(waitForWord(process, "\"event\":\"chunk\"", 3));
        disk.fill();
        QVERIFY(process.waitForFinished(120000));
        QCOMPARE(process.exitCode(), 1);
        const QString message = lastObject(QString::fromUtf8(process.readAllStandardOutput()))["error"].toObject()["message"].toString();
        QVERIFY2(message.contains("disk/" + store) && message.contains(QStringLiteral("No space left on device")), qPrintable(message));
        QCOMPARE(m_here.names(QStringLiteral("disk")), (QStringList{"filler", store}));
        disk.empty();
        const Finished resumed = m_here.run(predict + QStringList{"disk/" + output, "--resume"});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.err));
        QVERIFY(lastObject(resumed.out)["chunksReused"].toInt() >= 3);
        QCOMPARE(m_here.names(QStringLiteral("disk")), QStringList{QString(output).remove('/')});
        QDir(m_here.path()).mkpath(QStringLiteral("roomy"));
        QCOMPARE(m_here.run(predict + QStringList{"roomy/" + output}).exitCode, 0);
        QVERIFY(m_here.content("disk/" + output) == m_here.content("roomy/" + output));
    }

private:
    static QString verifyFailed(const Finished& failed)
    {
        const QJsonObject error = lastObject(failed.out)["error"].toObject();
        [&] {
            QCOMPARE(failed.exitCode, 1);
            QCOMPARE(error["code"].toString(), QStringLiteral("io"));
        }();
        return error["message"].toString();
    }

    WorkFolder m_here;
};

QTEST_GUILESS_MAIN(TestFullDisk)
#include "tst_full_disk.moc"
