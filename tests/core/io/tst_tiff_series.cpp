#include "core/base/error.h"
#include "core/io/series_names.h"
#include "core/io/tiff_reader.h"
#include "core/io/tiff_series.h"
#include "core/io/tiff_writer.h"
#include "support/test_data.h"

#include <QtTest/QtTest>

#include <fstream>
#include <functional>

using namespace voxelscribe;
namespace fs = std::filesystem;

namespace {

/// A one-slice TIFF whose samples are all `value`.
void writeSlice(const fs::path& path, std::uint8_t value, const Extent& extent = {1, 5, 7})
{
    io::WriteSpec spec;
    spec.extent = extent;
    spec.compress = false;
    const std::vector<std::byte> samples(static_cast<std::size_t>(extent.voxels()), std::byte{value});
    const auto writer = io::createTiffWriter(path, spec);
    writer->write(samples);
    writer->finish();
}

std::vector<std::string> namesOf(const std::vector<fs::path>& paths)
{
    std::vector<std::string> names;
    for (const fs::path& path : paths)
        names.push_back(path.filename().string());
    return names;
}

std::string joined(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts)
        all += text + "\n";
    return all;
}

int valueAt(const Volume& volume, std::int64_t z)
{
    return readAs<std::uint8_t>(volume, {{z, 4, 6}, {1, 1, 1}}).front();
}

} // namespace

class TestTiffSeries : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path folder() const { return m_folder->path().toStdString(); }

    QString complaint(const std::function<void()>& action) const
    {
        try {
            action();
        } catch (const Error& error) {
            return QString::fromUtf8(error.what());
        }
        return {};
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void numbersOrderTheSlices()
    {
        for (int i = 1; i <= 12; ++i)
            writeSlice(folder() / ("s" + std::to_string(i) + ".tif"), static_cast<std::uint8_t>(i));
        const VolumePtr volume = io::openTiffSeries(folder());
        QCOMPARE(volume->extent(), (Extent{12, 5, 7}));
        for (std::int64_t z = 0; z < 12; ++z)
            QCOMPARE(valueAt(*volume, z), static_cast<int>(z + 1));
        QCOMPARE(readAs<std::uint8_t>(*volume, {{8, 1, 1}, {3, 1, 1}}), (std::vector<std::uint8_t>{9, 10, 11}));
        QVERIFY(volume->info().warnings.empty());
    }

    void gapsAreNamed()
    {
        for (const int i : {0, 1, 2, 4, 5, 9, 10})
            writeSlice(folder() / ("rec_0000" + std::to_string(i) + ".tif"), static_cast<std::uint8_t>(i));
        const io::Listing listing = io::listTiffSeries(folder());
        QCOMPARE(listing.format, std::string("TIFF series"));
        QCOMPARE(listing.arrays.front().extent.z, std::int64_t{7});
        const QString warning = QString::fromStdString(joined(listing.arrays.front().warnings));
        QVERIFY2(warning.contains("3, 6–8"), qPrintable(warning));
    }

    void everyFiftiethSliceHasNoGaps()
    {
        for (int i = 0; i < 500; i += 50)
            writeSlice(folder() / ("k" + std::to_string(i) + ".tif"), 1);
        QVERIFY(io::listTiffSeries(folder()).arrays.front().warnings.empty());
    }

    void oddMembersAreNamedAndRefusedWhenRead()
    {
        for (int i = 0; i < 8; ++i)
            writeSlice(folder() / ("m" + std::to_string(i) + ".tif"), static_cast<std::uint8_t>(i), i == 3 ? Extent{1, 5, 6} : Extent{1, 5, 7});
        fs::resize_file(folder() / "m5.tif", fs::file_size(folder() / "m4.tif") - 240);
        std::ofstream(folder() / "m6.tif", std::ios::trunc) << "no image at all";
        const VolumePtr volume = io::openTiffSeries(folder());
        const QString warnings = QString::fromStdString(joined(volume->info().warnings));
        QVERIFY2(warnings.contains("m3.tif is 5×6 uint8, the others are 5×7 uint8"), qPrintable(warnings));
        QVERIFY2(warnings.contains("m5.tif cannot be read"), qPrintable(warnings));
        QVERIFY2(warnings.contains("m6.tif cannot be read"), qPrintable(warnings));
        QCOMPARE(valueAt(*volume, 7), 7); // the good ones can be read
        const QString odd = complaint([&] { valueAt(*volume, 3); });
        QVERIFY2(odd.contains("m3.tif") && odd.contains("expected 5×7 uint8") && odd.contains("found 5×6 uint8"), qPrintable(odd));
        QVERIFY(complaint([&] { valueAt(*volume, 5); }).contains("m5.tif"));
        QVERIFY(complaint([&] { valueAt(*volume, 6); }).contains("m6.tif"));
    }

    void anOddFirstMemberDoesNotDecide()
    {
        for (int i = 0; i < 5; ++i)
            writeSlice(folder() / ("m" + std::to_string(i) + ".tif"), 1, i == 0 ? Extent{1, 2, 2} : Extent{1, 5, 7});
        const VolumePtr volume = io::openTiffSeries(folder());
        QCOMPARE(volume->extent(), (Extent{5, 5, 7}));
        QVERIFY(joined(volume->info().warnings).find("m0.tif is 2×2") != std::string::npos);
    }

    void hiddenAndOtherFilesDoNotCount()
    {
        for (const char* name : {"a1.tif", "a2.TIFF", "._a1.tif", ".a3.tif"})
            writeSlice(folder() / name, 1);
        std::ofstream(folder() / "Thumbs.db") << "x";
        fs::create_directory(folder() / "a4.tif");
        std::int64_t others = 0;
        QCOMPARE(io::tiffNames(folder(), others).size(), std::size_t{2});
        QCOMPARE(others, std::int64_t{2});
        QVERIFY(io::holdsTiffSeries(folder()));
    }

    void twoRunsAreTwoSeries()
    {
        for (int i = 0; i < 4; ++i) {
            writeSlice(folder() / ("a_" + std::to_string(i) + ".tif"), 10);
            if (i < 3)
                writeSlice(folder() / ("b_" + std::to_string(i) + ".tif"), 20, {1, 5, 7});
        }
        const io::Listing listing = io::listTiffSeries(folder());
        QCOMPARE(listing.arrays.size(), std::size_t{2});
        QCOMPARE(listing.arrays[0].name, std::string("a_*.tif"));
        QCOMPARE(listing.arrays[0].extent.z, std::int64_t{4});
        QVERIFY(joined(listing.warnings).find("b_0.tif … b_2.tif") != std::string::npos);
        QCOMPARE(valueAt(*io::openTiffSeries(folder(), "b_*.tif"), 2), 20);
        QVERIFY(complaint([&] { io::openTiffSeries(folder(), "c_*.tif"); }).contains("b_*.tif"));
    }

    void aPickedMemberOpensItsSeries()
    {
        for (int i = 8; i <= 11; ++i)
            writeSlice(folder() / ("über uns " + std::to_string(i) + ".tif"), static_cast<std::uint8_t>(i));
        writeSlice(folder() / "alone.tif", 99);
        const fs::path picked = folder() / "über uns 9.tif";
        QCOMPARE(namesOf(io::seriesOf(picked)), (std::vector<std::string>{"über uns 8.tif", "über uns 9.tif", "über uns 10.tif", "über uns 11.tif"}));
        const VolumePtr series = io::openSeriesOf(picked);
        QCOMPARE(series->extent().z, std::int64_t{4});
        QCOMPARE(valueAt(*series, 2), 10);
        QCOMPARE(namesOf(io::seriesOf(folder() / "alone.tif")), std::vector<std::string>{"alone.tif"});
        QCOMPARE(io::openSeriesOf(folder() / "alone.tif")->extent().z, std::int64_t{1});
    }

    void aPickedStackStaysAlone()
    {
        writeSlice(folder() / "scan1.tif", 1, {3, 5, 7});
        writeSlice(folder() / "scan2.tif", 2, {3, 5, 7});
        QCOMPARE(io::openSeriesOf(folder() / "scan1.tif")->extent().z, std::int64_t{3});
    }

    void stacksAsMembersFollowOneAnother()
    {
        writeSlice(folder() / "part1.tif", 1, {4, 5, 7});
        writeSlice(folder() / "part2.tif", 2, {4, 5, 7});
        writeSlice(folder() / "part3.tif", 3, {2, 5, 7}); // the last may be shorter
        const VolumePtr volume = io::openTiffSeries(folder());
        QCOMPARE(volume->extent().z, std::int64_t{10});
        QCOMPARE(readAs<std::uint8_t>(*volume, {{2, 4, 6}, {8, 1, 1}}), (std::vector<std::uint8_t>{1, 1, 2, 2, 2, 2, 3, 3}));
    }

    void longSeriesIsNotReadWhole()
    {
        // 400 members that are no images between good ones of the same size: opening does not look into them, reading does
        writeSlice(folder() / "l000.tif", 1);
        const auto size = fs::file_size(folder() / "l000.tif");
        for (int i = 1; i < 400; ++i) {
            const fs::path path = folder() / QString("l%1.tif").arg(i, 3, 10, QChar('0')).toStdString();
            if (i == 300)
                std::ofstream(path) << std::string(size, 'x');
            else
                fs::copy_file(folder() / "l000.tif", path);
        }
        std::ofstream(folder() / "l250.tif", std::ios::app) << "longer"; // another size: looked at, and found to be good
        const VolumePtr volume = io::openTiffSeries(folder());
        QCOMPARE(volume->extent().z, std::int64_t{400});
        QVERIFY(volume->info().warnings.empty());
        QCOMPARE(valueAt(*volume, 399), 1);
        QVERIFY(complaint([&] { valueAt(*volume, 300); }).contains("l300.tif"));
    }

    void aFolderWithoutImagesSaysWhatItHolds()
    {
        QVERIFY(complaint([&] { io::listTiffSeries(folder()); }).contains("an empty folder"));
        std::ofstream(folder() / "notes.txt") << "x";
        QVERIFY(complaint([&] { io::listTiffSeries(folder()); }).contains("1 other entry"));
        QVERIFY(!io::holdsTiffSeries(folder()));
        QVERIFY(complaint([&] { io::listTiffSeries(folder() / "nowhere"); }).contains("nowhere"));
    }

    void aSeriesOfBrokenFilesIsRefused()
    {
        for (const char* name : {"x1.tif", "x2.tif"})
            std::ofstream(folder() / name) << "broken";
        const QString message = complaint([&] { io::listTiffSeries(folder()); });
        QVERIFY2(message.contains("x1.tif") || message.contains("x*.tif"), qPrintable(message));
    }

    void namesAreGroupedByTheirLastNumber()
    {
        const auto series = io::groupSeries({"t2_c1_010.tif", "t2_c1_9.tif", "t2_c1_0011.tif", "photo.tif", "map.tif", "t3_c1_1.tif"});
        QCOMPARE(series.size(), std::size_t{3});
        QCOMPARE(series[0].names, (std::vector<std::string>{"t2_c1_9.tif", "t2_c1_010.tif", "t2_c1_0011.tif"}));
        QVERIFY(series[0].gaps.empty());
        QCOMPARE(series[1].names, (std::vector<std::string>{"map.tif", "photo.tif"}));
    }

    void realSeries()
    {
        VOXELSCRIBE_NEEDS_DATA("series/als_recon_float32");
        const VolumePtr volume = io::openTiffSeries(test::testDataDir() / "series/als_recon_float32");
        QCOMPARE(volume->extent(), (Extent{16, 160, 160}));
        QCOMPARE(volume->info().dtype, DType::float32);
        readAs<float>(*volume, Region::whole(volume->extent()));
    }
};

QTEST_GUILESS_MAIN(TestTiffSeries)
#include "tst_tiff_series.moc"
