#include "app/window/results.h"

#include "app/window/mask_tally.h"
#include "core/io/mask_metadata.h"
#include "core/io/open.h"
#include "core/io/zarr_array.h"
#include "core/io/zarr_writer.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest/QtTest>

using namespace voxelscribe;
using window::MaskTally;

namespace {

constexpr Extent kExtent{4, 3, 5};

/// A run of slices 0:4 of which those in `finished` are there, each filled with its number + 1.
std::filesystem::path makeRun(const QTemporaryDir& dir, const char* name, const std::vector<std::int64_t>& finished, bool complete)
{
    const std::filesystem::path folder = std::filesystem::path(dir.path().toStdString()) / name;
    io::WriteSpec spec;
    spec.classes = {{1, "pore", 0x123456}, {4, "grain", 0xabcdef}};
    spec.voxelSizeUm = VoxelSizeUm{2, 1, 1};
    nlohmann::json attributes = io::zarrAttributes(spec);
    attributes.update({{"complete", complete}, {"slices", "0:4"}, {"model", "/models/rock.safetensors"}, {"run", {{"kept", 1}}}});
    io::ZarrArray array = io::createNgff(folder, {0, kExtent, {1, 3, 5}, DType::uint8, true}, spec.voxelSizeUm, attributes);
    for (const std::int64_t z : finished)
        array.writeChunk({{z, 0, 0}, 0}, std::vector<std::byte>(15, std::byte(z + 1)));
    return folder;
}

} // namespace

class TestResults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAnUnfinishedRun();
    void listsNewestFirstAndSkipsOthers();
    void refusesWhatIsNoRun();
    void renewsNamesAndVoxelSize();
    void talliesEachSliceOnce();
    void forgetsTheMaskBefore();

private:
    QTemporaryDir m_dir;
};

void TestResults::readsAnUnfinishedRun()
{
    const auto result = window::readResult(makeRun(m_dir, "part.zarr", {1, 3}, false));
    QCOMPARE(result.id, std::string("part.zarr"));
    QCOMPARE(result.modelName, std::string("rock"));
    QCOMPARE(result.slices, (std::vector<std::int64_t>{1, 3}));
    QCOMPARE(result.from, 0);
    QCOMPARE(result.to, 4);
    QCOMPARE(result.sliceCount, 4);
    QVERIFY(!result.complete);
    QCOMPARE(result.classes.size(), 2U);
    QCOMPARE(result.classes[1].name, std::string("grain"));
}

void TestResults::listsNewestFirstAndSkipsOthers()
{
    QTemporaryDir dir;
    const std::filesystem::path folder = dir.path().toStdString();
    const auto older = makeRun(dir, "run-1.zarr", {0}, false);
    makeRun(dir, "run-2.zarr", {0, 1, 2, 3}, true);
    std::filesystem::create_directory(folder / "broken.zarr");
    std::filesystem::create_directory(folder / "notes");
    std::filesystem::last_write_time(older / ".zattrs", std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    const auto results = window::listResults(folder);
    QCOMPARE(results.size(), 2U);
    QCOMPARE(results[0].id, std::string("run-2.zarr"));
    QVERIFY(results[0].complete);
    QVERIFY(window::listResults(folder / "missing").empty());
}

void TestResults::refusesWhatIsNoRun()
{
    QVERIFY_EXCEPTION_THROWN(window::readResult(std::filesystem::path(m_dir.path().toStdString()) / "missing.zarr"), std::exception);
}

void TestResults::renewsNamesAndVoxelSize()
{
    const auto folder = makeRun(m_dir, "renew.zarr", {0}, true);
    window::describeResultAnew(folder, {{4, "Körner", 0x00ff00}, {9, "unused", 0}}, VoxelSizeUm{3, 0.5, 0.25});
    const auto metadata = io::readMaskMetadata(io::Source{folder, {}});
    QCOMPARE(metadata.classes.size(), 2U);
    QCOMPARE(metadata.classes[0].name, std::string("pore"));
    QCOMPARE(metadata.classes[1].name, std::string("Körner"));
    QCOMPARE(metadata.classes[1].colour, Rgb{0x00ff00});
    QCOMPARE(metadata.voxelSizeUm, (VoxelSizeUm{3, 0.5, 0.25}));
    const auto volume = io::open(io::Source{folder, {}});
    QCOMPARE(volume->info().voxelSizeUm, (VoxelSizeUm{3, 0.5, 0.25}));
    const auto attributes = io::readNgffAttributes(folder);
    QCOMPARE(attributes.at("run").at("kept").get<int>(), 1); // what a resume compares
    QVERIFY(attributes.at("complete").get<bool>());
}

void TestResults::talliesEachSliceOnce()
{
    const auto folder = makeRun(m_dir, "tally.zarr", {0, 1, 2, 3}, true);
    MaskTally tally;
    tally.setMask(io::open(io::Source{folder, {}}));
    tally.add(1, 2);
    tally.add(0, 4);
    tally.add(0, 4);
    QTRY_COMPARE(tally.slices(), 4);
    QCOMPARE(tally.counts(), (MaskTally::Counts{{1, 15}, {2, 15}, {3, 15}, {4, 15}}));
}

void TestResults::forgetsTheMaskBefore()
{
    const auto folder = makeRun(m_dir, "forget.zarr", {0, 1, 2, 3}, true);
    MaskTally tally;
    QSignalSpy failed(&tally, &MaskTally::failed);
    tally.setMask(io::open(io::Source{folder, {}}));
    tally.add(0, 4);
    tally.setMask(makeMemoryVolume<std::uint8_t>({1, 2, 2}, std::vector<std::uint8_t>{7, 7, 7, 0}));
    tally.add(0, 1);
    QTRY_COMPARE(tally.slices(), 1);
    QTest::qWait(50); // the old mask's counts would come now
    QCOMPARE(tally.counts(), (MaskTally::Counts{{0, 1}, {7, 3}}));
    QCOMPARE(failed.count(), 0);
}

QTEST_MAIN(TestResults)
#include "tst_results.moc"
