#include "core/base/error.h"
#include "core/io/open.h"
#include "support/run_program.h"
#include "support/thrown.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <array>
#include <functional>

using namespace voxelscribe;
namespace fs = std::filesystem;

namespace {

/// Encoders of filters that h5py has no plugin for, as their specifications describe the chunks.
const QString kPrelude = QStringLiteral(R"(
import sys, json, struct, os, numpy as np, h5py, numcodecs, numcodecs.blosc, numcodecs.lz4, numcodecs.zstd
p = sys.argv[1]; folder = os.path.dirname(p)
f = h5py.File(p, 'w')
a = (np.arange(3*17*11).reshape(3, 17, 11) * 37 % 1999).astype('u2')
lz4 = lambda b: numcodecs.lz4.compress(b)[4:]
def bits(block):
    n = len(block)
    b = np.unpackbits(np.ascontiguousarray(block).view('u1').reshape(n, -1).T[:, :, None], axis=2, bitorder='little')
    return np.packbits(b.transpose(0, 2, 1).reshape(-1, n), axis=1, bitorder='little').tobytes()
def bitshuffled(x, block, code):
    x = x.ravel(); out = b'' if code is None else struct.pack('>QI', x.nbytes, block * x.itemsize); at = 0
    while x.size - at >= 8:
        n = min(block, (x.size - at) // 8 * 8); b = bits(x[at:at + n]); at += n
        out += b if code is None else (lambda c: struct.pack('>I', len(c)) + c)(code(b))
    return out + x[at:].tobytes()
def filtered(name, x, filter, values, chunk):
    d = h5py.h5p.create(h5py.h5p.DATASET_CREATE); d.set_chunk(x.shape)
    d.set_filter(filter, h5py.h5z.FLAG_OPTIONAL, values)
    s = h5py.h5d.create(f.id, name.encode(), h5py.h5t.py_create(x.dtype), h5py.h5s.create_simple(x.shape), d)
    s.write_direct_chunk((0,) * x.ndim, chunk, 0)
)");

const QString kEpilogue = QStringLiteral(R"(
f.close()
a = np.asarray(a)
print(json.dumps({'shape': list(a.shape), 'values': a.astype('f8').ravel().tolist()}))
)");

struct Made {
    test::Finished python;
    QJsonObject expected;
};

Made make(const fs::path& path, const QString& code)
{
    Made made;
    made.python = test::runPython(kPrelude + code + kEpilogue, {QString::fromStdString(path.string())});
    made.expected = QJsonDocument::fromJson(made.python.out.toUtf8()).object();
    return made;
}

} // namespace

class TestHdf5 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>(QDir::tempPath() + QStringLiteral("/hdf5 Ümläut-XXXXXX"));
        m_path = fs::path(m_dir->path().toStdString());
    }

    void readsAsH5py_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("dtype");
        const auto row = [](const char* name, const char* code, const char* dtype) { QTest::newRow(name) << QString::fromUtf8(code) << QString::fromUtf8(dtype); };
        row("contiguous", "f['d'] = a", "uint16");
        row("gzip and shuffle in 3D chunks", "f.create_dataset('d', data=a, chunks=(2, 5, 4), compression='gzip', shuffle=True)", "uint16");
        row("LZF", "f.create_dataset('d', data=a, chunks=(1, 17, 11), compression='lzf')", "uint16");
        row("Fletcher32", "f.create_dataset('d', data=a, chunks=(1, 17, 11), fletcher32=True)", "uint16");
        row("scale-offset", "f.create_dataset('d', data=a, chunks=(1, 17, 11), scaleoffset=0)", "uint16");
        row("bitshuffle with LZ4", "filtered('d', a, 32008, (0, 4, 2, 128, 2), bitshuffled(a, 128, lz4))", "uint16");
        row("bitshuffle with Zstandard, float64", "a = a / 7; filtered('d', a, 32008, (0, 4, 8, 64, 3), bitshuffled(a, 64, lambda b: numcodecs.zstd.compress(b, 1)))", "float64");
        row("bitshuffle alone", "filtered('d', a, 32008, (0, 4, 2, 256), bitshuffled(a, 256, None))", "uint16");
        row("Zstandard", "filtered('d', a, 32015, (3,), numcodecs.zstd.compress(a.tobytes(), 3))", "uint16");
        row("LZ4", "c = lz4(a.tobytes()); filtered('d', a, 32004, (a.nbytes,), struct.pack('>QII', a.nbytes, a.nbytes, len(c)) + c)", "uint16");
        row("Blosc", "filtered('d', a, 32001, (2, 2, 2, a.nbytes, 5, 1, 1), numcodecs.blosc.compress(a.tobytes(), b'lz4', 5, 1))", "uint16");
        row("big-endian int16", "a = a.astype('>i2') - 900; f['d'] = a.astype('>i2')", "int16");
        row("big-endian float64", "a = (a / 3).astype('>f8'); f['d'] = a", "float64");
        row("float16", "a = (a / 16).astype('f2'); f['d'] = a", "float32");
        row("bool", "a = a > 900; f['d'] = a", "uint8");
        row("big-endian enum", "a = (a % 3).astype('>u2'); f.create_dataset('d', data=a, dtype=h5py.enum_dtype({'a': 0, 'b': 1, 'c': 2}, basetype='>u2'))", "uint16");
        row("int64 beyond 2^32", "a = a.astype('i8') * 10000000; f['d'] = a", "int64");
        row("one image", "a = a[0]; f['d'] = a", "uint16");
        row("singleton axes", "a = a[None, :, :, :, None]; f['d'] = a", "uint16");
        row("five axes", "a = np.arange(2*3*5*4*7, dtype='u2').reshape(2, 3, 5, 4, 7); f.create_dataset('d', data=a, chunks=(1, 2, 2, 4, 3))", "uint16");
        row("fill value where nothing was written", "d = f.create_dataset('d', (4, 6, 5), 'i4', chunks=(1, 6, 5), fillvalue=-7); d[2] = 9; a = d[:]", "int32");
        row("soft link", "f['x/y'] = a; f['d'] = h5py.SoftLink('/x/y')", "uint16");
        row("external link, relative to the file", "g = h5py.File(folder + '/o.h5', 'w'); g['q'] = a; g.close(); f['d'] = h5py.ExternalLink('o.h5', '/q')", "uint16");
        row("groups in a circle", "f['x/d'] = a; f['x/y'] = h5py.SoftLink('/'); f['x/z'] = f['x']", "uint16");
        row("virtual", "g = h5py.File(folder + '/o.h5', 'w'); g['q'] = a; g.close(); v = h5py.VirtualLayout(a.shape, a.dtype); v[:] = h5py.VirtualSource('o.h5', 'q', a.shape); f.create_virtual_dataset('d', v)", "uint16");
        row("user block", "f.close(); f = h5py.File(p, 'w', userblock_size=1024); f['d'] = a", "uint16");
    }

    void readsAsH5py()
    {
        QFETCH(QString, code);
        QFETCH(QString, dtype);
        const Made made = make(m_path / "a b.h5", code);
        QVERIFY2(made.python.exitCode == 0, qPrintable(made.python.err));
        const io::Listing listing = io::list({m_path / "a b.h5", {}});
        QCOMPARE(listing.format, std::string("HDF5"));
        QCOMPARE(static_cast<int>(listing.arrays.size()), 1);
        const VolumePtr volume = io::open({m_path / "a b.h5", {}});
        QCOMPARE(QString::fromUtf8(dtypeName(volume->info().dtype)), dtype);
        QJsonArray shape;
        for (const std::int64_t extent : volume->info().shape)
            shape.append(static_cast<qint64>(extent));
        QCOMPARE(shape, made.expected["shape"].toArray());
        const QJsonArray expected = made.expected["values"].toArray();
        const std::vector<double> values = readAs<double>(*volume, Region::whole(volume->extent()));
        QCOMPARE(static_cast<qsizetype>(values.size()), expected.size());
        for (qsizetype i = 0; i < expected.size(); ++i)
            QVERIFY2(values[static_cast<std::size_t>(i)] == expected[i].toDouble(), qPrintable(QStringLiteral("sample %1").arg(i)));
        compareParts(*volume, values);
    }

    void opensWhatTheFileMeans_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("format");
        const auto row = [](const char* name, const char* code, const char* dataset, const char* format) { QTest::newRow(name) << QString::fromUtf8(code) << QString::fromUtf8(dataset) << QString::fromUtf8(format); };
        const char* nexus = "e = f.create_group('e1'); e.attrs['NX_class'] = 'NXentry'; e2 = f.create_group('e2'); e2.attrs['NX_class'] = 'NXentry'\n"
                            "for g in (e, e2):\n  d = g.create_group('plot'); d.attrs['NX_class'] = 'NXdata'; d['img'] = a; d.attrs['signal'] = 'img'\n"
                            "f['big'] = np.zeros((9, 40, 50))\n";
        QTest::newRow("NeXus, the first entry") << QString::fromUtf8(nexus) << QStringLiteral("/e1/plot/img") << QStringLiteral("NeXus");
        QTest::newRow("NeXus, default of the root") << QString::fromUtf8(nexus) + QStringLiteral("f.attrs['default'] = 'e2'") << QStringLiteral("/e2/plot/img") << QStringLiteral("NeXus");
        QTest::newRow("NeXus, default of the entry") << QString::fromUtf8(nexus) + QStringLiteral("g = e.create_group('w'); g.attrs['NX_class'] = 'NXdata'; g['z'] = a; g.attrs['signal'] = 'z'; e.attrs['default'] = 'w'") << QStringLiteral("/e1/w/z") << QStringLiteral("NeXus");
        QTest::newRow("NeXus, a curve as default is passed over") << QString::fromUtf8(nexus) + QStringLiteral("g = e.create_group('c'); g.attrs['NX_class'] = 'NXdata'; g['z'] = a[0, 0]; g.attrs['signal'] = 'z'; e.attrs['default'] = 'c'") << QStringLiteral("/e1/plot/img") << QStringLiteral("NeXus");
        row("signal in the old way", "e = f.create_group('e'); e.attrs['NX_class'] = 'NXentry'; d = e.create_group('d'); d.attrs['NX_class'] = 'NXdata'; d['other'] = a; d['wanted'] = a; d['wanted'].attrs['signal'] = 1", "/e/d/wanted", "NeXus");
        row("APS DataExchange", "f['exchange/data'] = a; f['exchange/data_white'] = np.zeros((30, 17, 11))", "/exchange/data", "HDF5");
        row("the largest 3D", "f['x/a'] = a; f['x/b'] = np.zeros((4, 17, 11)); f['y'] = np.zeros((400, 500))", "/x/b", "HDF5");
        row("the largest 2D where none is 3D", "f['a'] = a[0]; f['b'] = np.zeros((40, 50)); f['c'] = np.zeros(90000)", "/b", "HDF5");
        row("text and curves are no images", "f['t'] = np.full((4, 5), b'x'); f['c'] = np.zeros((9000, 1)); f['Grösse µ/im age'] = a", "/Grösse µ/im age", "HDF5");
    }

    void opensWhatTheFileMeans()
    {
        QFETCH(QString, code);
        QFETCH(QString, name);
        QFETCH(QString, format);
        const Made made = make(m_path / "c.h5", code);
        QVERIFY2(made.python.exitCode == 0, qPrintable(made.python.err));
        const io::Listing listing = io::list({m_path / "c.h5", {}});
        QCOMPARE(QString::fromStdString(listing.arrays.front().name), name);
        QCOMPARE(QString::fromStdString(listing.format), format);
        QCOMPARE(QString::fromStdString(io::open({m_path / "c.h5", {}})->info().name), name);
        QCOMPARE(QString::fromStdString(io::open({m_path / "c.h5", name.mid(1).toStdString()})->info().name), name);
    }

    void voxelSizes_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<bool>("known");
        QTest::newRow("our own") << QStringLiteral("d = f.create_dataset('d', data=a); d.attrs['voxel_size'] = [2000., 500., 250.]; d.attrs['unit'] = 'nm'") << true;
        QTest::newRow("element_size_um") << QStringLiteral("d = f.create_dataset('d', data=a); d.attrs['element_size_um'] = [2., .5, .25]") << true;
        const QString axes = QStringLiteral("g = f.create_group('g'); g.attrs['NX_class'] = 'NXdata'; g.attrs['signal'] = 'd'; g.attrs['axes'] = ['z', 'y', 'x']; g['d'] = a\n"
                                            "for n, s, c in zip('zyx', (2, .5, .25), a.shape): g[n] = np.arange(c) * s / 1000 + 7; g[n].attrs['units'] = 'mm'\n");
        QTest::newRow("axes of NXdata") << axes << true;
        QTest::newRow("uneven axis") << axes + QStringLiteral("g['y'][3] = 90") << false;
        QTest::newRow("axis without a length") << axes + QStringLiteral("g['x'].attrs['units'] = 'degree'") << false;
        QTest::newRow("nothing said") << QStringLiteral("f['d'] = a") << false;
    }

    void voxelSizes()
    {
        QFETCH(QString, code);
        QFETCH(bool, known);
        const Made made = make(m_path / "v.h5", code);
        QVERIFY2(made.python.exitCode == 0, qPrintable(made.python.err));
        const auto size = io::list({m_path / "v.h5", {}}).arrays.front().voxelSizeUm;
        QCOMPARE(size.has_value(), known);
        if (known) {
            QVERIFY(std::abs(size->z - 2) < 1e-9 && std::abs(size->y - 0.5) < 1e-9 && std::abs(size->x - 0.25) < 1e-9); // sums of decimal fractions
        }
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<QStringList>("says");
        QTest::newRow("a filter that is not there") << QStringLiteral("filtered('d', a, 32013, (), b'x')") << QString() << QStringList{QStringLiteral("ZFP (filter 32013)"), QStringLiteral("HDF5_PLUGIN_PATH")};
        QTest::newRow("an unknown filter") << QStringLiteral("filtered('d', a, 31999, (), b'x')") << QString() << QStringList{QStringLiteral("filter 31999")};
        QTest::newRow("a virtual data set without sources") << QStringLiteral("v = h5py.VirtualLayout(a.shape, a.dtype); v[:] = h5py.VirtualSource('gone.h5', 'q', a.shape); f.create_virtual_dataset('d', v)") << QString() << QStringList{QStringLiteral("gone.h5::q")};
        QTest::newRow("no image") << QStringLiteral("f['c'] = np.zeros(9); f['t'] = 'text'") << QString() << QStringList{QStringLiteral("2 other data sets"), QStringLiteral("two or more axes")};
        QTest::newRow("an empty file") << QString() << QString() << QStringList{QStringLiteral("found no data set")};
        QTest::newRow("an empty data set") << QStringLiteral("f.create_dataset('d', (0, 4, 5))") << QString() << QStringList{QStringLiteral("/d is empty")};
        QTest::newRow("a link into nothing") << QStringLiteral("f['d'] = h5py.ExternalLink('gone.h5', '/q')") << QString() << QStringList{QStringLiteral("gone.h5::/q")};
        QTest::newRow("another name") << QStringLiteral("f['x/d'] = a") << QStringLiteral("/nothing") << QStringList{QStringLiteral("\"/nothing\""), QStringLiteral("/x/d")};
        QTest::newRow("complex numbers") << QStringLiteral("f['d'] = a.astype('c8')") << QString() << QStringList{QStringLiteral("without an image")};
    }

    void refuses()
    {
        QFETCH(QString, code);
        QFETCH(QString, dataset);
        QFETCH(QStringList, says);
        const Made made = make(m_path / "r.h5", code);
        QVERIFY2(made.python.exitCode == 0, qPrintable(made.python.err));
        const std::string message = test::messageOf([&] { io::open({m_path / "r.h5", dataset.toStdString()}); });
        for (const QString& part : says)
            QVERIFY2(QString::fromStdString(message).contains(part), message.c_str());
        QVERIFY2(message.find("r.h5") != std::string::npos, message.c_str());
    }

    void tellsOfSomeMissingSources()
    {
        const Made made = make(m_path / "s.h5", QStringLiteral("g = h5py.File(folder + '/there.h5', 'w'); g['q'] = a[0]; g.close(); v = h5py.VirtualLayout((2, 17, 11), a.dtype)\n"
                                                              "v[0] = h5py.VirtualSource('there.h5', 'q', (17, 11)); v[1] = h5py.VirtualSource('gone.h5', 'q', (17, 11)); f.create_virtual_dataset('d', v)"));
        QVERIFY2(made.python.exitCode == 0, qPrintable(made.python.err));
        const VolumePtr volume = io::open({m_path / "s.h5", {}});
        QCOMPARE(static_cast<int>(volume->info().warnings.size()), 1);
        QVERIFY(volume->info().warnings.front().find("gone.h5::q") != std::string::npos);
        QCOMPARE(readAs<std::int32_t>(*volume, {{0, 3, 4}, {1, 1, 1}}).front(), (3 * 11 + 4) * 37 % 1999);
    }

    void damageIsToldWithItsSlices_data()
    {
        QTest::addColumn<bool>("truncate");
        QTest::newRow("the file ends early") << true;
        QTest::newRow("a chunk is garbage") << false;
    }

    void damageIsToldWithItsSlices()
    {
        QFETCH(bool, truncate);
        const Made made = make(m_path / "t.h5", QStringLiteral("d = f.create_dataset('d', data=a, chunks=(1, 17, 11), compression='gzip'); d.id.write_direct_chunk((1, 0, 0), b'garbage')"));
        QVERIFY2(made.python.exitCode == 0, qPrintable(made.python.err));
        if (truncate)
            fs::resize_file(m_path / "t.h5", fs::file_size(m_path / "t.h5") * 2 / 3);
        const std::string message = test::messageOf([&] { readAs<double>(*io::open({m_path / "t.h5", {}}), {{0, 0, 0}, {3, 17, 11}}); });
        QVERIFY2(message.find(truncate ? "truncated" : "cannot read slices 0 to 2") != std::string::npos, message.c_str());
        QVERIFY2(message.find("t.h5") != std::string::npos, message.c_str());
    }

private:
    /// Windows of the volume are the same samples as the whole, whatever the chunks are.
    void compareParts(const Volume& volume, const std::vector<double>& whole)
    {
        const Extent& e = volume.extent();
        const std::array<Region, 3> parts{Region::slice(e, e.z - 1), Region{{0, e.y / 2, e.x / 3}, {e.z, 1, e.x / 2}}, Region{{e.z / 2, 1, 1}, {e.z - e.z / 2, e.y - 2, 1}}};
        for (const Region& part : parts) {
            const std::vector<double> values = readAs<double>(volume, part);
            std::size_t at = 0;
            for (std::int64_t z = part.origin.z; z < part.end().z; ++z)
                for (std::int64_t y = part.origin.y; y < part.end().y; ++y)
                    for (std::int64_t x = part.origin.x; x < part.end().x; ++x)
                        QCOMPARE(values[at++], whole[static_cast<std::size_t>((z * e.y + y) * e.x + x)]);
        }
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path m_path;
};

QTEST_GUILESS_MAIN(TestHdf5)
#include "tst_hdf5.moc"
