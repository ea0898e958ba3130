// Real and odd TIFF files of the shared test data against what independent readers (tifffile, GDAL, Pillow) say of them.
#include "core/base/error.h"
#include "core/io/open.h"
#include "core/io/tiff_reader.h"
#include "core/volume/statistics.h"
#include "support/test_data.h"

#include <QtTest/QtTest>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

using namespace voxelscribe;
using nlohmann::json;

namespace {

std::vector<std::int64_t> withoutOnes(std::vector<std::int64_t> shape)
{
    std::erase(shape, 1);
    return shape;
}

bool nearly(const json& expected, double found, double tolerance)
{
    if (!expected.is_number())
        return true; // the reader found no finite sample
    const double value = expected.get<double>();
    return std::abs(value - found) <= tolerance + 2e-6 * std::max(std::abs(value), std::abs(found));
}

/// Whether an array has the samples that a reader gave: by digest, or by range and mean where the coding is lossy.
bool equals(const Volume& volume, const json& reader, bool lossy)
{
    if (withoutOnes(volume.info().shape) != withoutOnes(reader.at("shape").get<std::vector<std::int64_t>>()))
        return false;
    SilentProgress progress;
    const VolumeStatistics statistics = computeStatistics(volume, {.sha1 = true}, progress);
    if (!lossy && reader.contains("sha1_le"))
        return statistics.sha1.starts_with(reader["sha1_le"].get<std::string>());
    const double tolerance = lossy ? 2 : 0; // JPEG decoders differ by rounding
    return nearly(reader["min"], statistics.min, tolerance) && nearly(reader["max"], statistics.max, tolerance)
           && nearly(reader["mean"], statistics.mean, tolerance);
}

/// The readers that read most of a file; one that stops at the first page is no witness.
std::vector<json> witnesses(const json& expected)
{
    std::vector<json> readers;
    std::int64_t most = 0;
    const auto size = [](const json& reader) {
        std::int64_t product = 1;
        for (const json& length : reader["shape"])
            product *= length.get<std::int64_t>();
        return product;
    };
    for (const auto& [name, value] : expected.items())
        if (value.is_object() && value.contains("shape") && (value.contains("min") || value.contains("sha1_le"))) {
            readers.push_back(value);
            most = std::max(most, size(value));
        }
    std::erase_if(readers, [&](const json& reader) { return size(reader) != most; });
    return readers;
}

} // namespace

class TestTiffZoo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void filesAreReadAsByOthers_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("expected");
        std::ifstream in(test::testDataDir() / "expected_files.json");
        const json all = json::parse(in, nullptr, false);
        QTest::newRow("(the shared data)") << QString() << QString();
        if (!all.is_object())
            return;
        for (const auto& [path, expected] : all.items())
            if (path.ends_with(".tif") || path.ends_with(".tiff"))
                QTest::newRow(path.c_str()) << QString::fromStdString(path) << QString::fromStdString(expected.dump());
    }

    void filesAreReadAsByOthers()
    {
        VOXELSCRIBE_NEEDS_DATA("expected_files.json");
        QFETCH(QString, path);
        QFETCH(QString, expected);
        if (path.isEmpty() || !std::filesystem::exists(test::testDataDir() / path.toStdString()))
            return;
        const json said = json::parse(expected.toStdString());
        const std::vector<json> readers = witnesses(said);
        const std::string compression = said.contains("page0") && said["page0"].contains("compression")
                                            ? said["page0"]["compression"].get<std::string>() : std::string();
        const bool lossy = std::set<std::string>{"6", "7", "50001", "34676", "34677", "34887"}.contains(compression);
        const std::filesystem::path file = test::testDataDir() / path.toStdString();
        QString refusal;
        std::vector<std::string> names;
        try {
            for (const VolumeInfo& info : io::listTiff(file).arrays)
                names.push_back(info.name);
            for (const std::string& name : names) {
                const VolumePtr volume = io::openTiff(file, name);
                for (const json& reader : readers)
                    if (equals(*volume, reader, lossy))
                        return;
            }
        } catch (const Error& error) {
            refusal = QString::fromUtf8(error.what());
        }
        if (readers.empty())
            return; // nobody could read it: a message or an array, but no crash
        if (!refusal.isEmpty() && isRefused(path))
            QSKIP(qPrintable(refusal));
        QVERIFY2(isReadOtherwise(path), refusal.isEmpty() ? "other samples than any reader" : qPrintable(refusal));
    }

    void oddInputsAreReadOrExplained_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("expected");
        std::ifstream in(test::testDataDir() / "issues" / "expected.json");
        const json all = json::parse(in, nullptr, false);
        QTest::newRow("(the shared data)") << QString() << QString();
        if (!all.is_object())
            return;
        for (const auto& [path, expected] : all.items())
            if (path.starts_with("tiff"))
                QTest::newRow(path.c_str()) << QString::fromStdString(path) << QString::fromStdString(expected.dump());
    }

    void oddInputsAreReadOrExplained()
    {
        VOXELSCRIBE_NEEDS_DATA("issues/expected.json");
        QFETCH(QString, path);
        QFETCH(QString, expected);
        const std::filesystem::path file = test::testDataDir() / "issues" / path.toStdString();
        if (path.isEmpty() || !std::filesystem::exists(file))
            return;
        const json said = json::parse(expected.toStdString());
        try {
            const io::Listing listing = io::list({file, {}});
            const bool told = !listing.warnings.empty() || !listing.arrays.front().warnings.empty();
            if (!said.contains("shape") || said.value("min", json()).is_null()) {
                QVERIFY2(told || said.value("silent_ok", false), said["right"].get<std::string>().c_str());
                return;
            }
            json reader = said;
            if (said["dtype"] == "f2")
                reader.erase("sha1_le"); // read as float32: the same values in other bytes
            const bool lossy = reader.value("tolerance", json(0.0)).get<double>() > 0;
            QVERIFY2(equals(*io::open({file, {}}), reader, lossy), "other samples than expected");
            QVERIFY2(told || !said.value("must_say", false), said["right"].get<std::string>().c_str());
        } catch (const Error& error) {
            QVERIFY2(!said.contains("sha1_le"), error.what());
        }
    }

    void realLabelsHaveTheirCounts()
    {
        VOXELSCRIBE_NEEDS_DATA("labelled/sandstone_9x512x512_labels.tif");
        const VolumePtr volume = io::openTiff(test::testDataDir() / "labelled/sandstone_9x512x512_labels.tif");
        QCOMPARE(volume->extent(), (Extent{9, 512, 512}));
        SilentProgress progress;
        const VolumeStatistics statistics = computeStatistics(*volume, {.histogramBins = 1}, progress);
        QCOMPARE(statistics.histogram, (std::vector<std::int64_t>{267121, 1835615, 186159, 70401})); // as the data's README says
    }

private:
    /// Files that other readers open and this program refuses with a message: printers' inks and the JPEG of before 1995.
    static bool isRefused(const QString& path)
    {
        return path.contains("cmyk") || path.contains("separated") || path.contains("ojpeg");
    }

    /// Files of which each reader makes something else, where this program differs from the one that finds most.
    static bool isReadOtherwise(const QString& path)
    {
        return path.endsWith("/subsubifds.tif")                 // tifffile adds the pages inside pages
               || path.contains("ndtiffv2.0_stitched_test/Full") // tifffile fills the grid's missing places with zeros
               || path.endsWith("pillow/compression.tif")       // pages of 1 and of 8 bits are two arrays here
               || path.endsWith("emptyexiftag.tif");            // read by Pillow alone, which turns black and white round
    }
};

QTEST_GUILESS_MAIN(TestTiffZoo)
#include "tst_tiff_zoo.moc"
