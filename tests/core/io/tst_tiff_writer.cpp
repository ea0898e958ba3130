// What is written here is read by Debian's tifffile, and back by this program.
#include "core/base/error.h"
#include "core/io/mask_metadata.h"
#include "core/io/tiff_file.h"
#include "core/io/tiff_reader.h"
#include "core/io/tiff_page_writer.h"
#include "core/io/tiff_writer.h"
#include "core/volume/statistics.h"
#include "support/run_program.h"

#include <QtTest/QtTest>

#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <sys/resource.h>

using namespace voxelscribe;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const char* const kReader = R"PY(
import sys, json, hashlib, numpy as np, tifffile
with tifffile.TiffFile(sys.argv[1]) as t:
    a = np.stack([p.asarray() for p in t.pages])
    tags = t.pages[0].tags
    text = tags['ImageDescription'].value if 'ImageDescription' in tags else ''
    line = [l for l in text.split('\n') if l.startswith('{')]
    x = tags['XResolution'].value if 'XResolution' in tags else (0, 1)
    palette = t.pages[0].colormap
    print(json.dumps(dict(
        shape=list(a.shape), dtype=a.dtype.name, sha1=hashlib.sha1(a.astype(a.dtype.newbyteorder('<')).tobytes()).hexdigest(),
        big=t.is_bigtiff, imagej=t.is_imagej, series=[list(s.shape) for s in t.series], unit=(t.imagej_metadata or {}).get('unit'),
        spacing=(t.imagej_metadata or {}).get('spacing'), images=(t.imagej_metadata or {}).get('images'), x=x[0] / x[1],
        described=sum('ImageDescription' in p.tags for p in t.pages), compression=int(t.pages[0].compression),
        json=json.loads(line[0]) if line else None, palette=None if palette is None else palette[:, 2].tolist())))
)PY";

std::vector<std::byte> noise(const io::WriteSpec& spec)
{
    std::mt19937 random(7);
    std::vector<std::byte> bytes(static_cast<std::size_t>(spec.extent.voxels()) * dtypeSize(spec.dtype));
    for (std::byte& byte : bytes)
        byte = static_cast<std::byte>(random() % 60); // finite as floats too
    return bytes;
}

std::string sha1Of(const Volume& volume)
{
    SilentProgress progress;
    return computeStatistics(volume, {.sha1 = true}, progress).sha1;
}

/// Writes slice by slice.
void writeAll(io::VolumeWriter& writer, const io::WriteSpec& spec, std::span<const std::byte> samples)
{
    const std::size_t slice = samples.size() / static_cast<std::size_t>(spec.extent.z);
    for (std::size_t at = 0; at < samples.size(); at += slice)
        writer.write(samples.subspan(at, slice));
    writer.finish();
}

json readBack(const fs::path& path)
{
    const test::Finished python = test::runPython(QString::fromUtf8(kReader), {QString::fromStdString(path.string())});
    if (python.exitCode != 0)
        return {{"error", python.err.toStdString()}};
    return json::parse(python.out.toStdString());
}

} // namespace

class TestTiffWriter : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    fs::path at(const std::string& name) const { return fs::path(m_folder.path().toStdString()) / name; }
    std::size_t entries() const
    {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(at("")), fs::directory_iterator()));
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (test::runPython("import tifffile").exitCode != 0)
            QSKIP("no tifffile to read the files with");
    }

    void tifffileReadsTheSamples_data()
    {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<bool>("compress");
        for (const char* dtype : {"uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float32", "float64"})
            for (const bool compress : {true, false})
                QTest::newRow(qPrintable(QString("%1, %2").arg(dtype, compress ? "compressed" : "plain"))) << QString(dtype) << compress;
    }

    void tifffileReadsTheSamples()
    {
        QFETCH(QString, dtype);
        QFETCH(bool, compress);
        io::WriteSpec spec;
        spec.extent = {3, 517, 389}; // several strips, the last one shorter
        spec.dtype = *dtypeFromName(dtype.toStdString());
        spec.compress = compress;
        spec.voxelSizeUm = VoxelSizeUm{2.5, 0.65, 0.325};
        const auto samples = noise(spec);
        const fs::path path = at("stack.tif");
        writeAll(*io::createTiffWriter(path, spec), spec, samples);
        const json read = readBack(path);
        const VolumePtr volume = io::openTiff(path);
        QVERIFY2(!read.contains("error"), read.dump().c_str());
        QCOMPARE(read["shape"], json({3, 517, 389}));
        QCOMPARE(read["dtype"].get<std::string>(), dtype.toStdString());
        QCOMPARE(read["compression"].get<int>(), compress ? 8 : 1);
        QCOMPARE(sha1Of(*volume), read["sha1"].get<std::string>());
        QCOMPARE(readAs<double>(*volume, {{1, 3, 5}, {1, 1, 1}}), readAs<double>(*makeMemoryVolume([&] {
            VolumeInfo info;
            info.dtype = spec.dtype;
            info.extent = spec.extent;
            return info;
        }(), samples), {{1, 3, 5}, {1, 1, 1}}));
        QCOMPARE(*volume->info().voxelSizeUm, *spec.voxelSizeUm);
        QVERIFY(volume->info().warnings.empty());
    }

    void imageJFindsStackAndVoxelSize()
    {
        io::WriteSpec spec;
        spec.extent = {4, 6, 9};
        spec.dtype = DType::uint16;
        spec.voxelSizeUm = VoxelSizeUm{2.5, 0.65, 0.65};
        writeAll(*io::createTiffWriter(at("imagej.tif"), spec), spec, noise(spec));
        const json read = readBack(at("imagej.tif"));
        QVERIFY(read["imagej"].get<bool>());
        QCOMPARE(read["series"], json({{4, 6, 9}}));
        QCOMPARE(read["images"].get<int>(), 4);
        QCOMPARE(read["unit"].get<std::string>(), std::string("um"));
        QCOMPARE(read["spacing"].get<double>(), 2.5);
        QVERIFY(std::abs(1 / read["x"].get<double>() - 0.65) < 1e-12);
        QCOMPARE(read["described"].get<int>(), 1); // the first page only
        QCOMPARE(read["json"]["voxel_size"], json({2.5, 0.65, 0.65}));
    }

    void imageJIsNotPromisedWhatItCannotRead()
    {
        io::WriteSpec spec;
        spec.extent = {2, 3, 4};
        spec.dtype = DType::int64;
        spec.voxelSizeUm = VoxelSizeUm{1, 2, 3};
        writeAll(*io::createTiffWriter(at("wide.tif"), spec), spec, noise(spec));
        const json read = readBack(at("wide.tif"));
        QVERIFY(!read["imagej"].get<bool>());
        QCOMPARE(read["json"]["unit"].get<std::string>(), std::string("um"));
    }

    void classesAndProvenanceComeBack()
    {
        io::WriteSpec spec;
        spec.extent = {2, 5, 3};
        spec.classes = {{1, "Pore", 0xe69f00}, {7, "Größe = \"groß\"", 0x0072b2}};
        spec.attributes = {{"model_sha256", "abc"}, {"run_id", "r-1"}};
        spec.colourTable = true;
        std::vector<std::byte> samples(30, std::byte{7});
        samples[0] = std::byte{1};
        writeAll(*io::createTiffWriter(at("mask.tif"), spec), spec, samples);
        const json read = readBack(at("mask.tif"));
        QVERIFY2(!read.contains("error"), read.dump().c_str());
        QCOMPARE(read["json"]["class_ids"], json({1, 7}));
        QCOMPARE(read["json"]["class_names"], json({"Pore", "Größe = \"groß\""}));
        QCOMPARE(read["json"]["class_colors"], json({"#e69f00", "#0072b2"}));
        QCOMPARE(read["json"]["model_sha256"].get<std::string>(), std::string("abc"));
        QVERIFY(read["palette"].is_array());
        const io::MaskMetadata metadata = io::readMaskMetadata({at("mask.tif"), {}});
        QCOMPARE(metadata.classes.size(), std::size_t{2});
        QCOMPARE(metadata.classes[1].name, spec.classes[1].name);
        QCOMPARE(readAs<std::uint8_t>(*io::openTiff(at("mask.tif")), {{0, 0, 0}, {1, 1, 2}}), (std::vector<std::uint8_t>{1, 7}));
    }

    void seriesHasOneFileASlice()
    {
        io::WriteSpec spec;
        spec.extent = {3, 5, 7};
        spec.dtype = DType::float32;
        spec.voxelSizeUm = VoxelSizeUm{1.5, 1, 1};
        const auto samples = noise(spec);
        writeAll(*io::createTiffSeriesWriter(at("masks"), spec), spec, samples);
        for (const char* name : {"masks_00000.tif", "masks_00001.tif", "masks_00002.tif"})
            QVERIFY(fs::exists(at("masks") / name));
        const VolumePtr volume = io::open({at("masks"), {}});
        QCOMPARE(volume->extent(), spec.extent);
        QCOMPARE(*volume->info().voxelSizeUm, *spec.voxelSizeUm);
        QCOMPARE(readBack(at("masks") / "masks_00001.tif")["dtype"].get<std::string>(), std::string("float32"));
        VolumeInfo info;
        info.dtype = spec.dtype;
        info.extent = spec.extent;
        QCOMPARE(sha1Of(*volume), sha1Of(*makeMemoryVolume(info, samples)));
    }

    void bigOnlyWhereItMustBe_data()
    {
        QTest::addColumn<qlonglong>("pages");
        QTest::addColumn<bool>("big");
        QTest::newRow("a gigabyte") << qlonglong{256} << false;
        QTest::newRow("just under four gigabytes") << qlonglong{920} << false;
        QTest::newRow("over four gigabytes") << qlonglong{1024} << true;
        QTest::newRow("far over two to the 31 pages of bytes") << qlonglong{1000000} << true;
    }

    void bigOnlyWhereItMustBe()
    {
        QFETCH(qlonglong, pages);
        QFETCH(bool, big);
        io::TiffPageSpec spec;
        spec.pages = pages;
        spec.height = 2048;
        spec.width = 2048;
        QCOMPARE(spec.needsBig(), big);
    }

    void bigFilesAreReadByTifffile()
    {
        // declared as large as needs a BigTIFF, but only few pages are added
        for (const bool compress : {true, false}) {
            io::TiffPageSpec spec;
            spec.pages = 100000000;
            spec.height = 11;
            spec.width = 13;
            spec.dtype = DType::uint16;
            spec.compress = compress;
            spec.description = "a text that is too long to stand in its entry";
            std::vector<std::uint16_t> samples(5 * 11 * 13);
            std::iota(samples.begin(), samples.end(), std::uint16_t{0});
            io::TiffPageWriter writer(at("big.tif"), "big.tif", spec);
            for (std::size_t page = 0; page < 5; ++page)
                writer.addPage(std::as_bytes(std::span(samples)).subspan(page * 286, 286));
            writer.finish();
            const json read = readBack(at("big.tif"));
            QVERIFY2(!read.contains("error"), read.dump().c_str());
            QVERIFY(read["big"].get<bool>());
            QCOMPARE(read["shape"], json({5, 11, 13}));
            QCOMPARE(sha1Of(*io::openTiff(at("big.tif"))), read["sha1"].get<std::string>());
            QCOMPARE(io::listTiff(at("big.tif")).format, std::string("BigTIFF"));
        }
    }

    void manyPages()
    {
        io::WriteSpec spec;
        spec.extent = {20000, 2, 3};
        std::vector<std::byte> samples(120000);
        for (std::size_t i = 0; i < samples.size(); ++i)
            samples[i] = static_cast<std::byte>(i / 6 % 251);
        const auto writer = io::createTiffWriter(at("many.tif"), spec);
        writer->write(samples); // several slices at once
        writer->finish();
        const VolumePtr volume = io::openTiff(at("many.tif"));
        QCOMPARE(volume->extent(), spec.extent);
        QCOMPARE(readAs<std::uint8_t>(*volume, {{19999, 1, 2}, {1, 1, 1}}), std::vector<std::uint8_t>{19999 % 251});
    }

    void nothingIsThereBeforeTheEnd()
    {
        const std::size_t before = entries();
        io::WriteSpec spec;
        spec.extent = {2, 3, 4};
        {
            const auto writer = io::createTiffWriter(at("half.tif"), spec);
            writer->write(std::vector<std::byte>(12));
            QVERIFY(!fs::exists(at("half.tif")));
            QVERIFY_EXCEPTION_THROWN(writer->finish(), Error); // a slice is missing
            const auto series = io::createTiffSeriesWriter(at("half"), spec);
            series->write(std::vector<std::byte>(12));
            QVERIFY_EXCEPTION_THROWN(series->finish(), Error);
        }
        QVERIFY(!fs::exists(at("half.tif")) && !fs::exists(at("half")));
        QCOMPARE(entries(), before); // no temporary is left
    }

    void wrongAmountsAreRefused()
    {
        io::WriteSpec spec;
        spec.extent = {2, 3, 4};
        const auto writer = io::createTiffWriter(at("wrong.tif"), spec);
        QVERIFY_EXCEPTION_THROWN(writer->write(std::vector<std::byte>(13)), Error);
        QVERIFY_EXCEPTION_THROWN(writer->write(std::vector<std::byte>(36)), Error);
    }

    void aFullDiskLeavesNothing()
    {
        // a limit on the size of files stands for the full disk: write() fails in the same way
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit old{};
        getrlimit(RLIMIT_FSIZE, &old);
        const std::size_t before = entries();
        io::WriteSpec spec;
        spec.extent = {4, 300, 500};
        spec.compress = false;
        QString message;
        {
            rlimit small = old;
            small.rlim_cur = 400000;
            setrlimit(RLIMIT_FSIZE, &small);
            try {
                writeAll(*io::createTiffWriter(at("full.tif"), spec), spec, noise(spec));
            } catch (const Error& error) {
                message = error.what();
                QCOMPARE(error.code(), ErrorCode::io);
            }
            setrlimit(RLIMIT_FSIZE, &old);
        }
        QVERIFY2(message.contains("full.tif"), qPrintable(message));
        QVERIFY(!fs::exists(at("full.tif")));
        QCOMPARE(entries(), before);
    }

    void aMissingFolderSaysSo()
    {
        io::WriteSpec spec;
        spec.extent = {1, 2, 3};
        QVERIFY_EXCEPTION_THROWN(io::createTiffWriter(at("no/where.tif"), spec), Error);
        QVERIFY_EXCEPTION_THROWN(io::createTiffSeriesWriter(at("no/where"), spec), Error);
    }
};

QTEST_GUILESS_MAIN(TestTiffWriter)
#include "tst_tiff_writer.moc"
