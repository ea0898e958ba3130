#include "support/run_program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest/QtTest>

using voxelscribe::test::Finished;
using voxelscribe::test::runEngine;
using voxelscribe::test::runPython;

namespace {

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool hasPython(const char* module)
{
    return runPython(QStringLiteral("import ") + QLatin1String(module)).exitCode == 0;
}

} // namespace

/// What `phantom` writes, seen by independent readers.
class TestPhantom : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesWhatTifffileReads()
    {
        if (!hasPython("tifffile"))
            QSKIP("no Python with tifffile here");
        QTemporaryDir folder;
        const QString image = folder.filePath("Bild 1.tif");
        const QString labels = folder.filePath("labels.tif");
        const QString strokes = folder.filePath("strokes.tif");
        const Finished made = runEngine({"phantom", image, "--shape", "3,96,97", "--labels", labels, "--strokes", strokes, "--seed", "5"});
        QVERIFY2(made.exitCode == 0, qPrintable(made.err));
        const Finished read = runPython(QStringLiteral(
            "import sys, numpy as np, tifffile\n"
            "i, l, s = (tifffile.imread(f) for f in sys.argv[1:4])\n"
            "assert i.shape == l.shape == s.shape == (3, 96, 97), (i.shape, l.shape, s.shape)\n"
            "assert i.dtype == np.uint16 and l.dtype == np.uint8 and s.dtype == np.uint8\n"
            "assert set(np.unique(l)) == {1, 2, 3, 4}\n"
            "assert ((s == 0) | (s == l)).all() and len(np.unique(s[s > 0])) >= 2\n"
            "m = [i[l == k].mean() for k in (4, 1, 2, 3)]\n"
            "assert m == sorted(m) and m[0] > 0, m\n"
            "assert i.std() > 0.1 * i.mean()\n"
            "text = tifffile.TiffFile(sys.argv[2]).pages[0].description\n"
            "assert 'pore' in text and 'crack' in text, text\n"
            "tags = tifffile.TiffFile(sys.argv[1]).imagej_metadata\n"
            "assert abs(tags['spacing'] - 0.65) < 1e-6, tags\n"), {image, labels, strokes});
        QVERIFY2(read.exitCode == 0, qPrintable(read.err));
    }

    void writesTheSameIntoEveryFormat()
    {
        if (!hasPython("tifffile, h5py, zarr"))
            QSKIP("no Python with tifffile, h5py and zarr here");
        QTemporaryDir folder;
        const QStringList names{folder.filePath("a.tif"), folder.filePath("a.h5"), folder.filePath("a.zarr"), folder.filePath("series/")};
        for (const QString& name : names) {
            const Finished made = runEngine({"phantom", name, "--shape", "5,33,47", "--dtype", "float32"});
            QVERIFY2(made.exitCode == 0, qPrintable(made.err));
        }
        const Finished read = runPython(QStringLiteral(
            "import sys, glob, numpy as np, tifffile, h5py, zarr\n"
            "a = tifffile.imread(sys.argv[1])\n"
            "assert a.shape == (5, 33, 47) and a.dtype == np.float32\n"
            "assert (h5py.File(sys.argv[2])['/entry/data/data'][:] == a).all()\n"
            "assert (zarr.open(sys.argv[3], 'r')['0'][:] == a).all()\n"
            "assert (tifffile.imread(sorted(glob.glob(sys.argv[4] + '*.tif*'))) == a).all()\n"), names);
        QVERIFY2(read.exitCode == 0, qPrintable(read.err));
    }

    void repeatsItself()
    {
        QTemporaryDir folder;
        const auto make = [&](const QString& name, const QStringList& more) {
            return runEngine(QStringList{"phantom", folder.filePath(name), "--shape", "2,1030,1040"} + more).exitCode;
        };
        QCOMPARE(make("a.tif", {"--seed", "3", "--threads", "1"}), 0);
        QCOMPARE(make("b.tif", {"--seed", "3", "--threads", "3"}), 0);
        QCOMPARE(make("c.tif", {"--seed", "4"}), 0);
        QCOMPARE(bytesOf(folder.filePath("a.tif")), bytesOf(folder.filePath("b.tif")));
        QVERIFY(bytesOf(folder.filePath("a.tif")) != bytesOf(folder.filePath("c.tif")));
    }

    void keepsItsMemorySmall()
    {
        QTemporaryDir folder;
        const Finished made = runEngine({"phantom", folder.filePath("a.tif"), "--shape", "300,512,512", "--json"});
        QCOMPARE(made.exitCode, 0);
        const QJsonObject result = QJsonDocument::fromJson(made.out.trimmed().section('\n', -1).toUtf8()).object();
        QVERIFY2(result.value("peakMemoryBytes").toInteger() < 80 << 20, "157 MB of samples must not be held at once");
    }
};

QTEST_GUILESS_MAIN(TestPhantom)
#include "tst_phantom.moc"
