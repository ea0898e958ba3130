#include "support/run_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <csignal>

using voxelscribe::test::Finished;
using voxelscribe::test::runEngine;
using voxelscribe::test::runProgram;
using voxelscribe::test::runPython;

namespace {

/// The last line: the result object.
const QJsonObject resultOf(const Finished& finished)
{
    return QJsonDocument::fromJson(finished.out.trimmed().split(u'\n').last().toUtf8()).object();
}

const QJsonObject firstArray(const QString& path)
{
    return QJsonDocument::fromJson(runEngine({"info", path, "--stats", "--json"}).out.toUtf8())["arrays"].toArray().at(0).toObject();
}

} // namespace

/// `convert` as other programs use it.
class TestConvert : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>(QDir::tempPath() + QStringLiteral("/wandeln ä-XXXXXX"));
        m_source = m_dir->filePath(QStringLiteral("in.h5"));
        const Finished made = runPython(QStringLiteral(R"(
import sys, h5py, numpy as np
f = h5py.File(sys.argv[1], 'w')
a = (np.arange(7*33*21).reshape(7, 33, 21) * 37 % 4999).astype('u2')
d = f.create_dataset('a/img', data=a, chunks=(3, 10, 8)); d.attrs['voxel_size'] = [2., .5, .25]; d.attrs['unit'] = 'um'
m = (a % 3 + (a % 3 == 2) * 5).astype('u1')
d = f.create_dataset('mask', data=m); d.attrs['class_ids'] = [1, 7]; d.attrs['class_names'] = ['ä', 'b']; d.attrs['class_colors'] = ['#010203', '#ff0000']; d.attrs['run_id'] = 'r9'
f['small'] = a[:, :4, :5] / np.float32(3)
)"), {m_source});
        QVERIFY2(made.exitCode == 0, qPrintable(made.err));
    }

    void everyFormatHoldsTheSame_data() { outputs(); }

    void everyFormatHoldsTheSame()
    {
        QFETCH(QString, name);
        const QString output = m_dir->filePath(name);
        const Finished finished = runEngine({"convert", m_source, output, "--json"});
        QVERIFY2(finished.exitCode == 0, qPrintable(finished.err));
        const QJsonObject result = resultOf(finished);
        QCOMPARE(result.keys(), QStringList({"output", "peakMemoryBytes", "seconds", "voxels"}));
        QCOMPARE(result["output"].toString(), output);
        QCOMPARE(result["voxels"].toInt(), 7 * 33 * 21);
        QVERIFY(result["peakMemoryBytes"].toDouble() > 1e6);
        QVERIFY(finished.out.contains(QStringLiteral("\"event\":\"progress\"")));
        const QJsonObject before = firstArray(m_source);
        const QJsonObject after = firstArray(output);
        QCOMPARE(after["stats"]["sha1"], before["stats"]["sha1"]);
        QCOMPARE(after["dtype"].toString(), QStringLiteral("uint16"));
        for (int axis = 0; axis < 3; ++axis) // TIFF keeps ratios of integers
            QVERIFY(std::abs(after["voxelSize"][axis].toDouble() - before["voxelSize"][axis].toDouble()) < 1e-6);
    }

    void everyFormatHoldsTheSameFloats_data() { outputs(); }

    void everyFormatHoldsTheSameFloats()
    {
        QFETCH(QString, name);
        const QString output = m_dir->filePath(name);
        const Finished finished = runEngine({"convert", m_source, output, "--dataset", "/small"});
        QVERIFY2(finished.exitCode == 0, qPrintable(finished.err));
        QCOMPARE(firstArray(output)["stats"]["sha1"], firstArray(m_source + "::/small")["stats"]["sha1"]);
    }

    void partsBinsAndTypesAreThoseOfNumpy_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("expected");
        QTest::newRow("a part") << QStringList{"--roi", "2:6,5:30,:20"} << QStringLiteral("a[2:6, 5:30, :20]");
        QTest::newRow("bins, the rest dropped") << QStringList{"--bin", "3"} << QStringLiteral("np.floor(a[:6].reshape(2, 3, 11, 3, 7, 3).mean((1, 3, 5)) + .5)");
        QTest::newRow("saturated to uint8") << QStringList{"--dtype", "uint8"} << QStringLiteral("np.minimum(a, 255).astype('u1')");
        QTest::newRow("floats") << QStringList{"--dtype", "float32", "--roi", "1:2,:,:"} << QStringLiteral("a[1:2].astype('f4')");
    }

    void partsBinsAndTypesAreThoseOfNumpy()
    {
        QFETCH(QStringList, options);
        QFETCH(QString, expected);
        const QString output = m_dir->filePath(QStringLiteral("o.h5"));
        const Finished finished = runEngine(QStringList{"convert", m_source, output} + options);
        QVERIFY2(finished.exitCode == 0, qPrintable(finished.err));
        const Finished python = runPython(QStringLiteral(R"(
import sys, h5py, numpy as np
a = h5py.File(sys.argv[1])['a/img'][:]; o = h5py.File(sys.argv[2])['/entry/data/data'][:]; w = )") + expected + QStringLiteral(R"(
assert o.shape == w.shape, (o.shape, w.shape)
assert (o == w).all(), (o.ravel()[:9], w.ravel()[:9])
)"), {m_source, output});
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
    }

    void binnedVoxelsAreLarger()
    {
        const QString output = m_dir->filePath(QStringLiteral("o.zarr"));
        QCOMPARE(runEngine({"convert", m_source, output, "--bin", "2"}).exitCode, 0);
        QCOMPARE(firstArray(output)["voxelSize"].toArray(), QJsonArray({4, 1, 0.5}));
    }

    void masksKeepIdsAndClassesWhenBinned()
    {
        const QString output = m_dir->filePath(QStringLiteral("m.zarr"));
        QCOMPARE(runEngine({"convert", m_source + "::/mask", output, "--bin", "2"}).exitCode, 0);
        const Finished python = runPython(QStringLiteral(R"(
import sys, zarr, numpy as np
g = zarr.open(sys.argv[1], mode='r')
assert set(np.unique(g['0'][:])) <= {0, 1, 7}
assert g.attrs['class_ids'] == [1, 7] and g.attrs['class_names'] == ['ä', 'b'] and g.attrs['class_colors'][0] == '#010203' and g.attrs['run_id'] == 'r9'
)"), {output});
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
    }

    void failsAsPromised_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("says");
        QTest::newRow("a missing input") << QStringList{"DIR/gone.tif", "DIR/o.h5"} << 1 << "gone.tif";
        QTest::newRow("an unknown output") << QStringList{"DIR/in.h5", "DIR/o.png"} << 1 << ".zarr";
        QTest::newRow("a folder that is not there") << QStringList{"DIR/in.h5", "DIR/x/o.h5"} << 1 << "does not exist";
        QTest::newRow("an output that exists") << QStringList{"DIR/in.h5", "DIR/in.h5"} << 1 << "exists already";
        QTest::newRow("a part outside") << QStringList{"DIR/in.h5", "DIR/o.h5", "--roi", "0:8,:,:"} << 1 << "--roi";
        QTest::newRow("a part of a wrong form") << QStringList{"DIR/in.h5", "DIR/o.h5", "--roi", "1,2"} << 2 << "--roi";
        QTest::newRow("an unknown sample type") << QStringList{"DIR/in.h5", "DIR/o.h5", "--dtype", "int12"} << 2 << "int12";
        QTest::newRow("bins of nothing") << QStringList{"DIR/in.h5", "DIR/o.h5", "--bin", "0"} << 2 << "--bin";
        QTest::newRow("too little memory for a slice") << QStringList{"DIR/in.h5", "DIR/o.h5", "--memory", "1KiB"} << 1 << "raise --memory";
        QTest::newRow("no output") << QStringList{"DIR/in.h5"} << 2 << "OUT";
    }

    void failsAsPromised()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        QFETCH(QString, says);
        arguments.replaceInStrings(QStringLiteral("DIR"), m_dir->path());
        const Finished finished = runEngine(QStringList{"convert"} + arguments);
        QCOMPARE(finished.exitCode, exitCode);
        QVERIFY2(finished.err.startsWith(QStringLiteral("error: ")) && finished.err.contains(says), qPrintable(finished.err));
        QCOMPARE(QDir(m_dir->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList{"in.h5"});
    }

    void anExistingOutputIsReplacedWhenAsked_data() { outputs(); }

    void anExistingOutputIsReplacedWhenAsked()
    {
        QFETCH(QString, name);
        const QString output = m_dir->filePath(name);
        QCOMPARE(runEngine({"convert", m_source, output}).exitCode, 0);
        QCOMPARE(runEngine({"convert", m_source, output, "--roi", "1:3,:,:"}).exitCode, 1);
        QCOMPARE(runEngine({"convert", m_source, output, "--roi", "1:3,:,:", "--overwrite"}).exitCode, 0);
        QCOMPARE(firstArray(output)["extent"].toArray(), QJsonArray({2, 33, 21}));
    }

    void stopsCleanlyWhenInterrupted_data() { outputs(); }

    void stopsCleanlyWhenInterrupted()
    {
        QFETCH(QString, name);
        const QString input = m_dir->filePath(QStringLiteral("big.h5"));
        const Finished made = runPython(QStringLiteral("import sys, h5py; f = h5py.File(sys.argv[1], 'w'); f.create_dataset('d', (4000, 1024, 1024), 'u2', chunks=(1, 1024, 1024))"), {input});
        QVERIFY2(made.exitCode == 0, qPrintable(made.err));
        QProcess process;
        process.start(QStringLiteral(VOXELSCRIBE_ENGINE), {"convert", input, m_dir->filePath(name), "--json"});
        QByteArray out;
        QTRY_VERIFY_WITH_TIMEOUT((out += process.readAllStandardOutput()).contains("\"progress\""), 60000);
        QVERIFY(::kill(static_cast<pid_t>(process.processId()), SIGINT) == 0);
        QVERIFY(process.waitForFinished(30000));
        QCOMPARE(process.exitCode(), 130);
        const QStringList left = QDir(m_dir->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        QCOMPARE(left, QStringList({"big.h5", "in.h5"}));
    }

    void aFullDiskLeavesNothingBehind_data() { outputs(); }

    void aFullDiskLeavesNothingBehind()
    {
        QFETCH(QString, name);
        const QString disk = m_dir->filePath(QStringLiteral("disk"));
        QDir().mkdir(disk);
        if (runProgram(QStringLiteral("mount"), {"-t", "tmpfs", "-o", "size=6m", "tmpfs", disk}).exitCode != 0)
            QSKIP("a small file system cannot be mounted here");
        const QString input = m_dir->filePath(QStringLiteral("noise.h5"));
        const Finished made = runPython(QStringLiteral("import sys, h5py, numpy as np; h5py.File(sys.argv[1], 'w')['d'] = np.random.default_rng(1).integers(0, 65535, (40, 512, 512), 'u2')"), {input});
        const Finished finished = runEngine({"convert", input, disk + "/" + name});
        const QStringList left = QDir(disk).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        runProgram(QStringLiteral("umount"), {disk});
        QVERIFY2(made.exitCode == 0, qPrintable(made.err));
        QCOMPARE(finished.exitCode, 1);
        QVERIFY2(finished.err.contains(QStringLiteral("No space left on device")), qPrintable(finished.err));
        QCOMPARE(left, QStringList());
    }

    void memoryStaysBelowTheStack()
    {
        const QString input = m_dir->filePath(QStringLiteral("thick.h5"));
        const Finished made = runPython(QStringLiteral(R"(
import sys, h5py, numpy as np
d = h5py.File(sys.argv[1], 'w').create_dataset('d', (128, 1024, 1024), 'u2', chunks=(32, 256, 256))
for z in range(0, 128, 32): d[z:z + 32] = (np.arange(32 * 1024 * 1024) % 60000).reshape(32, 1024, 1024)
)"), {input});
        QVERIFY2(made.exitCode == 0, qPrintable(made.err));
        const Finished finished = runEngine({"convert", input, m_dir->filePath(QStringLiteral("o.zarr")), "--memory", "32MiB", "--json"});
        QVERIFY2(finished.exitCode == 0, qPrintable(finished.err));
        const double peak = resultOf(finished)["peakMemoryBytes"].toDouble();
        QVERIFY2(peak < 160e6, qPrintable(QString::number(peak))); // the stack has 268 MB, the libraries take about 40
    }

private:
    static void outputs()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("HDF5") << "o ö.h5";
        QTest::newRow("Zarr") << "o ö.zarr";
        QTest::newRow("TIFF") << "o ö.tif";
        QTest::newRow("TIFF series") << "o ö/";
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_source;
};

QTEST_GUILESS_MAIN(TestConvert)
#include "tst_convert.moc"
