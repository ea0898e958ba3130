#include "core/base/error.h"
#include "core/io/open.h"
#include "core/io/zarr_array.h"
#include "support/run_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <cmath>

using namespace voxelscribe;
namespace fs = std::filesystem;

namespace {

const QString kPrelude = QStringLiteral(R"(
import sys, json, os, zarr, numcodecs, numpy as np
p = sys.argv[1]
a = (np.arange(5*17*11).reshape(5, 17, 11) * 37 % 1999).astype('<u2')
def array(x, **o): z = zarr.open_array(p, mode='w', shape=x.shape, dtype=x.dtype, **o); z[:] = x
)");
const QString kEpilogue = QStringLiteral("\nprint(json.dumps({'shape': list(a.shape), 'values': np.nan_to_num(a.astype('f8'), nan=-1).ravel().tolist()}))\n");

test::Finished make(const fs::path& path, const QString& code)
{
    return test::runPython(kPrelude + code + kEpilogue, {QString::fromStdString(path.string())});
}

std::string messageOf(const fs::path& path, const std::string& dataset = {})
{
    try {
        io::open({path, dataset});
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

} // namespace

class TestZarrVolume : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>(QDir::tempPath() + QStringLiteral("/zarr Ümläut-XXXXXX"));
        m_path = fs::path(m_dir->path().toStdString()) / "a b.zarr";
    }

    void readsAsPython_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("dtype");
        QTest::newRow("chunks in all axes") << QStringLiteral("array(a, chunks=(2, 5, 4))") << QStringLiteral("uint16");
        QTest::newRow("one chunk") << QStringLiteral("array(a, chunks=(5, 17, 11), compressor=None)") << QStringLiteral("uint16");
        QTest::newRow("first axis fastest") << QStringLiteral("array(a, chunks=(2, 5, 4), order='F')") << QStringLiteral("uint16");
        QTest::newRow("big-endian") << QStringLiteral("a = (a / 3).astype('>f8'); array(a, chunks=(2, 5, 4))") << QStringLiteral("float64");
        QTest::newRow("float16") << QStringLiteral("a = (a / 16 - 3).astype('f2'); a[0, 0, :3] = 6e-8, -np.inf, np.inf; a[a == np.inf] = 7; a[a == -np.inf] = 8; array(a, chunks=(2, 5, 4))") << QStringLiteral("float32");
        QTest::newRow("bool") << QStringLiteral("a = a > 900; array(a, chunks=(2, 5, 4))") << QStringLiteral("uint8");
        QTest::newRow("one image") << QStringLiteral("a = a[0]; array(a, chunks=(5, 4))") << QStringLiteral("uint16");
        QTest::newRow("five axes") << QStringLiteral("a = np.arange(2*3*5*4*7, dtype='u2').reshape(2, 3, 5, 4, 7); array(a, chunks=(1, 2, 2, 4, 3))") << QStringLiteral("uint16");
        QTest::newRow("singleton axes") << QStringLiteral("a = a[None, None]; array(a, chunks=(1, 1, 2, 5, 4), dimension_separator='/')") << QStringLiteral("uint16");
        QTest::newRow("missing chunks with a fill value") << QStringLiteral("z = zarr.open_array(p, mode='w', shape=(5, 17, 11), chunks=(1, 5, 11), dtype='i4', fill_value=-7); z[2] = 9; a = z[:]") << QStringLiteral("int32");
        QTest::newRow("fill value NaN") << QStringLiteral("z = zarr.open_array(p, mode='w', shape=(5, 17, 11), chunks=(1, 5, 11), dtype='f4', fill_value=np.nan); z[2] = 9; a = z[:]") << QStringLiteral("float32");
    }

    void readsAsPython()
    {
        QFETCH(QString, code);
        QFETCH(QString, dtype);
        const auto python = make(m_path, code);
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
        const QJsonArray expected = QJsonDocument::fromJson(python.out.toUtf8())["values"].toArray();
        const VolumePtr volume = io::open({m_path, {}});
        QCOMPARE(QString::fromUtf8(dtypeName(volume->info().dtype)), dtype);
        QCOMPARE(volume->extent().voxels(), static_cast<std::int64_t>(expected.size()));
        const std::vector<double> values = readAs<double>(*volume, Region::whole(volume->extent()));
        for (qsizetype i = 0; i < expected.size(); ++i) {
            const double value = values[static_cast<std::size_t>(i)];
            QVERIFY2((std::isnan(value) ? -1 : value) == expected[i].toDouble(), qPrintable(QStringLiteral("sample %1").arg(i)));
        }
        const Extent& e = volume->extent();
        const Region window{{e.z / 2, 2, 1}, {e.z - e.z / 2, 2, e.x - 2}};
        const std::vector<double> part = readAs<double>(*volume, window);
        for (std::size_t i = 0; i < part.size(); ++i) {
            const auto at = static_cast<std::int64_t>(i);
            const std::int64_t x = at % window.extent.x + 1;
            const std::int64_t y = at / window.extent.x % 2 + 2;
            const std::int64_t z = at / window.extent.x / 2 + e.z / 2;
            const double whole = values[static_cast<std::size_t>((z * e.y + y) * e.x + x)];
            QVERIFY(part[i] == whole || (std::isnan(part[i]) && std::isnan(whole)));
        }
    }

    void opensLevelZeroOfAMultiscale()
    {
        const auto python = make(m_path, QStringLiteral(R"(
g = zarr.open_group(p, mode='w')
g.array('big', np.zeros((9, 40, 50), 'u1')); g.array('s0', a, chunks=(1, 17, 11)); g.array('s1', a[:, ::2, ::2])
t = lambda *s: [{'type': 'scale', 'scale': list(s)}]
g.attrs['multiscales'] = [{'version': '0.4', 'axes': [{'name': n, 'type': 'space', 'unit': 'nanometer'} for n in 'zyx'],
  'coordinateTransformations': t(1, 2, 2),
  'datasets': [{'path': 's0', 'coordinateTransformations': t(2000, 250, 125)}, {'path': 's1', 'coordinateTransformations': t(2000, 500, 250)}]}]
)"));
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
        const io::Listing listing = io::list({m_path, {}});
        QCOMPARE(listing.format, std::string("Zarr"));
        QCOMPARE(static_cast<int>(listing.arrays.size()), 3);
        QCOMPARE(listing.arrays[0].name, std::string("/s0"));
        QVERIFY(listing.arrays[0].voxelSizeUm == (VoxelSizeUm{2, 0.5, 0.25}));
        QCOMPARE(io::open({m_path, "s1"})->extent().text(), std::string("5×9×6"));
        QVERIFY(io::open({m_path / "s1", {}})->info().voxelSizeUm == (VoxelSizeUm{2, 1, 0.5}));
    }

    void aPlainArrayMaySayItsVoxelSize()
    {
        const auto python = make(m_path, QStringLiteral("array(a); zarr.open_array(p).attrs.update(voxel_size=[2000, 500, 250], unit='nm')"));
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
        QVERIFY(io::open({m_path, {}})->info().voxelSizeUm == (VoxelSizeUm{2, 0.5, 0.25}));
    }

    void aMaskBeingWrittenFillsUp()
    {
        io::ZarrArray array = io::createNgff(m_path, {0, {3, 7, 5}, {1, 7, 5}, DType::uint8, true}, std::nullopt, {{"complete", false}});
        const VolumePtr reader = io::open({m_path, {}});
        QCOMPARE(reader->info().name, std::string("/0"));
        QVERIFY(reader->info().warnings.size() == 1 && reader->info().warnings.front().find("not complete") != std::string::npos);
        QCOMPARE(readAs<std::uint8_t>(*reader, {{1, 3, 2}, {1, 1, 1}}).front(), std::uint8_t{0});
        array.writeChunk({{1, 0, 0}}, std::vector<std::byte>(35, std::byte{4}));
        QCOMPARE(readAs<std::uint8_t>(*reader, {{1, 3, 2}, {1, 1, 1}}).front(), std::uint8_t{4});
        QCOMPARE(readAs<std::uint8_t>(*reader, {{2, 3, 2}, {1, 1, 1}}).front(), std::uint8_t{0});
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("says");
        QTest::newRow("version 3") << QStringLiteral("os.makedirs(p); open(p + '/zarr.json', 'w').write('{\"zarr_format\": 3}')") << QStringLiteral("version 3");
        QTest::newRow("a group without arrays") << QStringLiteral("zarr.open_group(p, mode='w').create_group('g')") << QStringLiteral("without an image");
        QTest::newRow("text samples") << QStringLiteral("zarr.open_array(p, mode='w', shape=(4, 5), dtype='<U3')") << QStringLiteral("<U3");
        QTest::newRow("an empty array") << QStringLiteral("zarr.open_array(p, mode='w', shape=(0, 5, 4), dtype='u1')") << QStringLiteral("empty");
        QTest::newRow("filters") << QStringLiteral("array(a, filters=[numcodecs.Delta('<u2')])") << QStringLiteral("delta");
    }

    void refuses()
    {
        QFETCH(QString, code);
        QFETCH(QString, says);
        const auto python = make(m_path, code);
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
        const std::string message = messageOf(m_path);
        QVERIFY2(QString::fromStdString(message).contains(says), message.c_str());
        QVERIFY2(message.find("a b.zarr") != std::string::npos, message.c_str());
    }

    void refusesAnUnknownNameAndListsThoseThereAre()
    {
        io::createNgff(m_path, {0, {3, 7, 5}, {1, 7, 5}, DType::uint8, true}, std::nullopt, {});
        const std::string message = messageOf(m_path, "nothing");
        QVERIFY2(message.find("\"nothing\"") != std::string::npos && message.find("/0") != std::string::npos, message.c_str());
    }

    void anUnknownCompressorIsNamedOnReading()
    {
        const auto python = make(m_path, QStringLiteral("array(a, compressor=numcodecs.BZ2())"));
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
        const VolumePtr volume = io::open({m_path, {}});
        try {
            readAs<double>(*volume, Region::slice(volume->extent(), 0));
            QFAIL("bz2 was read");
        } catch (const Error& error) {
            QVERIFY2(std::string(error.what()).find("bz2") != std::string::npos, error.what());
        }
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path m_path;
};

QTEST_GUILESS_MAIN(TestZarrVolume)
#include "tst_zarr_volume.moc"
