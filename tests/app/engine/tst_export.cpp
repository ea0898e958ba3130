#include "support/run_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest/QtTest>

using voxelscribe::test::Finished;
using voxelscribe::test::runEngine;
using voxelscribe::test::runPython;

/// `export` as other programs find its files.
class TestExport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>(QDir::tempPath() + QStringLiteral("/ausgeben ä-XXXXXX"));
        m_mask = m_dir->filePath(QStringLiteral("mask.zarr"));
        const Finished made = runPython(QStringLiteral(R"(
import sys, os, zarr, h5py, numpy as np
g = zarr.open_group(sys.argv[1], mode='w')
m = np.array([0, 1, 7], 'u1')[np.arange(3*17*11).reshape(3, 17, 11) * 5 % 7 % 3]
g.array('0', m, chunks=(1, 17, 11), dimension_separator='/')
g.attrs['multiscales'] = [{'version': '0.4', 'axes': [{'name': n, 'type': 'space', 'unit': 'micrometer'} for n in 'zyx'], 'datasets': [{'path': '0', 'coordinateTransformations': [{'type': 'scale', 'scale': [2, .5, .25]}]}]}]
g.attrs.update(class_ids=[1, 7], class_names=['fein/körnig', 'pore'], class_colors=['#010203', '#ff8000'], model_sha256='abc', run_id='r1', complete=True)
f = h5py.File(os.path.dirname(sys.argv[1]) + '/plain.h5', 'w'); f['wide'] = m.astype('u2') * 100; f['image'] = m.astype('f4'); f['bare'] = m
)"), {m_mask});
        QVERIFY2(made.exitCode == 0, qPrintable(made.err));
    }

    void carriesWhatTheMaskSaysIntoHdf5()
    {
        exportTo(QStringLiteral("o.h5"), {});
        check(QStringLiteral(R"(
import h5py; d = h5py.File(out)['/entry/data/data']
assert d.dtype == np.uint8 and (d[:] == m).all()
assert list(d.attrs['class_ids']) == [1, 7] and list(d.attrs['class_names']) == ['fein/körnig', 'pore'] and list(d.attrs['class_colors']) == ['#010203', '#ff8000']
assert list(d.attrs['voxel_size']) == [2, .5, .25] and d.attrs['unit'] == 'um' and d.attrs['model_sha256'] == 'abc' and d.attrs['run_id'] == 'r1'
assert 'complete' not in d.attrs and 'multiscales' not in d.attrs
)"));
    }

    void carriesWhatTheMaskSaysIntoTiff()
    {
        exportTo(QStringLiteral("o.tif"), {});
        check(QStringLiteral(R"(
import tifffile, json; t = tifffile.TiffFile(out)
assert (t.asarray() == m).all() and t.asarray().dtype == np.uint8
j = next(json.loads(l) for l in t.pages[0].description.splitlines() if l.startswith('{'))
assert j['class_ids'] == [1, 7] and j['class_names'] == ['fein/körnig', 'pore'] and j['class_colors'][1] == '#ff8000', j
assert j['voxel_size'] == [2, .5, .25] and j['unit'] == 'um' and j['model_sha256'] == 'abc' and j['run_id'] == 'r1', j
assert abs(t.imagej_metadata['spacing'] - 2) < 1e-9
)"));
    }

    void theColourTableShowsTheClasses()
    {
        exportTo(QStringLiteral("o.tif"), {QStringLiteral("--colour-table")});
        check(QStringLiteral(R"(
import tifffile; p = tifffile.TiffFile(out).pages[1]
assert p.photometric == 3 and (p.asarray() == m[1]).all()
c = np.asarray(p.colormap) >> 8
assert list(c[:, 1]) == [1, 2, 3] and list(c[:, 7]) == [255, 128, 0], c[:, :8]
)"));
    }

    void oneFileAClassHoldsItsIdAlone()
    {
        const Finished finished = exportTo(QStringLiteral("o.tif"), {QStringLiteral("--per-class")});
        const QJsonArray outputs = QJsonDocument::fromJson(finished.out.trimmed().split(u'\n').last().toUtf8())["outputs"].toArray();
        QCOMPARE(outputs, QJsonArray({m_dir->filePath("o_1_fein_körnig.tif"), m_dir->filePath("o_7_pore.tif")}));
        check(QStringLiteral(R"(
import tifffile, os; d = os.path.dirname(out)
assert (tifffile.imread(d + '/o_1_fein_körnig.tif') == np.where(m == 1, 1, 0)).all()
assert (tifffile.imread(d + '/o_7_pore.tif') == np.where(m == 7, 7, 0)).all()
assert not os.path.exists(out)
)"));
    }

    void scaledMasksSpreadOver255()
    {
        exportTo(QStringLiteral("o.tif"), {QStringLiteral("--scale255")});
        check(QStringLiteral("import tifffile; assert (tifffile.imread(out) == np.array([0, 36, 0, 0, 0, 0, 0, 255], 'u1')[m]).all()"));
        exportTo(QStringLiteral("p.tif"), {QStringLiteral("--scale255"), QStringLiteral("--per-class")});
        check(QStringLiteral("import tifffile, os; assert (tifffile.imread(os.path.dirname(out) + '/p_7_pore.tif') == np.where(m == 7, 255, 0)).all()"));
    }

    void aMaskWithoutClassesKeepsItsValues()
    {
        m_mask = m_dir->filePath(QStringLiteral("plain.h5::/wide"));
        exportTo(QStringLiteral("o.h5"), {});
        check(QStringLiteral("import h5py; d = h5py.File(out)['/entry/data/data']; assert d.dtype == np.uint16 and (d[:] == m.astype('u2') * 100).all() and 'class_ids' not in d.attrs"));
        m_mask = m_dir->filePath(QStringLiteral("plain.h5::/bare"));
        exportTo(QStringLiteral("c.tif"), {QStringLiteral("--per-class")});
        check(QStringLiteral("import tifffile, os; assert (tifffile.imread(os.path.dirname(out) + '/c_7_class_7.tif') == np.where(m == 7, 7, 0)).all()"));
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("mask");
        QTest::addColumn<QString>("output");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("says");
        QTest::newRow("an image of floats") << "plain.h5::/image" << "o.tif" << QStringList{} << 1 << "whole numbers";
        QTest::newRow("ids that no colour table holds") << "plain.h5::/wide" << "o.tif" << QStringList{"--colour-table"} << 1 << "700";
        QTest::newRow("a colour table in HDF5") << "mask.zarr" << "o.h5" << QStringList{"--colour-table"} << 1 << "TIFF";
        QTest::newRow("a colour table of scaled values") << "mask.zarr" << "o.tif" << QStringList{"--colour-table", "--scale255"} << 2 << "--scale255";
        QTest::newRow("no mask") << "gone.zarr" << "o.tif" << QStringList{} << 1 << "gone.zarr";
        QTest::newRow("an output that exists") << "mask.zarr" << "plain.h5" << QStringList{} << 1 << "exists already";
    }

    void refuses()
    {
        QFETCH(QString, mask);
        QFETCH(QString, output);
        QFETCH(QStringList, options);
        QFETCH(int, exitCode);
        QFETCH(QString, says);
        const Finished finished = runEngine(QStringList{"export", m_dir->filePath(mask), m_dir->filePath(output)} + options);
        QCOMPARE(finished.exitCode, exitCode);
        QVERIFY2(finished.err.contains(says), qPrintable(finished.err));
        QCOMPARE(QDir(m_dir->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList({"mask.zarr", "plain.h5"}));
    }

private:
    Finished exportTo(const QString& name, const QStringList& options)
    {
        m_output = m_dir->filePath(name);
        const Finished finished = runEngine(QStringList{"export", m_mask, m_output} + options + QStringList{"--json"});
        if (finished.exitCode != 0)
            qWarning("%s", qPrintable(finished.err));
        return finished;
    }

    void check(const QString& code)
    {
        const Finished python = runPython(QStringLiteral(R"(
import sys, numpy as np
out = sys.argv[1]; m = np.array([0, 1, 7], 'u1')[np.arange(3*17*11).reshape(3, 17, 11) * 5 % 7 % 3]
)") + code, {m_output});
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_mask;
    QString m_output;
};

QTEST_GUILESS_MAIN(TestExport)
#include "tst_export.moc"
