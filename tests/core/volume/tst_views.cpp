#include "core/base/error.h"
#include "core/volume/views.h"

#include <QtTest/QtTest>

#include <limits>
#include <numeric>

using namespace voxelscribe;

namespace {

VolumePtr ramp(const Extent& extent)
{
    std::vector<std::uint16_t> values(static_cast<std::size_t>(extent.voxels()));
    std::iota(values.begin(), values.end(), std::uint16_t{0});
    return makeMemoryVolume<std::uint16_t>(extent, values);
}

template <typename T>
std::vector<T> allOf(const Volume& volume)
{
    return readAs<T>(volume, Region::whole(volume.extent()));
}

} // namespace

class TestViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cropKeepsPositions()
    {
        const VolumePtr part = cropVolume(ramp({3, 4, 5}), {{1, 2, 1}, {2, 1, 3}});
        QCOMPARE(part->extent(), (Extent{2, 1, 3}));
        QCOMPARE(allOf<std::uint16_t>(*part), (std::vector<std::uint16_t>{31, 32, 33, 51, 52, 53}));
        QCOMPARE(readAs<std::uint16_t>(*part, {{1, 0, 2}, {1, 1, 1}}), std::vector<std::uint16_t>{53});
    }

    void cropOutsideIsRefused()
    {
        QVERIFY_EXCEPTION_THROWN(cropVolume(ramp({3, 4, 5}), {{0, 0, 0}, {3, 4, 6}}), Error);
        QVERIFY_EXCEPTION_THROWN(cropVolume(ramp({3, 4, 5}), {{0, 0, 0}, {0, 4, 5}}), Error);
    }

    void binAverages()
    {
        const VolumePtr binned = binVolume(ramp({2, 2, 5}), 2);
        QCOMPARE(binned->extent(), (Extent{1, 1, 2})); // the fifth column has no partner
        // (0+1+5+6+10+11+15+16)/8 = 8, and 2 more a block
        QCOMPARE(allOf<std::uint16_t>(*binned), (std::vector<std::uint16_t>{8, 10}));
    }

    void binRoundsToNearest()
    {
        const auto source = makeMemoryVolume<std::uint8_t>({1, 2, 4}, {1, 2, 254, 255, 2, 2, 255, 255});
        QCOMPARE(allOf<std::uint8_t>(*binVolume(source, 2)), (std::vector<std::uint8_t>{2, 255})); // 1.75 and 254.75
    }

    void binLeavesShortAxesAlone()
    {
        const VolumePtr binned = binVolume(ramp({1, 9, 7}), 3);
        QCOMPARE(binned->extent(), (Extent{1, 3, 2}));
        QCOMPARE(readAs<std::uint16_t>(*binned, {{0, 2, 1}, {1, 1, 1}}), std::vector<std::uint16_t>{53}); // centre: row 7, column 4
    }

    void binOfLabelsTakesTheMostFrequent()
    {
        const auto source = makeMemoryVolume<std::uint8_t>({2, 2, 4}, {7, 0, 3, 3, 7, 7, 9, 9, 0, 7, 3, 3, 0, 0, 9, 9});
        QCOMPARE(allOf<std::uint8_t>(*binVolume(source, 2, true)), (std::vector<std::uint8_t>{0, 3})); // ties: the smaller id
    }

    void binGrowsTheVoxels()
    {
        VolumeInfo info;
        info.name = "sized";
        info.extent = {1, 4, 6};
        info.voxelSizeUm = VoxelSizeUm{5, 0.5, 0.25};
        const VolumePtr binned = binVolume(makeMemoryVolume(info, std::vector<std::byte>(24)), 2);
        QCOMPARE(*binned->info().voxelSizeUm, (VoxelSizeUm{5, 1, 0.5})); // a single slice stays as thick as it is
    }

    void binRegionsEqualTheWhole()
    {
        const VolumePtr binned = binVolume(ramp({7, 9, 11}), 2);
        const auto all = allOf<std::uint16_t>(*binned);
        const Extent e = binned->extent();
        for (std::int64_t z = 0; z < e.z; ++z)
            for (std::int64_t y = 0; y < e.y; ++y)
                for (std::int64_t x = 0; x < e.x; ++x)
                    QCOMPARE(readAs<std::uint16_t>(*binned, {{z, y, x}, {1, 1, 1}}).front(), all[static_cast<std::size_t>((z * e.y + y) * e.x + x)]);
    }

    void binOfNothingIsRefused()
    {
        QVERIFY_EXCEPTION_THROWN(binVolume(ramp({1, 2, 3}), 0), Error);
        QVERIFY_EXCEPTION_THROWN(binVolume(ramp({1, 2, 3}), -2), Error);
    }

    void castSaturates()
    {
        const auto source = makeMemoryVolume<std::int32_t>({1, 2, 3}, {-5, 0, 255, 256, 70000, 42});
        QCOMPARE(allOf<std::uint8_t>(*castVolume(source, DType::uint8)), (std::vector<std::uint8_t>{0, 0, 255, 255, 255, 42}));
        QCOMPARE(castVolume(source, DType::uint16)->info().dtype, DType::uint16);
        QCOMPARE(allOf<std::uint16_t>(*castVolume(source, DType::uint16)), (std::vector<std::uint16_t>{0, 0, 255, 256, 65535, 42}));
    }

    void castOfFloatsRounds()
    {
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        const auto source = makeMemoryVolume<float>({1, 1, 8}, {0.4F, 0.6F, -0.6F, 254.7F, 1e9F, kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()});
        QCOMPARE(allOf<std::uint8_t>(*castVolume(source, DType::uint8)), (std::vector<std::uint8_t>{0, 1, 0, 255, 255, 255, 0, 0}));
        const auto wide = allOf<std::int64_t>(*castVolume(source, DType::int64));
        QCOMPARE(wide[2], std::int64_t{-1});
        QCOMPARE(wide[5], std::numeric_limits<std::int64_t>::max());
        QCOMPARE(wide[7], std::int64_t{0});
    }

    void castBetweenSignsNeverWraps()
    {
        const auto source = makeMemoryVolume<std::uint64_t>({1, 1, 2}, {std::numeric_limits<std::uint64_t>::max(), 3});
        QCOMPARE(allOf<std::int64_t>(*castVolume(source, DType::int64)), (std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max(), 3}));
    }
};

QTEST_GUILESS_MAIN(TestViews)
#include "tst_views.moc"
