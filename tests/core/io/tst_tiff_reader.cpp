// TIFF files written by Debian's tifffile, read here; and files broken on purpose.
#include "core/base/error.h"
#include "core/io/tiff_reader.h"
#include "core/volume/statistics.h"
#include "support/run_program.h"

#include <QtTest/QtTest>

#include <atomic>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

using namespace voxelscribe;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// Writes every kind of file into argv[1] and prints {name: {shape, dtype, sha1}} of the samples in little-endian order.
const char* const kWriter = R"PY(
import sys, os, json, hashlib, struct, numpy as np, tifffile
folder = sys.argv[1]
rng = np.random.default_rng(5)
out = {}
def note(name, a, dtype=None):
    a = np.ascontiguousarray(a)
    b = a.astype(a.dtype.newbyteorder('<'))
    out[name] = dict(shape=list(a.shape), dtype=dtype or a.dtype.name, sha1=hashlib.sha1(b.tobytes()).hexdigest())
def volume(dtype, shape=(3, 17, 23)):
    if np.dtype(dtype).kind == 'f':
        return rng.normal(size=shape).astype(dtype)
    i = np.iinfo(dtype)
    return rng.integers(i.min, i.max, size=shape, dtype=dtype, endpoint=True)
def write(name, a, expect=None, **kw):
    tifffile.imwrite(os.path.join(folder, name), a, **kw)
    note(name, a if expect is None else expect)
for t in 'uint8 int8 uint16 int16 uint32 int32 uint64 int64 float32 float64'.split():
    write(t + '.tif', volume(t), photometric='minisblack')
    write(t + ' big-endian.tif', volume(t), byteorder='>', photometric='minisblack')
h = volume('float16')
write('float16.tif', h, h.astype('float32'), photometric='minisblack')
write('bigtiff.tif', volume('uint16'), bigtiff=True, photometric='minisblack')
write('bigtiff big-endian deflate.tif', volume('uint16'), bigtiff=True, byteorder='>', compression='zlib', photometric='minisblack')
write('deflate.tif', volume('uint16'), compression='zlib', photometric='minisblack')
write('lzma.tif', volume('float32'), compression='lzma', photometric='minisblack')
write('tiled.tif', volume('uint16', (2, 45, 67)), tile=(16, 32), photometric='minisblack')
write('tiled deflate.tif', volume('float64', (2, 45, 67)), tile=(32, 16), compression='zlib', photometric='minisblack')
write('short strips.tif', volume('uint8', (2, 45, 67)), rowsperstrip=4, photometric='minisblack')
write('short strips deflate.tif', volume('uint8', (2, 45, 67)), rowsperstrip=7, compression='zlib', photometric='minisblack')
try:
    write('predictor 2.tif', volume('uint16', (2, 19, 31)), compression='zlib', predictor=True, photometric='minisblack')
except Exception:
    out.pop('predictor 2.tif', None)
write('one page.tif', volume('uint16', (13, 29)), photometric='minisblack')
write('imagej.tif', volume('uint16', (5, 11, 13)), imagej=True, resolution=(1 / 0.65, 1 / 0.5), metadata=dict(axes='ZYX', unit='um', spacing=2.5))
write('imagej nm.tif', volume('uint8', (2, 11, 13)), imagej=True, resolution=(1 / 250., 1 / 125.), metadata=dict(axes='ZYX', unit='nm', spacing=500))
write('ome.ome.tif', volume('uint16', (4, 11, 13)), ome=True, photometric='minisblack',
      metadata=dict(axes='ZYX', PhysicalSizeX=0.25, PhysicalSizeY=0.5, PhysicalSizeZ=1.5))
write('centimetres.tif', volume('uint8', (2, 11, 13)), resolution=(20000, 10000), resolutionunit='CENTIMETER', photometric='minisblack')
write('screen dots.tif', volume('uint8', (2, 11, 13)), resolution=(72, 72), resolutionunit='INCH', photometric='minisblack')
rgb = volume('uint8', (2, 9, 7, 3))
write('rgb.tif', rgb, rgb[..., 0], photometric='rgb')
planar = volume('uint16', (2, 3, 9, 7))
write('rgb planar.tif', planar, planar[:, 0], photometric='rgb', planarconfig='separate')
hyper = volume('uint16', (3, 2, 9, 7))   # z, c, y, x
write('hyperstack.tif', hyper, hyper[:, 0], imagej=True, metadata=dict(axes='ZCYX'))
frames = volume('uint16', (4, 3, 9, 7))  # t, z, y, x
write('frames.tif', frames, frames.reshape(12, 9, 7), imagej=True, metadata=dict(axes='TZYX'))
# ImageJ's layout of stacks over 4 GB: one directory, all planes behind it
a = volume('uint16', (7, 9, 11))
p = os.path.join(folder, 'one directory.tif')
tifffile.imwrite(p, a[0], description='ImageJ=1.53t\nimages=7\nslices=7\n', metadata=None, byteorder='>', photometric='minisblack')
with tifffile.TiffFile(p) as t: at = t.pages[0].dataoffsets[0]
with open(p, 'r+b') as f:
    f.seek(at); f.write(a.astype('>u2').tobytes())
note('one directory.tif', a)
# pages of two kinds
p = os.path.join(folder, 'two kinds.tif')
big = volume('uint16', (4, 16, 20)); small = volume('uint16', (2, 4, 5))
with tifffile.TiffWriter(p) as w:
    for i in range(4):
        w.write(big[i], photometric='minisblack', metadata=None)
    for i in range(2):
        w.write(small[i], photometric='minisblack', metadata=None, contiguous=False)
note('two kinds.tif', big)
# bits, rows padded to bytes
b = rng.integers(0, 2, size=(2, 5, 13)).astype(bool)
tifffile.imwrite(os.path.join(folder, 'bits.tif'), b, photometric='minisblack')
note('bits.tif', b.astype('uint8'))
# resolution with a denominator of zero
p = os.path.join(folder, 'broken resolution.tif')
c = volume('uint8', (2, 11, 13))
tifffile.imwrite(p, c, resolution=(300, 300), photometric='minisblack')
with tifffile.TiffFile(p) as t: tag = t.pages[0].tags[282].valueoffset
with open(p, 'r+b') as f:
    f.seek(tag); f.write(struct.pack('<II', 300, 0))
note('broken resolution.tif', c)
many = rng.integers(0, 255, size=(3000, 2, 3), dtype='uint8')
with tifffile.TiffWriter(os.path.join(folder, 'many pages.tif')) as w:
    for page in many:
        w.write(page, photometric='minisblack', metadata=None, contiguous=False)
note('many pages.tif', many)
print(json.dumps(out))
)PY";

std::string sha1Of(const Volume& volume)
{
    SilentProgress progress;
    return computeStatistics(volume, {.sha1 = true}, progress).sha1;
}

bool says(const std::vector<std::string>& warnings, const char* word)
{
    return std::any_of(warnings.begin(), warnings.end(), [&](const std::string& w) { return w.find(word) != std::string::npos; });
}

std::vector<char> bytesOf(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void writeBytes(const fs::path& path, std::span<const char> bytes)
{
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// A little-endian classic TIFF directory at byte 8 of short and long values.
std::vector<char> handMade(const std::vector<std::pair<std::uint16_t, std::uint32_t>>& tags, std::uint32_t next = 0)
{
    std::vector<char> bytes{'I', 'I', 42, 0, 8, 0, 0, 0};
    const auto put = [&](auto value) {
        const auto* raw = reinterpret_cast<const char*>(&value);
        bytes.insert(bytes.end(), raw, raw + sizeof value);
    };
    put(static_cast<std::uint16_t>(tags.size()));
    for (const auto& [tag, value] : tags) {
        put(tag);
        put(std::uint16_t{4});
        put(std::uint32_t{1});
        put(value);
    }
    put(next);
    return bytes;
}

} // namespace

class TestTiffReader : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    json m_written = json::object();

    fs::path at(const std::string& name) const { return fs::path(m_folder.path().toStdString()) / name; }

    /// The message of the error that opening and reading everything gives; empty if there is none.
    QString complaint(const fs::path& path) const
    {
        try {
            const VolumePtr volume = io::openTiff(path);
            SilentProgress progress;
            computeStatistics(*volume, {}, progress);
        } catch (const Error& error) {
            return QString::fromUtf8(error.what());
        }
        return {};
    }

private Q_SLOTS:
    void initTestCase()
    {
        const test::Finished python = test::runPython(QString::fromUtf8(kWriter), {m_folder.path()});
        if (python.exitCode != 0)
            QSKIP(qPrintable("no tifffile to write the files with: " + python.err));
        m_written = json::parse(python.out.toStdString());
    }

    void readsWhatTifffileWrote()
    {
        QVERIFY(m_written.size() > 35);
        for (const auto& [name, expected] : m_written.items()) {
            const VolumePtr volume = io::openTiff(at(name));
            QVERIFY2(volume->info().shape == expected["shape"].get<std::vector<std::int64_t>>(), name.c_str());
            QVERIFY2(dtypeName(volume->info().dtype) == expected["dtype"].get<std::string>(), name.c_str());
            QVERIFY2(sha1Of(*volume) == expected["sha1"].get<std::string>(), name.c_str());
            QCOMPARE(io::listTiff(at(name)).arrays.front().shape, volume->info().shape);
        }
    }

    void anyPartEqualsThatPartOfTheWhole_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"tiled.tif", "tiled deflate.tif", "short strips.tif", "short strips deflate.tif", "one directory.tif", "rgb planar.tif",
                                 "rgb.tif", "bits.tif", "int16 big-endian.tif", "float16.tif"})
            QTest::newRow(name) << QString(name);
    }

    void anyPartEqualsThatPartOfTheWhole()
    {
        QFETCH(QString, name);
        const VolumePtr volume = io::openTiff(at(name.toStdString()));
        const Extent e = volume->extent();
        const auto whole = readAs<double>(*volume, Region::whole(e));
        for (const Region& region : {Region{{1, 0, 0}, {1, e.y, e.x}}, Region{{0, 3, 2}, {2, 2, 3}}, Region{{1, e.y - 1, e.x - 1}, {1, 1, 1}},
                                     Region{{0, e.y / 3, 1}, {2, e.y / 2, e.x - 2}}}) {
            const auto part = readAs<double>(*volume, region);
            std::size_t i = 0;
            for (std::int64_t z = region.origin.z; z < region.end().z; ++z)
                for (std::int64_t y = region.origin.y; y < region.end().y; ++y)
                    for (std::int64_t x = region.origin.x; x < region.end().x; ++x)
                        QCOMPARE(part[i++], whole[static_cast<std::size_t>((z * e.y + y) * e.x + x)]);
        }
    }

    void voxelSizes_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("known");
        QTest::addColumn<double>("z");
        QTest::addColumn<double>("y");
        QTest::addColumn<double>("x");
        QTest::newRow("ImageJ in micrometres") << "imagej.tif" << true << 2.5 << 0.5 << 0.65;
        QTest::newRow("ImageJ in nanometres") << "imagej nm.tif" << true << 0.5 << 0.125 << 0.25;
        QTest::newRow("OME-XML") << "ome.ome.tif" << true << 1.5 << 0.5 << 0.25;
        QTest::newRow("pixels a centimetre") << "centimetres.tif" << true << 1.0 << 1.0 << 0.5;
        QTest::newRow("the dots of a screen say nothing") << "screen dots.tif" << false << 0.0 << 0.0 << 0.0;
        QTest::newRow("a broken resolution says nothing") << "broken resolution.tif" << false << 0.0 << 0.0 << 0.0;
        QTest::newRow("none at all") << "uint8.tif" << false << 0.0 << 0.0 << 0.0;
    }

    void voxelSizes()
    {
        QFETCH(QString, name);
        QFETCH(bool, known);
        const VolumeInfo info = io::openTiff(at(name.toStdString()))->info();
        QCOMPARE(info.voxelSizeUm.has_value(), known);
        if (!known)
            return;
        QFETCH(double, z);
        QFETCH(double, y);
        QFETCH(double, x);
        // tifffile stores resolutions as fractions of few digits
        QVERIFY(std::abs(info.voxelSizeUm->z / z - 1) < 1e-5);
        QVERIFY(std::abs(info.voxelSizeUm->y / y - 1) < 1e-5);
        QVERIFY(std::abs(info.voxelSizeUm->x / x - 1) < 1e-5);
    }

    void channelsAreNotMistakenForSlices()
    {
        const io::Listing rgb = io::listTiff(at("rgb.tif"));
        QCOMPARE(rgb.arrays.size(), std::size_t{4}); // three channels, and all
        QVERIFY(says(rgb.arrays.front().warnings, "3 samples a pixel"));
        QCOMPARE(rgb.arrays.back().axes, std::string("zsyx"));
        const VolumePtr green = io::openTiff(at("rgb.tif"), "channel 2");
        const VolumePtr all = io::openTiff(at("rgb.tif"), "all channels");
        QCOMPARE(readAs<std::uint8_t>(*green, Region::slice(green->extent(), 1)), readAs<std::uint8_t>(*all, Region::slice(all->extent(), 4)));

        const io::Listing hyper = io::listTiff(at("hyperstack.tif"));
        QCOMPARE(hyper.arrays.size(), std::size_t{3});
        QVERIFY(says(hyper.arrays.front().warnings, "2 channels"));
        QCOMPARE(hyper.arrays.back().shape, (std::vector<std::int64_t>{3, 2, 9, 7}));
        QVERIFY(says(io::listTiff(at("frames.tif")).arrays.front().warnings, "4 time points"));
    }

    void pagesOfAnotherKindAreTold()
    {
        const io::Listing listing = io::listTiff(at("two kinds.tif"));
        QCOMPARE(listing.arrays.size(), std::size_t{2});
        QCOMPARE(listing.arrays[1].extent, (Extent{2, 4, 5}));
        QVERIFY(says(listing.arrays[0].warnings, "2 pages of 4×5"));
        QCOMPARE(io::openTiff(at("two kinds.tif"), listing.arrays[1].name)->extent(), (Extent{2, 4, 5}));
    }

    void unknownArrayIsRefusedWithTheNames()
    {
        try {
            io::openTiff(at("two kinds.tif"), "part 9");
            QFAIL("it opened");
        } catch (const Error& error) {
            QVERIFY(QString(error.what()).contains("part 2"));
        }
    }

    void manyThreadsReadTheSameSamples()
    {
        for (const char* name : {"tiled deflate.tif", "deflate.tif", "many pages.tif"}) {
            const VolumePtr volume = io::openTiff(at(name));
            const auto whole = readAs<double>(*volume, Region::whole(volume->extent()));
            const auto sliceSize = static_cast<std::size_t>(volume->extent().y * volume->extent().x);
            std::atomic<int> wrong{0};
            std::vector<std::thread> threads;
            for (int i = 0; i < 4; ++i)
                threads.emplace_back([&, i] {
                    for (std::int64_t step = 0; step < 50; ++step) {
                        const std::int64_t z = (step * 5 + i) % volume->extent().z;
                        const auto slice = readAs<double>(*volume, Region::slice(volume->extent(), z));
                        if (!std::equal(slice.begin(), slice.end(), whole.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(z) * sliceSize)))
                            ++wrong;
                    }
                });
            for (std::thread& thread : threads)
                thread.join();
            QCOMPARE(wrong.load(), 0);
        }
    }

    void truncatedFilesSayWhatIsMissing_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("share");
        for (const char* name : {"one page.tif", "deflate.tif", "tiled deflate.tif", "float64.tif", "one directory.tif", "bigtiff.tif", "lzma.tif"})
            for (const double share : {0.97, 0.5, 0.1})
                QTest::newRow(qPrintable(QString("%1, %2 left").arg(name).arg(share))) << QString(name) << share;
    }

    void truncatedFilesSayWhatIsMissing()
    {
        QFETCH(QString, name);
        QFETCH(double, share);
        std::vector<char> bytes = bytesOf(at(name.toStdString()));
        bytes.resize(static_cast<std::size_t>(static_cast<double>(bytes.size()) * share));
        writeBytes(at("cut.tif"), bytes);
        const QString message = complaint(at("cut.tif"));
        if (message.isEmpty()) // whole slices are left: then that is said
            QVERIFY(says(io::listTiff(at("cut.tif")).warnings, "truncated"));
        else
            QVERIFY2(message.contains("cut.tif") && (message.contains("truncated") || message.contains("damaged")), qPrintable(message));
    }

    void truncatedSliceIsNamedWithItsBytes()
    {
        std::vector<char> bytes = bytesOf(at("one directory.tif"));
        bytes.resize(bytes.size() - 50);
        writeBytes(at("cut.tif"), bytes);
        const VolumePtr volume = io::openTiff(at("cut.tif"));
        QCOMPARE(volume->extent().z, std::int64_t{7});
        QVERIFY(says(volume->info().warnings, "7 slices are declared, the file holds 6"));
        readAs<std::uint16_t>(*volume, Region::slice(volume->extent(), 5));
        try {
            readAs<std::uint16_t>(*volume, Region::slice(volume->extent(), 6));
            QFAIL("it read");
        } catch (const Error& error) {
            const QString message = error.what();
            QVERIFY2(message.contains("slice 6") && message.contains("expected 198 bytes") && message.contains("found 148"), error.what());
        }
    }

    void impossibleFilesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("word");
        const auto row = [](const char* name, const std::vector<char>& bytes, const char* word) {
            QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())) << QString(word);
        };
        row("an empty file", {}, "empty file");
        row("a text", {'h', 'e', 'l', 'l', 'o', ' ', 'y', 'o', 'u'}, "other content");
        row("a header alone", {'I', 'I', 42, 0, 8, 0, 0, 0}, "first page");
        row("a huge page in a tiny file", handMade({{256, 1000000}, {257, 1000000}, {258, 8}, {259, 1}, {262, 1}, {273, 8}, {277, 1}, {278, 1000000}, {279, 100}}),
            "truncated or damaged");
        row("a huge compressed page in a tiny file", handMade({{256, 4000000}, {257, 4000000}, {258, 8}, {259, 8}, {262, 1}, {273, 8}, {277, 1}, {278, 4000000}, {279, 100}}),
            "truncated or damaged");
        row("sizes that no computer addresses", handMade({{256, 4294967295}, {257, 4294967295}, {258, 64}, {259, 5}, {273, 8}, {277, 65535}, {278, 1}, {279, 100}}), "addres");
        row("a page of no width", handMade({{256, 0}, {257, 5}, {258, 8}, {273, 8}, {279, 5}}), "no image");
        row("complex numbers", handMade({{256, 2}, {257, 2}, {258, 64}, {273, 8}, {279, 32}, {339, 6}}), "complex");
        row("an unknown compression", handMade({{256, 2}, {257, 2}, {258, 8}, {259, 50000 + 999}, {273, 8}, {279, 4}}), "compression");
        row("samples nowhere", handMade({{256, 2}, {257, 2}, {258, 8}}), "where its samples lie");
    }

    void impossibleFilesAreRefused()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, word);
        writeBytes(at("made.tif"), std::span(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        const QString message = complaint(at("made.tif"));
        QVERIFY2(message.contains("made.tif") || message.contains("addres"), qPrintable(message));
        QVERIFY2(message.contains(word), qPrintable(message));
    }

    void pagesInALoopEnd()
    {
        // the only directory says that the next one is itself
        std::vector<char> bytes = handMade({{256, 2}, {257, 2}, {258, 8}, {259, 1}, {273, 8}, {279, 4}}, 8);
        writeBytes(at("loop.tif"), bytes);
        const io::Listing listing = io::listTiff(at("loop.tif"));
        QCOMPARE(listing.arrays.front().extent.z, std::int64_t{1});
        QVERIFY(says(listing.warnings, "loop"));
    }

    void stacksOverFourGigabytes()
    {
        // ImageJ's layout: one directory that says images=5000, 5 GB of planes behind it (holes, which take no space)
        const std::string text = "ImageJ=1.53t\nimages=5000\nslices=5000\n";
        constexpr std::uint32_t kData = 512;
        std::vector<char> bytes = handMade({{256, 1024}, {257, 1024}, {258, 8}, {259, 1}, {262, 1}, {270, 300}, {273, kData}, {277, 1}, {278, 1024}, {279, 1048576}});
        const std::uint16_t ascii = 2;
        const auto count = static_cast<std::uint32_t>(text.size() + 1);
        std::memcpy(bytes.data() + 10 + 5 * 12 + 2, &ascii, 2); // the sixth entry is the text
        std::memcpy(bytes.data() + 10 + 5 * 12 + 4, &count, 4);
        bytes.resize(kData);
        std::memcpy(bytes.data() + 300, text.c_str(), count);
        writeBytes(at("huge.tif"), bytes);
        const std::int64_t whole = kData + std::int64_t{5000} * 1048576;
        std::error_code fault;
        fs::resize_file(at("huge.tif"), static_cast<std::uintmax_t>(whole), fault);
        if (fault)
            QSKIP("the file system has no room for a file with holes");
        std::fstream file(at("huge.tif"), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(whole - 1);
        file.put(77);
        file.close();
        const VolumePtr volume = io::openTiff(at("huge.tif"));
        QCOMPARE(volume->extent(), (Extent{5000, 1024, 1024}));
        QCOMPARE(readAs<std::uint8_t>(*volume, {{4999, 1023, 1022}, {1, 1, 2}}), (std::vector<std::uint8_t>{0, 77}));
        fs::remove(at("huge.tif"));
    }

    void anyFlippedByteIsSurvived()
    {
        // no answer is prescribed, but there must be one: an array or an Error, no crash and no endless loop
        for (const char* name : {"tiled deflate.tif", "imagej.tif", "bigtiff.tif"}) {
            const std::vector<char> whole = bytesOf(at(name));
            for (std::size_t i = 0; i < std::min<std::size_t>(whole.size(), 300); ++i) {
                std::vector<char> bytes = whole;
                bytes[i] = static_cast<char>(bytes[i] ^ (i % 3 == 0 ? 0xff : 0x10));
                writeBytes(at("flipped.tif"), bytes);
                try {
                    const VolumePtr volume = io::openTiff(at("flipped.tif"));
                    if (volume->extent().y * volume->extent().x < 1000000)
                        readAs<float>(*volume, Region::slice(volume->extent(), volume->extent().z - 1));
                } catch (const Error&) {
                }
            }
        }
    }

    void missingFileSaysSo()
    {
        try {
            io::openTiff(at("nowhere.tif"));
            QFAIL("it opened");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::io);
            QVERIFY(QString(error.what()).contains("nowhere.tif"));
        }
    }
};

QTEST_GUILESS_MAIN(TestTiffReader)
#include "tst_tiff_reader.moc"
