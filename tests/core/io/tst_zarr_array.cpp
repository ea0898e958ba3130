#include "core/base/error.h"
#include "core/io/zarr_array.h"
#include "support/run_program.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <fstream>

using namespace voxelscribe;
using namespace voxelscribe::io;
namespace fs = std::filesystem;

namespace {

std::vector<std::uint16_t> ramp(std::int64_t count, std::uint16_t from)
{
    std::vector<std::uint16_t> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<std::uint16_t>(from + i);
    return values;
}

template <typename T>
std::span<const std::byte> bytesOf(const std::vector<T>& values)
{
    return std::as_bytes(std::span(values));
}

QString text(const fs::path& path)
{
    return QString::fromStdString(path.string());
}

} // namespace

class TestZarrArray : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>(QDir::tempPath() + QStringLiteral("/zarr Ümläut-XXXXXX"));
        m_path = fs::path(m_dir->path().toStdString());
    }

    void pythonReadsWhatIsWritten_data()
    {
        QTest::addColumn<bool>("compress");
        QTest::addColumn<int>("channels");
        QTest::newRow("Blosc, three axes") << true << 0;
        QTest::newRow("uncompressed, three axes") << false << 0;
        QTest::newRow("Blosc, with channels") << true << 2;
    }

    void pythonReadsWhatIsWritten()
    {
        QFETCH(bool, compress);
        QFETCH(int, channels);
        ZarrSpec spec{channels, {3, 17, 11}, {1, 8, 11}, DType::uint16, compress};
        ZarrArray array = createNgff(m_path / "a b.zarr", spec, VoxelSizeUm{2, 0.5, 0.25}, {{"run_id", "r1"}});
        QCOMPARE(array.chunkGrid().text(), std::string("3×3×1"));
        for (int c = 0; c < std::max(channels, 1); ++c)
            for (int z = 0; z < 3; ++z)
                for (int y = 0; y < 3; ++y)
                    if (z != 1) // slice 1 stays missing
                        array.writeChunk({{z, y, 0}, c}, bytesOf(ramp(88, static_cast<std::uint16_t>(1000 * c + 100 * z + y))));
        const auto python = test::runPython(QStringLiteral(R"(
import sys, zarr, numpy as np
g = zarr.open(sys.argv[1], mode='r'); a = g['0'][:]; channels = int(sys.argv[2])
assert a.dtype == np.uint16, a.dtype
assert a.shape == ((channels,) if channels else ()) + (3, 17, 11), a.shape
w = np.zeros((max(channels, 1), 3, 24, 11), 'u2')
for c in range(max(channels, 1)):
    for z in (0, 2):
        for y in range(3):
            w[c, z, 8*y:8*y+8] = 1000*c + 100*z + y + np.arange(88).reshape(8, 11)
assert (a.reshape(w[:, :, :17].shape) == w[:, :, :17]).all()
m = g.attrs['multiscales'][0]
assert m['version'] == '0.4' and m['datasets'][0]['path'] == '0'
assert [x['name'] for x in m['axes']] == list('czyx')[0 if channels else 1:]
assert m['axes'][-1]['unit'] == 'micrometer'
assert m['datasets'][0]['coordinateTransformations'][0]['scale'][-3:] == [2, 0.5, 0.25]
assert g.attrs['run_id'] == 'r1'
)"), {text(m_path / "a b.zarr"), QString::number(channels)});
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
    }

    void readsPythonsChunks_data()
    {
        QTest::addColumn<QString>("options");
        QTest::newRow("uncompressed") << QStringLiteral("compressor=None");
        QTest::newRow("zlib") << QStringLiteral("compressor=numcodecs.Zlib(3)");
        QTest::newRow("gzip") << QStringLiteral("compressor=numcodecs.GZip(3)");
        QTest::newRow("Zstandard") << QStringLiteral("compressor=numcodecs.Zstd(3)");
        QTest::newRow("LZ4") << QStringLiteral("compressor=numcodecs.LZ4()");
        QTest::newRow("Blosc lz4") << QStringLiteral("compressor=numcodecs.Blosc('lz4', 5, 1)");
        QTest::newRow("Blosc zstd with bit shuffle") << QStringLiteral("compressor=numcodecs.Blosc('zstd', 3, 2)");
        QTest::newRow("keys with points") << QStringLiteral("dimension_separator='.'");
    }

    void readsPythonsChunks()
    {
        QFETCH(QString, options);
        const auto python = test::runPython(QStringLiteral(R"(
import sys, zarr, numcodecs, numpy as np
z = zarr.open_array(sys.argv[1], mode='w', shape=(2, 5, 7), chunks=(1, 3, 7), dtype='<f4', )") + options + QStringLiteral(R"()
z[:] = np.arange(70, dtype='f4').reshape(2, 5, 7) / 4)"), {text(m_path / "p.zarr")});
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
        const ZarrArray array = ZarrArray::open(m_path / "p.zarr");
        QCOMPARE(array.spec().chunk.text(), std::string("1×3×7"));
        std::vector<float> chunk(21);
        QVERIFY(array.readChunk({{1, 0, 0}}, std::as_writable_bytes(std::span(chunk))));
        for (int i = 0; i < 21; ++i)
            QCOMPARE(chunk[static_cast<std::size_t>(i)], static_cast<float>(35 + i) / 4);
    }

    void missingChunksAreEmptyAndRemovedOnesMissing()
    {
        ZarrArray array = ZarrArray::create(m_path / "m", {0, {2, 4, 6}, {1, 4, 6}, DType::uint8, true});
        std::vector<std::byte> chunk(24, std::byte{7});
        QVERIFY(!array.hasChunk({{1, 0, 0}}));
        QVERIFY(!array.readChunk({{1, 0, 0}}, chunk));
        QCOMPARE(chunk[23], std::byte{0});
        std::fill(chunk.begin(), chunk.end(), std::byte{7});
        array.writeChunk({{1, 0, 0}}, chunk);
        QVERIFY(array.hasChunk({{1, 0, 0}}));
        array.removeChunk({{1, 0, 0}});
        QVERIFY(!array.hasChunk({{1, 0, 0}}));
    }

    void leftoversOfAKilledWriterGo()
    {
        ZarrArray array = ZarrArray::create(m_path / "l", {0, {2, 4, 6}, {1, 4, 6}, DType::uint8, true});
        std::ofstream(array.folder() / ".chunk.part-1-0") << "half a chunk";
        array.writeChunk({{0, 0, 0}}, std::vector<std::byte>(24));
        array.removeLeftovers();
        QVERIFY(!fs::exists(array.folder() / ".chunk.part-1-0"));
        QVERIFY(array.hasChunk({{0, 0, 0}}));
    }

    void attributesKeepTheMultiscales()
    {
        createNgff(m_path / "n", {0, {2, 4, 6}, {1, 4, 6}, DType::uint8, true}, std::nullopt, {{"complete", false}});
        QCOMPARE(readNgffAttributes(m_path / "n").at("complete"), nlohmann::json(false));
        QVERIFY(!readNgffAttributes(m_path / "n").at("multiscales")[0]["axes"][0].contains("unit"));
        writeNgffAttributes(m_path / "n", {{"complete", true}});
        QCOMPARE(readNgffAttributes(m_path / "n").at("complete"), nlohmann::json(true));
        QVERIFY(readNgffAttributes(m_path / "n").contains("multiscales"));
    }

    void largeSlicesAreTiled()
    {
        QCOMPARE(defaultZarrChunk({9, 2049, 2047}).text(), std::string("1×2049×2047"));
        QCOMPARE(defaultZarrChunk({9, 1000, 100000}).text(), std::string("1×1000×2048"));
        QCOMPARE(defaultZarrChunk({9, 65536, 65536}).text(), std::string("1×2048×2048"));
    }

    void refusesWhatIsThere()
    {
        fs::create_directory(m_path / "there");
        QVERIFY_EXCEPTION_THROWN(ZarrArray::create(m_path / "there", {0, {2, 4, 6}, {1, 4, 6}, DType::uint8, true}), Error);
        QVERIFY_EXCEPTION_THROWN(createNgff(m_path / "there", {0, {2, 4, 6}, {1, 4, 6}, DType::uint8, true}, std::nullopt, {}), Error);
    }

    void refusesDamage_data()
    {
        QTest::addColumn<QByteArray>("chunk");
        QTest::newRow("not Blosc at all") << QByteArray("this is not a chunk of Blosc");
        QTest::newRow("one byte") << QByteArray("x");
        QTest::newRow("cut short") << QByteArray();
    }

    void refusesDamage()
    {
        QFETCH(QByteArray, chunk);
        ZarrArray array = ZarrArray::create(m_path / "d", {0, {1, 40, 60}, {1, 40, 60}, DType::uint16, true});
        array.writeChunk({}, bytesOf(ramp(2400, 3)));
        const fs::path file = m_path / "d/0/0/0";
        if (chunk.isEmpty())
            fs::resize_file(file, fs::file_size(file) / 2);
        else
            std::ofstream(file, std::ios::binary) << chunk.toStdString();
        std::vector<std::byte> out(4800);
        try {
            array.readChunk({}, out);
            QFAIL("a damaged chunk was read");
        } catch (const Error& error) {
            QCOMPARE(errorCodeName(error.code()), std::string_view("format"));
            QVERIFY(std::string(error.what()).find(file.string()) != std::string::npos);
        }
    }

    void refusesOtherMetadata_data()
    {
        QTest::addColumn<QByteArray>("meta");
        QTest::newRow("empty file") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("shape: 3");
        QTest::newRow("version 3") << QByteArray(R"({"zarr_format":3,"shape":[2,3,4],"chunks":[1,3,4],"dtype":"|u1"})");
        QTest::newRow("no chunks") << QByteArray(R"({"zarr_format":2,"shape":[2,3,4],"dtype":"|u1"})");
        QTest::newRow("chunk of nothing") << QByteArray(R"({"zarr_format":2,"shape":[2,3,4],"chunks":[0,3,4],"dtype":"|u1"})");
        QTest::newRow("negative shape") << QByteArray(R"({"zarr_format":2,"shape":[2,-3,4],"chunks":[1,3,4],"dtype":"|u1"})");
        QTest::newRow("complex samples") << QByteArray(R"({"zarr_format":2,"shape":[2,3,4],"chunks":[1,3,4],"dtype":"<c8"})");
        QTest::newRow("filters") << QByteArray(R"({"zarr_format":2,"shape":[2,3,4],"chunks":[1,3,4],"dtype":"|u1","filters":[{"id":"delta"}]})");
        QTest::newRow("chunks beyond all memory") << QByteArray(R"({"zarr_format":2,"shape":[9000000000,9000000000,9000000000],"chunks":[9000000000,9000000000,9000000000],"dtype":"|u1"})");
    }

    void refusesOtherMetadata()
    {
        QFETCH(QByteArray, meta);
        fs::create_directory(m_path / "o");
        std::ofstream(m_path / "o/.zarray", std::ios::binary) << meta.toStdString();
        QVERIFY_EXCEPTION_THROWN(ZarrArray::open(m_path / "o"), Error);
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path m_path;
};

QTEST_GUILESS_MAIN(TestZarrArray)
#include "tst_zarr_array.moc"
