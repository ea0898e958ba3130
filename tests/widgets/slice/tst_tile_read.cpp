#include "tests/widgets/slice/synthetic_volume.h"
#include "widgets/slice/annotation_layer.h"
#include "widgets/slice/colour_map.h"
#include "widgets/slice/tile_cache.h"
#include "widgets/slice/tile_read.h"

#include <QtTest/QtTest>
#include <cmath>
#include <limits>
#include <set>

using namespace voxelscribe;
using namespace voxelscribe::slice;
using voxelscribe::test::SyntheticVolume;

Q_DECLARE_METATYPE(voxelscribe::Extent)
Q_DECLARE_METATYPE(voxelscribe::Plane)

/// A value that tells its position, whatever the extent.
static std::uint16_t positionValue(std::int64_t z, std::int64_t y, std::int64_t x)
{
    return static_cast<std::uint16_t>((z * 7919 + y * 104729 + x * 31) % 65521);
}

class TestTileRead : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tilesCoverTheSliceOnce_data();
    void tilesCoverTheSliceOnce();
    void samplesAreThoseOfTheVolume_data();
    void samplesAreThoseOfTheVolume();
    void coarserLevelsAreMeans();
    void meansLeaveOutWhatIsNotFinite();
    void maskPixelsAreNeverMixed();
    void farBeyondTwoToThe31();
    void bandsBoundTheMemory();
    void lonelyChunksAreSkippedFromAfar();
    void stopLeavesNothing();
    void errorsComeThrough();
    void thinStrokesAreSeenFromAfar_data();
    void thinStrokesAreSeenFromAfar();
    void annotationsInEveryPlane();
    void greysOfEveryType_data();
    void greysOfEveryType();
    void greyOfWhatIsNoNumber();
    void reductionAveragesWithinTheTile();
    void cacheKeepsItsBudget();
    void cacheKeepsWhatIsWanted();
};

void TestTileRead::tilesCoverTheSliceOnce_data()
{
    QTest::addColumn<Extent>("extent");
    QTest::addColumn<Extent>("chunk");
    QTest::addColumn<Plane>("plane");
    QTest::addColumn<int>("level");
    QTest::newRow("slices of a file") << Extent{9, 3001, 2500} << Extent{1, 3001, 2500} << Plane::xy << 0;
    QTest::newRow("across the slices") << Extent{900, 301, 2500} << Extent{1, 301, 2500} << Plane::xz << 0;
    QTest::newRow("along the slices") << Extent{900, 301, 2500} << Extent{1, 301, 2500} << Plane::zy << 1;
    QTest::newRow("cubes, from afar") << Extent{70, 5000, 9001} << Extent{64, 64, 64} << Plane::xy << 3;
    QTest::newRow("a single row") << Extent{2, 1, 7777} << Extent{1, 1, 7777} << Plane::xy << 0;
}

void TestTileRead::tilesCoverTheSliceOnce()
{
    QFETCH(Extent, extent);
    QFETCH(Extent, chunk);
    QFETCH(Plane, plane);
    QFETCH(int, level);
    const TileGrid grid(extent, chunk, plane);
    std::int64_t pixels = 0;
    std::set<TileKey> seen;
    for (const TileKey& key : grid.tilesIn(1, level, grid.whole(0))) {
        QVERIFY(seen.insert(key).second);
        QVERIFY(!grid.tileRect(key).isEmpty());
        pixels += grid.tileRect(key).pixels();
    }
    QCOMPARE(pixels, grid.whole(level).pixels());
    QVERIFY(grid.tilesIn(-1, level, grid.whole(0)).empty());
    QVERIFY(grid.tilesIn(grid.extent().z, level, grid.whole(0)).empty());
    QVERIFY(grid.tilesIn(0, level, {-50, -50, 10, 10}).empty());
}

void TestTileRead::samplesAreThoseOfTheVolume_data()
{
    QTest::addColumn<Plane>("plane");
    QTest::addColumn<Extent>("chunk");
    QTest::newRow("xy, one slice a chunk") << Plane::xy << Extent{1, 37, 53};
    QTest::newRow("xz, one slice a chunk") << Plane::xz << Extent{1, 37, 53};
    QTest::newRow("zy, one slice a chunk") << Plane::zy << Extent{1, 37, 53};
    QTest::newRow("xz, cubes") << Plane::xz << Extent{8, 8, 8};
    QTest::newRow("zy, cubes") << Plane::zy << Extent{8, 8, 8};
}

void TestTileRead::samplesAreThoseOfTheVolume()
{
    QFETCH(Plane, plane);
    QFETCH(Extent, chunk);
    const SyntheticVolume<std::uint16_t> volume({11, 37, 53}, DType::uint16, positionValue, chunk);
    const TileGrid grid(volume.extent(), chunk, plane);
    const TileKey lead = grid.lead(grid.tilesIn(grid.extent().z - 1, 0, grid.whole(0)).front());
    const std::vector<SampleTile> image = readImageTiles(volume, grid, lead, {});
    const std::vector<SampleTile> mask = readMaskTiles(volume, grid, lead, {});
    QCOMPARE(static_cast<std::int64_t>(image.size()), grid.slicesAt(lead));
    QCOMPARE(mask.size(), image.size());
    for (std::size_t i = 0; i < image.size(); ++i)
        for (std::int64_t v = 0; v < grid.extent().y; ++v)
            for (std::int64_t u = 0; u < grid.extent().x; ++u) {
                const Extent voxel = planeVoxel(plane, lead.slice + static_cast<std::int64_t>(i), v, u);
                const double expected = positionValue(voxel.z, voxel.y, voxel.x);
                QCOMPARE(image[i].at(v, u), expected);
                QCOMPARE(mask[i].at(v, u), expected);
            }
}

void TestTileRead::coarserLevelsAreMeans()
{
    const SyntheticVolume<std::uint16_t> volume({2, 21, 34}, DType::uint16, positionValue, {1, 16, 16});
    const TileGrid grid(volume.extent(), volume.info().chunk, Plane::xy);
    const SampleTile tile = readImageTiles(volume, grid, {Plane::xy, 2, 1, 0, 0}, {}).front();
    QVERIFY((tile.rect == PixelRect{0, 0, 6, 9}));
    for (std::int64_t v = 0; v < 6; ++v)
        for (std::int64_t u = 0; u < 9; ++u) {
            double sum = 0;
            int count = 0;
            for (std::int64_t y = v * 4; y < std::min<std::int64_t>(21, v * 4 + 4); ++y)
                for (std::int64_t x = u * 4; x < std::min<std::int64_t>(34, u * 4 + 4); ++x, ++count)
                    sum += positionValue(1, y, x);
            QCOMPARE(tile.at(v, u), std::floor(sum / count + 0.5));
        }
}

void TestTileRead::meansLeaveOutWhatIsNotFinite()
{
    const float infinity = std::numeric_limits<float>::infinity();
    const auto volume = makeMemoryVolume<float>({1, 2, 4}, {1, std::nanf(""), infinity, -infinity, 3, 5, std::nanf(""), infinity});
    const TileGrid grid(volume->extent(), volume->info().chunk, Plane::xy);
    const SampleTile tile = readImageTiles(*volume, grid, {Plane::xy, 1, 0, 0, 0}, {}).front();
    QCOMPARE(tile.at(0, 0), 3.0);
    QVERIFY(std::isnan(tile.at(0, 1)));
}

void TestTileRead::maskPixelsAreNeverMixed()
{
    const SyntheticVolume<std::uint8_t> volume({1, 50, 70}, DType::uint8,
                                               [](auto, auto y, auto x) { return static_cast<std::uint8_t>((x + y) % 2 == 0 ? 2 : 200); });
    const TileGrid grid(volume.extent(), volume.info().chunk, Plane::xy);
    const SampleTile tile = readMaskTiles(volume, grid, {Plane::xy, 3, 0, 0, 0}, {}).front();
    QVERIFY(tile.dtype == DType::uint16);
    for (std::int64_t v = 0; v < tile.rect.height; ++v)
        for (std::int64_t u = 0; u < tile.rect.width; ++u)
            QVERIFY(tile.at(v, u) == 2 || tile.at(v, u) == 200);
}

void TestTileRead::farBeyondTwoToThe31()
{
    const Extent extent{70000, 80000, 90000};
    const SyntheticVolume<std::uint16_t> volume(extent, DType::uint16, positionValue, {1, 256, 256});
    for (const Plane plane : {Plane::xy, Plane::xz, Plane::zy}) {
        const TileGrid grid(extent, volume.info().chunk, plane);
        const Extent size = grid.extent();
        const TileKey key = grid.tilesIn(size.z - 1, 0, {size.y - 1, size.x - 1, 1, 1}).front();
        const SampleTile tile = readImageTiles(volume, grid, grid.lead(key), {}).at(
            static_cast<std::size_t>(key.slice - grid.lead(key).slice));
        const Extent voxel = planeVoxel(plane, size.z - 1, size.y - 1, size.x - 1);
        QCOMPARE(tile.at(size.y - 1, size.x - 1), static_cast<double>(positionValue(voxel.z, voxel.y, voxel.x)));
    }
}

void TestTileRead::bandsBoundTheMemory()
{
    const SyntheticVolume<std::uint16_t> volume({1, 4001, 70001}, DType::uint16, [](auto, auto, auto) { return std::uint16_t{7}; });
    const TileGrid grid(volume.extent(), volume.info().chunk, Plane::xy);
    const SampleTile tile = readImageTiles(volume, grid, {Plane::xy, 5, 0, 0, 0}, {}).front();
    QCOMPARE(tile.at(100, 2000), 7.0);
    QVERIFY(volume.largestRead() <= std::int64_t{4} << 20);
}

void TestTileRead::lonelyChunksAreSkippedFromAfar()
{
    // Across slices that are chunks of their own, a reduced picture needs one slice for each of its rows.
    const SyntheticVolume<std::uint16_t> volume({64, 32, 48}, DType::uint16, positionValue);
    const TileGrid grid(volume.extent(), volume.info().chunk, Plane::xz);
    readImageTiles(volume, grid, {Plane::xz, 2, 0, 0, 0}, {});
    int slices = 0;
    for (std::int64_t z = 0; z < 64; ++z)
        slices += volume.readsOfSlice(z) > 0 ? 1 : 0;
    QCOMPARE(slices, 16);
}

void TestTileRead::stopLeavesNothing()
{
    const SyntheticVolume<std::uint16_t> volume({1, 32, 48}, DType::uint16, positionValue);
    const TileGrid grid(volume.extent(), volume.info().chunk, Plane::xy);
    QVERIFY(readImageTiles(volume, grid, {}, [] { return true; }).empty());
    QCOMPARE(volume.voxelsRead(), std::int64_t{0});
}

void TestTileRead::errorsComeThrough()
{
    const SyntheticVolume<std::uint16_t> volume({1, 32, 48}, DType::uint16, [](auto, auto, auto) -> std::uint16_t {
        throw Error(ErrorCode::io, "slice 1 is torn");
    });
    const TileGrid grid(volume.extent(), volume.info().chunk, Plane::xy);
    QVERIFY_EXCEPTION_THROWN(readImageTiles(volume, grid, {}, {}), Error);
    QVERIFY_EXCEPTION_THROWN(readMaskTiles(volume, grid, {}, {}), Error);
}

void TestTileRead::thinStrokesAreSeenFromAfar_data()
{
    QTest::addColumn<int>("level");
    for (int level = 1; level <= 2; ++level)
        QTest::addRow("level %d", level) << level;
}

void TestTileRead::thinStrokesAreSeenFromAfar()
{
    QFETCH(int, level);
    const AnnotationReader reader = [](const Region& region, std::span<std::uint16_t> out) {
        std::size_t i = 0;
        for (std::int64_t y = region.origin.y; y < region.end().y; ++y)
            for (std::int64_t x = region.origin.x; x < region.end().x; ++x)
                out[i++] = y == 17 ? 5 : 0;
    };
    const TileGrid grid({1, 40, 60}, {1, 1, 1}, Plane::xy);
    const IdBlock block = readIds(reader, grid, 0, level, grid.whole(level));
    for (std::int64_t u = 0; u < block.rect.width; ++u) {
        QCOMPARE(block.at(17 >> level, u), std::uint16_t{5});
        QCOMPARE(block.at(0, u), std::uint16_t{0});
    }
}

void TestTileRead::annotationsInEveryPlane()
{
    const AnnotationReader reader = [](const Region& region, std::span<std::uint16_t> out) {
        std::size_t i = 0;
        for (std::int64_t z = region.origin.z; z < region.end().z; ++z)
            for (std::int64_t y = region.origin.y; y < region.end().y; ++y)
                for (std::int64_t x = region.origin.x; x < region.end().x; ++x)
                    out[i++] = positionValue(z, y, x);
    };
    for (const Plane plane : {Plane::xy, Plane::xz, Plane::zy}) {
        const TileGrid grid({5, 7, 9}, {1, 1, 1}, plane);
        const PixelRect part{1, 2, 3, 2};
        const IdBlock block = readIds(reader, grid, 4, 0, part);
        for (std::int64_t v = 1; v < 4; ++v)
            for (std::int64_t u = 2; u < 4; ++u) {
                const Extent voxel = planeVoxel(plane, 4, v, u);
                QCOMPARE(block.at(v, u), positionValue(voxel.z, voxel.y, voxel.x));
            }
    }
}

template <typename T>
static SampleTile tileOf(DType dtype, std::int64_t height, std::int64_t width, const std::vector<T>& values)
{
    const auto bytes = std::as_bytes(std::span(values));
    return {dtype, {0, 0, height, width}, {bytes.begin(), bytes.end()}, 1};
}

void TestTileRead::greysOfEveryType_data()
{
    QTest::addColumn<int>("dtype");
    for (int i = 0; i <= static_cast<int>(DType::float64); ++i)
        QTest::newRow(std::string(dtypeName(static_cast<DType>(i))).c_str()) << i;
}

void TestTileRead::greysOfEveryType()
{
    QFETCH(int, dtype);
    visitDType(static_cast<DType>(dtype), [&](auto sample) {
        using T = decltype(sample);
        const auto tile = tileOf<T>(static_cast<DType>(dtype), 1, 5, {T{10}, T{20}, T{71}, T{120}, T{127}});
        GreyMap map;
        map.setWindow(20, 120);
        const QImage image = map.image(tile, 1);
        QCOMPARE(qGray(image.pixel(0, 0)), 0);
        QCOMPARE(qGray(image.pixel(1, 0)), 0);
        QCOMPARE(qGray(image.pixel(2, 0)), 130);
        QCOMPARE(qGray(image.pixel(3, 0)), 255);
        QCOMPARE(qGray(image.pixel(4, 0)), 255);
        map.setWindow(71, 71); // a threshold
        QCOMPARE(qGray(map.image(tile, 1).pixel(2, 0)), 0);
        QCOMPARE(qGray(map.image(tile, 1).pixel(3, 0)), 255);
    });
}

void TestTileRead::greyOfWhatIsNoNumber()
{
    const double infinity = std::numeric_limits<double>::infinity();
    GreyMap map;
    map.setWindow(-5, 5);
    const QImage image = map.image(tileOf<double>(DType::float64, 1, 3, {std::nan(""), infinity, -infinity}), 1);
    QCOMPARE(qGray(image.pixel(0, 0)), 0);
    QCOMPARE(qGray(image.pixel(1, 0)), 255);
    QCOMPARE(qGray(image.pixel(2, 0)), 0);
}

void TestTileRead::reductionAveragesWithinTheTile()
{
    GreyMap map;
    const QImage image = map.image(tileOf<std::uint8_t>(DType::uint8, 3, 3, {0, 100, 9, 100, 200, 11, 40, 60, 77}), 2);
    QCOMPARE(image.size(), QSize(2, 2));
    QCOMPARE(qGray(image.pixel(0, 0)), 100);
    QCOMPARE(qGray(image.pixel(1, 0)), 10);
    QCOMPARE(qGray(image.pixel(0, 1)), 50);
    QCOMPARE(qGray(image.pixel(1, 1)), 77);
}

static SampleTile tileOfBytes(std::size_t bytes)
{
    return {DType::uint8, {0, 0, 1, static_cast<std::int64_t>(bytes)}, std::vector<std::byte>(bytes), 0};
}

void TestTileRead::cacheKeepsItsBudget()
{
    TileCache cache(10000);
    for (std::int64_t slice = 0; slice < 100; ++slice) {
        cache.insert({Plane::xy, 0, slice, 0, 0}, tileOfBytes(1000), false, {});
        cache.find({Plane::xy, 0, 0, 0, 0}); // the first is always in use
        QVERIFY(cache.usedBytes() <= 10000);
    }
    QVERIFY(cache.find({Plane::xy, 0, 0, 0, 0}) != nullptr);
    QVERIFY(cache.find({Plane::xy, 0, 99, 0, 0}) != nullptr);
    QVERIFY(cache.find({Plane::xy, 0, 50, 0, 0}) == nullptr);
}

void TestTileRead::cacheKeepsWhatIsWanted()
{
    TileCache cache(1000);
    const std::set<TileKey> wanted{{Plane::xy, 0, 1, 0, 0}, {Plane::xy, 0, 2, 0, 0}};
    for (std::int64_t slice = 1; slice <= 3; ++slice)
        cache.insert({Plane::xy, 0, slice, 0, 0}, tileOfBytes(900), false, wanted);
    QVERIFY(cache.find({Plane::xy, 0, 1, 0, 0}) != nullptr);
    QVERIFY(cache.find({Plane::xy, 0, 2, 0, 0}) != nullptr);
    const std::uint64_t serial = cache.find({Plane::xy, 0, 1, 0, 0})->serial;
    cache.outdate([](const TileKey& key) { return key.slice == 1; });
    QVERIFY(!cache.isFresh({Plane::xy, 0, 1, 0, 0}));
    QVERIFY(cache.isFresh({Plane::xy, 0, 2, 0, 0}));
    cache.insert({Plane::xy, 0, 1, 0, 0}, tileOfBytes(900), false, wanted);
    QVERIFY(cache.isFresh({Plane::xy, 0, 1, 0, 0}));
    QVERIFY(cache.find({Plane::xy, 0, 1, 0, 0})->serial != serial);
}

QTEST_GUILESS_MAIN(TestTileRead)
#include "tst_tile_read.moc"
