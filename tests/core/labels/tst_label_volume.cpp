#include "core/labels/label_volume.h"
#include "label_helpers.h"

#include <QtTest/QtTest>

#include <random>
#include <thread>

using namespace voxelscribe;
using labels::LabelVolume;
using test::dense;
using test::thrownBy;

namespace {

std::int64_t between(std::mt19937& random, std::int64_t low, std::int64_t high)
{
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

Region randomRegion(std::mt19937& random, const Extent& whole)
{
    Region region;
    region.origin = {between(random, 0, whole.z - 1), between(random, 0, whole.y - 1), between(random, 0, whole.x - 1)};
    region.extent = {between(random, 1, whole.z - region.origin.z), between(random, 1, whole.y - region.origin.y),
                     between(random, 1, whole.x - region.origin.x)};
    return region;
}

} // namespace

class TestLabelVolume : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void startsEmptyAndTakesNoMemory()
    {
        const LabelVolume volume({40000, 50000, 60000}); // more voxels than 2⁴⁶
        QCOMPARE(volume.memoryBytes(), 0);
        QCOMPARE(volume.at({39999, 49999, 59999}), 0);
        QVERIFY(volume.occupiedChunks().empty());
        QVERIFY(volume.labelledSlices().empty());
    }

    void regionsAcrossChunkBordersAgreeWithADenseArray()
    {
        const Extent extent{5, 517, 389};
        LabelVolume volume(extent);
        std::vector<std::uint16_t> expected(static_cast<std::size_t>(extent.voxels()));
        std::mt19937 random(7);
        for (int round = 0; round < 40; ++round) {
            const Region region = randomRegion(random, extent);
            std::vector<std::uint16_t> ids(static_cast<std::size_t>(region.extent.voxels()));
            const auto run = between(random, 1, 700);
            std::int64_t left = 0;
            std::uint16_t id = 0;
            for (auto& value : ids) {
                if (left-- == 0) {
                    left = run;
                    id = static_cast<std::uint16_t>(between(random, 0, 3) * 21845);
                }
                value = id;
            }
            volume.write(region, ids);
            std::size_t at = 0;
            for (std::int64_t z = region.origin.z; z < region.end().z; ++z)
                for (std::int64_t y = region.origin.y; y < region.end().y; ++y)
                    for (std::int64_t x = region.origin.x; x < region.end().x; ++x)
                        expected[static_cast<std::size_t>((z * extent.y + y) * extent.x + x)] = ids[at++];
            std::vector<std::uint16_t> back(ids.size());
            volume.read(region, back);
            QVERIFY(back == ids);
        }
        QVERIFY(dense(volume) == expected);
        QVERIFY(volume.voxelsOfClass() == test::countedByHand(volume));
        const VolumePtr snapshot = volume.snapshot();
        QVERIFY(readAs<std::uint16_t>(*snapshot, Region::whole(extent)) == expected);
    }

    void anEmptiedChunkIsDropped()
    {
        LabelVolume volume({3, 300, 600});
        const Region spot{{1, 255, 255}, {1, 2, 2}};
        volume.write(spot, std::vector<std::uint16_t>(4, 9));
        QCOMPARE(volume.occupiedChunks().size(), 4U);
        QCOMPARE(volume.labelledSlices(), std::vector<std::int64_t>{1});
        QCOMPARE(volume.voxelsOfClass().at(9), 4);
        volume.write(spot, std::vector<std::uint16_t>(4, 0));
        QVERIFY(volume.occupiedChunks().empty());
        QVERIFY(volume.voxelsOfClass().empty());
        QCOMPARE(volume.memoryBytes(), 0);
    }

    void chunksGoInAndOutWhole()
    {
        LabelVolume volume({2, 300, 300});
        LabelVolume::Chunk ids(256 * 256);
        ids[43 * 256 + 43] = 5;
        volume.setChunk({1, 1, 1}, ids);
        QCOMPARE(volume.at({1, 299, 299}), 5);
        QVERIFY(*volume.chunk({1, 1, 1}) == ids);
        QVERIFY(volume.chunk({0, 1, 1}) == nullptr);
        volume.setChunk({1, 1, 1}, LabelVolume::Chunk(256 * 256));
        QVERIFY(volume.chunk({1, 1, 1}) == nullptr);
    }

    void aSnapshotStaysAsItWas()
    {
        LabelVolume volume({2, 260, 30});
        volume.write({{0, 250, 0}, {1, 10, 30}}, std::vector<std::uint16_t>(300, 1));
        const std::vector<std::uint16_t> before = dense(volume);
        const VolumePtr snapshot = volume.snapshot();
        bool isSame = false;
        std::thread reader([&] { isSame = readAs<std::uint16_t>(*snapshot, Region::whole(volume.extent())) == before; });
        volume.write({{0, 250, 0}, {2, 10, 10}}, std::vector<std::uint16_t>(200, 2));
        reader.join();
        QVERIFY(isSame);
        QVERIFY(readAs<std::uint16_t>(*snapshot, Region::whole(volume.extent())) == before);
        QCOMPARE(snapshot->info().dtype, DType::uint16);
    }

    void aCopyOfSomeChunksIsIndependent()
    {
        LabelVolume volume({2, 300, 300});
        volume.write({{0, 0, 0}, {2, 1, 1}}, std::vector<std::uint16_t>{1, 2});
        const std::vector<LabelVolume::ChunkKey> keys{{1, 0, 0}, {1, 1, 1}};
        LabelVolume copy = volume.copyOf(keys);
        volume.write({{1, 0, 1}, {1, 1, 1}}, std::vector<std::uint16_t>{3});
        copy.write({{1, 0, 2}, {1, 1, 1}}, std::vector<std::uint16_t>{4});
        QCOMPARE(copy.at({0, 0, 0}), 0);
        QCOMPARE(copy.at({1, 0, 0}), 2);
        QCOMPARE(copy.at({1, 0, 1}), 0);
        QCOMPARE(volume.at({1, 0, 2}), 0);
    }

    void outsideIsRefused_data()
    {
        QTest::addColumn<qint64>("z");
        QTest::addColumn<qint64>("height");
        QTest::newRow("slice before the first") << qint64(-1) << qint64(2);
        QTest::newRow("slice behind the last") << qint64(3) << qint64(2);
        QTest::newRow("row behind the last") << qint64(0) << qint64(8);
        QTest::newRow("empty region") << qint64(0) << qint64(0);
    }

    void outsideIsRefused()
    {
        QFETCH(qint64, z);
        QFETCH(qint64, height);
        LabelVolume volume({3, 7, 5});
        std::vector<std::uint16_t> ids(static_cast<std::size_t>(height * 5));
        QCOMPARE(thrownBy([&] { volume.read({{z, 0, 0}, {1, height, 5}}, ids); }), ErrorCode::shape);
        QCOMPARE(thrownBy([&] { volume.write({{z, 0, 0}, {1, height, 5}}, ids); }), ErrorCode::shape);
    }

    void wrongChunksAndBuffersAreRefused()
    {
        QCOMPARE(thrownBy([] { LabelVolume({3, 0, 5}); }), ErrorCode::shape);
        LabelVolume volume({3, 7, 5});
        std::vector<std::uint16_t> ids(3);
        QCOMPARE(thrownBy([&] { volume.read({{0, 0, 0}, {1, 2, 2}}, ids); }), ErrorCode::shape);
        QCOMPARE(thrownBy([&] { volume.setChunk({0, 0, 0}, LabelVolume::Chunk(12)); }), ErrorCode::shape);
        QCOMPARE(thrownBy([&] { volume.setChunk({0, 1, 0}, LabelVolume::Chunk(65536)); }), ErrorCode::shape);
        LabelVolume::Chunk padded(65536);
        padded[5] = 1; // x = 5 lies behind the last voxel
        QCOMPARE(thrownBy([&] { volume.setChunk({0, 0, 0}, padded); }), ErrorCode::shape);
        QCOMPARE(volume.memoryBytes(), 0);
    }
};

QTEST_GUILESS_MAIN(TestLabelVolume)
#include "tst_label_volume.moc"
