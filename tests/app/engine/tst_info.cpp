#include "support/run_program.h"
#include "support/test_data.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

using voxelscribe::test::Finished;
using voxelscribe::test::runEngine;
using voxelscribe::test::runPython;

namespace {

const QJsonObject objectOf(const Finished& finished)
{
    return QJsonDocument::fromJson(finished.out.toUtf8()).object();
}

const QJsonObject arrayOf(const QJsonObject& info, int index)
{
    return info["arrays"].toArray().at(index).toObject();
}

} // namespace

/// `info` as other programs use it.
class TestInfo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_path = m_dir.filePath(QStringLiteral("scan ä.h5"));
        const Finished made = runPython(QStringLiteral(R"(
import sys, h5py, numpy as np
f = h5py.File(sys.argv[1], 'w')
a = np.arange(3*17*11, dtype='>f4').reshape(3, 17, 11); a[0, 0, 0] = np.nan; a[1, 1, 1] = np.inf
d = f.create_dataset('e/img', data=a, chunks=(2, 5, 4), compression='gzip'); d.attrs['voxel_size'] = [2., .5, .25]; d.attrs['unit'] = 'um'
f['flat'] = np.ones((4, 5), 'i2'); f['curve'] = np.ones(9)
f['lost'] = h5py.ExternalLink('gone.h5', '/x')
)"), {m_path});
        QVERIFY2(made.exitCode == 0, qPrintable(made.err));
    }

    void keepsItsContract()
    {
        const Finished finished = runEngine({"info", m_path, "--json"});
        QCOMPARE(finished.exitCode, 0);
        QCOMPARE(finished.out.count(u'\n'), 1);
        const QJsonObject info = objectOf(finished);
        QCOMPARE(info["path"].toString(), m_path);
        QCOMPARE(info["format"].toString(), QStringLiteral("HDF5"));
        QVERIFY(info["warnings"].toArray().at(0).toString().contains(QStringLiteral("gone.h5")));
        QCOMPARE(info["arrays"].toArray().size(), 2);
        const QJsonObject first = arrayOf(info, 0);
        QCOMPARE(first["name"].toString(), QStringLiteral("/e/img"));
        QCOMPARE(first["dtype"].toString(), QStringLiteral("float32"));
        QCOMPARE(first["axes"].toString(), QStringLiteral("zyx"));
        QCOMPARE(first["shape"].toArray(), QJsonArray({3, 17, 11}));
        QCOMPARE(first["extent"].toArray(), QJsonArray({3, 17, 11}));
        QCOMPARE(first["voxelSize"].toArray(), QJsonArray({2, 0.5, 0.25}));
        QCOMPARE(first["unit"].toString(), QStringLiteral("um"));
        QVERIFY(!first.contains(QStringLiteral("stats")));
        const QJsonObject second = arrayOf(info, 1);
        QVERIFY(second["voxelSize"].isNull() && second["unit"].isNull());
        QCOMPARE(second["extent"].toArray(), QJsonArray({1, 4, 5}));
        QCOMPARE(second["axes"].toString(), QStringLiteral("yx"));
    }

    void statisticsAreThoseOfNumpy()
    {
        const QJsonObject info = objectOf(runEngine({"info", m_path, "--dataset", "/e/img", "--stats", "--json"}));
        QCOMPARE(info["arrays"].toArray().size(), 1);
        const QJsonObject stats = arrayOf(info, 0)["stats"].toObject();
        const Finished expected = runPython(QStringLiteral(R"(
import sys, h5py, numpy as np, hashlib
a = h5py.File(sys.argv[1])['e/img'][:]; v = a[np.isfinite(a)].astype('f8')
print(v.min(), v.max(), v.mean(), (~np.isfinite(a)).sum(), hashlib.sha1(a.astype('<f4').tobytes()).hexdigest())
)"), {m_path});
        const QStringList words = expected.out.simplified().split(u' ');
        QCOMPARE(words.size(), 5);
        QCOMPARE(stats["min"].toDouble(), words[0].toDouble());
        QCOMPARE(stats["max"].toDouble(), words[1].toDouble());
        QVERIFY(std::abs(stats["mean"].toDouble() - words[2].toDouble()) < 1e-9); // sums in another order
        QCOMPARE(stats["nonfinite"].toInt(), words[3].toInt());
        QCOMPARE(stats["sha1"].toString(), words[4]);
    }

    void theDataSetMayStandBehindThePath()
    {
        const QJsonObject info = objectOf(runEngine({"info", m_path + "::flat", "--json"}));
        QCOMPARE(arrayOf(info, 0)["dtype"].toString(), QStringLiteral("int16"));
    }

    void tellsAPerson()
    {
        const Finished finished = runEngine({"info", m_path});
        QCOMPARE(finished.exitCode, 0);
        QVERIFY2(finished.out.contains(QStringLiteral("/e/img: float32, 3×17×11 (zyx), voxel 2.0×0.5×0.25 µm")), qPrintable(finished.out));
        QVERIFY(finished.out.contains(QStringLiteral("warning: ")));
    }

    void failsAsPromised_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("code");
        QTest::newRow("a missing file") << QStringList{QStringLiteral("/gone ä.tif")} << 1 << QStringLiteral("io");
        QTest::newRow("a data set that is not there") << QStringList{QStringLiteral("PATH"), QStringLiteral("--dataset"), QStringLiteral("/x")} << 1 << QStringLiteral("format");
        QTest::newRow("no path") << QStringList{} << 2 << QStringLiteral("usage");
    }

    void failsAsPromised()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        QFETCH(QString, code);
        arguments.replaceInStrings(QStringLiteral("PATH"), m_path);
        const Finished finished = runEngine(QStringList{"info"} + arguments + QStringList{"--json"});
        QCOMPARE(finished.exitCode, exitCode);
        QVERIFY(finished.err.startsWith(QStringLiteral("error: ")));
        QCOMPARE(finished.err.count(u'\n'), 1);
        QCOMPARE(objectOf(finished)["error"]["code"].toString(), code);
    }

    void oneUnreadableArrayDoesNotHideTheOthers()
    {
        const QString path = m_dir.filePath(QStringLiteral("z.h5"));
        const Finished made = runPython(QStringLiteral(R"(
import sys, h5py, numpy as np
f = h5py.File(sys.argv[1], 'w'); f['good'] = np.ones((3, 4, 5), 'u1')
d = h5py.h5p.create(h5py.h5p.DATASET_CREATE); d.set_chunk((3, 9, 5)); d.set_filter(32013, h5py.h5z.FLAG_OPTIONAL, ())
h5py.h5d.create(f.id, b'zfp', h5py.h5t.NATIVE_FLOAT, h5py.h5s.create_simple((3, 9, 5)), d)
)"), {path});
        QVERIFY2(made.exitCode == 0, qPrintable(made.err));
        const Finished finished = runEngine({"info", path, "--stats", "--json"});
        QCOMPARE(finished.exitCode, 0);
        const QJsonArray arrays = objectOf(finished)["arrays"].toArray();
        QVERIFY(arrays[0]["stats"].isNull());
        QVERIFY(arrays[0]["warnings"].toArray().at(0).toString().contains(QStringLiteral("ZFP (filter 32013)")));
        QCOMPARE(arrays[1]["stats"]["mean"].toInt(), 1);
        QCOMPARE(runEngine({"info", path + "::zfp", "--stats", "--json"}).exitCode, 1);
    }

    void readsTheSharedFilesAsOthersDo()
    {
        VOXELSCRIBE_NEEDS_DATA("check_formats.py");
        const QString root = QString::fromStdString(voxelscribe::test::testDataDir().string());
        for (const char* part : {"hdf5", "zarr_v2", "issues/zarr"}) {
            const Finished finished = voxelscribe::test::runProgram(QStringLiteral("/usr/bin/python3"), {root + "/check_formats.py", QStringLiteral(VOXELSCRIBE_ENGINE), "--only", part});
            QVERIFY2(finished.exitCode == 0, qPrintable(finished.out));
        }
    }

private:
    QTemporaryDir m_dir{QDir::tempPath() + QStringLiteral("/info ä-XXXXXX")};
    QString m_path;
};

QTEST_GUILESS_MAIN(TestInfo)
#include "tst_info.moc"
