#include "core/base/error.h"
#include "core/io/mask_metadata.h"
#include "core/io/open.h"
#include "core/io/writer.h"
#include "support/run_program.h"
#include "support/thrown.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <fstream>
#include <functional>
#include <unistd.h>

using namespace voxelscribe;
namespace fs = std::filesystem;

namespace {

constexpr Extent kExtent{3, 17, 11};

std::vector<std::uint8_t> maskSamples()
{
    std::vector<std::uint8_t> samples(static_cast<std::size_t>(kExtent.voxels()));
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = static_cast<std::uint8_t>(i % 3 == 2 ? 7 : i % 3);
    return samples;
}

io::WriteSpec maskSpec()
{
    io::WriteSpec spec;
    spec.extent = kExtent;
    spec.voxelSizeUm = VoxelSizeUm{2, 0.5, 0.25};
    spec.classes = {{1, "quartz \"grün\"", 0xe69f00}, {7, "pore", 0x56b4e9}};
    spec.attributes = {{"model_sha256", "abc"}, {"run_id", "r-1"}};
    return spec;
}

} // namespace

class TestWriter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>(QDir::tempPath() + QStringLiteral("/schreiben Ü-XXXXXX"));
        m_path = fs::path(m_dir->path().toStdString());
    }

    void formats_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("format");
        QTest::newRow("TIFF") << "a.b/c.TIF" << static_cast<int>(io::OutputFormat::tiff);
        QTest::newRow("series") << "a.h5/" << static_cast<int>(io::OutputFormat::tiffSeries);
        QTest::newRow("HDF5") << "a.hdf5" << static_cast<int>(io::OutputFormat::hdf5);
        QTest::newRow("NeXus") << "a.nxs" << static_cast<int>(io::OutputFormat::hdf5);
        QTest::newRow("Zarr") << "a.zarr" << static_cast<int>(io::OutputFormat::zarr);
        QTest::newRow("Zarr with a slash") << "a.zarr/" << static_cast<int>(io::OutputFormat::zarr);
        QTest::newRow("no ending") << "a" << -1;
        QTest::newRow("a format that is not written") << "a.png" << -1;
    }

    void formats()
    {
        QFETCH(QString, name);
        QFETCH(int, format);
        if (format < 0)
            QVERIFY(test::messageOf([&] { io::formatOfName(name.toStdString()); }).find(".zarr") != std::string::npos);
        else
            QCOMPARE(static_cast<int>(io::formatOfName(name.toStdString())), format);
    }

    void masksKeepWhatTheySay_data() { outputs(); }

    void masksKeepWhatTheySay()
    {
        QFETCH(QString, name);
        const std::string path = (m_path / name.toStdString()).string();
        write(path, false);
        const io::Source source{path, {}};
        const VolumePtr volume = io::open(source);
        QCOMPARE(readAs<std::uint8_t>(*volume, Region::whole(kExtent)), maskSamples());
        const io::MaskMetadata metadata = io::readMaskMetadata(source);
        QCOMPARE(metadata.classes, maskSpec().classes);
        QVERIFY(metadata.voxelSizeUm.has_value());
        QVERIFY(std::abs(metadata.voxelSizeUm->z - 2) < 1e-6 && std::abs(metadata.voxelSizeUm->x - 0.25) < 1e-6); // TIFF keeps ratios of integers
        QCOMPARE(metadata.attributes["model_sha256"], nlohmann::json("abc"));
        QCOMPARE(metadata.attributes["run_id"], nlohmann::json("r-1"));
        QCOMPARE(static_cast<int>(std::distance(fs::directory_iterator(m_path), {})), 1); // nothing temporary is left
    }

    void h5pyFindsTheNeXusStructure()
    {
        write((m_path / "m.h5").string(), false);
        const auto python = test::runPython(QStringLiteral(R"(
import sys, h5py, numpy as np
f = h5py.File(sys.argv[1], 'r')
e = f[f.attrs['default']]; g = e[e.attrs['default']]; d = g[g.attrs['signal']]
assert (f.attrs['NX_class'], e.attrs['NX_class'], g.attrs['NX_class']) == ('NXroot', 'NXentry', 'NXdata')
i = np.arange(3*17*11) % 3; i[i == 2] = 7
assert d.dtype == np.uint8 and (d[:] == i.reshape(3, 17, 11)).all() and d.name == '/entry/data/data'
assert d.chunks == (1, 17, 11) and d.compression == 'gzip' and d.shuffle
assert list(d.attrs['class_ids']) == [1, 7] and list(d.attrs['class_names']) == ['quartz "grün"', 'pore']
assert list(d.attrs['class_colors']) == ['#e69f00', '#56b4e9']
assert list(d.attrs['voxel_size']) == [2, .5, .25] and d.attrs['unit'] == 'um'
assert d.attrs['model_sha256'] == 'abc' and d.attrs['run_id'] == 'r-1'
assert list(g.attrs['axes']) == ['z', 'y', 'x'] and np.allclose(g['y'][:], np.arange(17) * .5) and g['y'].attrs['units'] == 'um'
)"), {QString::fromStdString((m_path / "m.h5").string())});
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
    }

    void zarrHasAnImageLabel()
    {
        write((m_path / "m.zarr").string(), false);
        const auto python = test::runPython(QStringLiteral(R"(
import sys, zarr
g = zarr.open(sys.argv[1], mode='r'); a = g.attrs
assert g['0'].chunks == (1, 17, 11) and g['0'].dtype == 'u1'
assert a['image-label']['colors'][0] == {'label-value': 1, 'rgba': [0xe6, 0x9f, 0, 255]}
assert a['image-label']['properties'][1] == {'label-value': 7, 'name': 'pore'}
assert a['class_ids'] == [1, 7] and a['class_names'][0] == 'quartz "grün"' and a['class_colors'][1] == '#56b4e9'
assert a['voxel_size'] == [2, .5, .25] and a['unit'] == 'um' and a['run_id'] == 'r-1'
)"), {QString::fromStdString((m_path / "m.zarr").string())});
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
    }

    void channelsComeFirst_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("HDF5") << "p.h5";
        QTest::newRow("Zarr") << "p.zarr";
    }

    void channelsComeFirst()
    {
        QFETCH(QString, name);
        const QString path = QString::fromStdString((m_path / name.toStdString()).string());
        io::WriteSpec spec;
        spec.extent = {3, 5, 4};
        spec.dtype = DType::float32;
        spec.channels = 2;
        const auto writer = io::createWriter(path.toStdString(), spec, false);
        for (int z = 0; z < 3; ++z) {
            std::vector<float> slice(40);
            for (std::size_t i = 0; i < 40; ++i)
                slice[i] = static_cast<float>(z * 100) + static_cast<float>(i);
            writer->write(std::as_bytes(std::span(slice)));
        }
        writer->finish();
        const auto python = test::runPython(QStringLiteral(R"(
import sys, numpy as np
p = sys.argv[1]
if p.endswith('h5'):
    import h5py; d = h5py.File(p, 'r')['/entry/data/data'][:]
else:
    import zarr; d = zarr.open(p, mode='r')['0'][:]
assert d.shape == (2, 3, 5, 4) and d.dtype == np.float32
assert all((d[c, z] == z * 100 + c * 20 + np.arange(20).reshape(5, 4)).all() for c in range(2) for z in range(3))
)"), {path});
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
    }

    void largeSlicesAreTiled_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("HDF5") << "l.h5";
        QTest::newRow("Zarr") << "l.zarr";
    }

    void largeSlicesAreTiled()
    {
        QFETCH(QString, name);
        io::WriteSpec spec;
        spec.extent = {1, 4099, 4123};
        const std::string path = (m_path / name.toStdString()).string();
        std::vector<std::uint8_t> samples(static_cast<std::size_t>(spec.extent.voxels()));
        for (std::size_t i = 0; i < samples.size(); ++i)
            samples[i] = static_cast<std::uint8_t>(i / 4123 + i % 4123 * 3);
        const auto writer = io::createWriter(path, spec, false);
        writer->write(std::as_bytes(std::span(samples)));
        writer->finish();
        const VolumePtr volume = io::open({path, {}});
        QVERIFY(volume->info().chunk.x <= 2048);
        QVERIFY(readAs<std::uint8_t>(*volume, Region::whole(spec.extent)) == samples);
    }

    void refusesWhatExists_data() { outputs(); }

    void refusesWhatExists()
    {
        QFETCH(QString, name);
        const std::string path = (m_path / name.toStdString()).string();
        write(path, false);
        const std::string message = test::messageOf([&] { write(path, false); });
        QVERIFY2(message.find("exists already") != std::string::npos && message.find("--overwrite") != std::string::npos, message.c_str());
        write(path, true);
        QCOMPARE(readAs<std::uint8_t>(*io::open({path, {}}), Region::whole(kExtent)), maskSamples());
    }

    void anUnfinishedOutputIsNotThere_data() { outputs(); }

    void anUnfinishedOutputIsNotThere()
    {
        QFETCH(QString, name);
        const std::string path = (m_path / name.toStdString()).string();
        {
            const auto writer = io::createWriter(path, maskSpec(), false);
            const std::vector<std::uint8_t> samples = maskSamples();
            writer->write(std::as_bytes(std::span(samples)).first(17 * 11));
            const std::string message = test::messageOf([&] { writer->finish(); });
            QVERIFY(!message.empty());
        }
        QVERIFY(fs::is_empty(m_path));
    }

    void refusesTooMuch_data() { outputs(); }

    void refusesTooMuch()
    {
        QFETCH(QString, name);
        const auto writer = io::createWriter((m_path / name.toStdString()).string(), maskSpec(), false);
        const std::vector<std::byte> slices(4 * 17 * 11);
        QVERIFY_EXCEPTION_THROWN(writer->write(slices), Error);
    }

    void refusesPlaces_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("says");
        QTest::newRow("a folder that is not there") << "gone/m.h5" << "does not exist";
        QTest::newRow("a file as folder") << "file/m.h5" << "is not a folder";
        QTest::newRow("a folder with other things") << "things/" << "notes.txt";
        QTest::newRow("a Zarr over other things") << "things.zarr" << "notes.txt";
        QTest::newRow("a file over a folder") << "things.h5" << "is a folder";
        QTest::newRow("more than the disk holds") << "huge.tif" << "not enough disk space";
        QTest::newRow("channels into TIFF") << "channels.tif" << "HDF5 or Zarr";
    }

    void refusesPlaces()
    {
        QFETCH(QString, name);
        QFETCH(QString, says);
        std::ofstream(m_path / "file") << "x";
        for (const char* folder : {"things", "things.zarr", "things.h5"}) {
            fs::create_directory(m_path / folder);
            std::ofstream(m_path / folder / "notes.txt") << "mine";
        }
        io::WriteSpec spec = maskSpec();
        if (name == "huge.tif")
            spec.extent = {1 << 20, 1 << 20, 1 << 10};
        if (name == "channels.tif")
            spec.channels = 2;
        spec.compress = false;
        const std::string message = test::messageOf([&] { io::createWriter((m_path / name.toStdString()).string(), spec, true); });
        QVERIFY2(QString::fromStdString(message).contains(says), message.c_str());
        QVERIFY(fs::exists(m_path / "things/notes.txt"));
    }

    void refusesAFolderThatIsNotWritable()
    {
        // Root may write into any folder but one of a read-only file system.
        const fs::path folder = ::geteuid() == 0 ? fs::path("/proc") : m_path / "locked";
        if (folder != "/proc") {
            fs::create_directory(folder);
            fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
        }
        const std::string message = test::messageOf([&] { io::createWriter((folder / "m.h5").string(), maskSpec(), false); });
        QVERIFY2(message.find(folder.string()) != std::string::npos, message.c_str());
    }

    void copyingStopsWhenAsked()
    {
        class StopAtSecond : public Progress {
        public:
            bool cancelRequested() const override { return m_done >= 2; }

        protected:
            void report(std::string_view, std::int64_t done, std::int64_t) override { m_done = done; }

        private:
            std::int64_t m_done = 0;
        };
        StopAtSecond progress;
        const auto volume = makeMemoryVolume(kExtent, maskSamples());
        {
            const auto writer = io::createWriter((m_path / "c.zarr").string(), maskSpec(), false);
            QVERIFY_EXCEPTION_THROWN(io::copyVolume(*volume, *writer, progress), Error);
        }
        QVERIFY(fs::is_empty(m_path));
    }

private:
    static void outputs()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("HDF5") << "m ä.h5";
        QTest::newRow("Zarr") << "m ä.zarr";
        QTest::newRow("TIFF") << "m ä.tif";
        QTest::newRow("TIFF series") << "m ä/";
    }

    static void write(const std::string& path, bool overwrite)
    {
        const auto writer = io::createWriter(path, maskSpec(), overwrite);
        const std::vector<std::uint8_t> samples = maskSamples();
        writer->write(std::as_bytes(std::span(samples)).first(17 * 11));
        writer->write(std::as_bytes(std::span(samples)).subspan(17 * 11));
        writer->finish();
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path m_path;
};

QTEST_GUILESS_MAIN(TestWriter)
#include "tst_writer.moc"
