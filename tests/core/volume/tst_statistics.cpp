#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/volume/statistics.h"

#include <QtTest/QtTest>

#include <cmath>
#include <limits>
#include <numeric>

using namespace voxelscribe;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename T>
VolumeStatistics statisticsOf(const Extent& extent, const std::vector<T>& values, const StatisticsOptions& options = {})
{
    SilentProgress progress;
    return computeStatistics(*makeMemoryVolume<T>(extent, values), options, progress);
}

/// Remembers the largest region that was asked for.
class WatchedVolume : public Volume {
public:
    WatchedVolume(const Extent& extent, const Extent& chunk) : Volume(infoOf(extent, chunk)) {}
    mutable std::int64_t largest = 0;
    mutable std::int64_t reads = 0;

private:
    static VolumeInfo infoOf(const Extent& extent, const Extent& chunk)
    {
        VolumeInfo info;
        info.name = "watched";
        info.dtype = DType::uint16;
        info.extent = extent;
        info.chunk = chunk;
        return info;
    }
    void readRegion(const Region& region, std::span<std::byte> out) const override
    {
        largest = std::max(largest, region.extent.voxels());
        ++reads;
        std::fill(out.begin(), out.end(), std::byte{1});
    }
};

} // namespace

class TestStatistics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void smallIntegersByHand()
    {
        const VolumeStatistics s = statisticsOf<std::uint8_t>({2, 1, 3}, {3, 1, 4, 1, 5, 10}, {.histogramBins = 4});
        QCOMPARE(s.min, 1.0);
        QCOMPARE(s.max, 10.0);
        QCOMPARE(s.mean, 4.0);
        QCOMPARE(s.finite, std::int64_t{6});
        QCOMPARE(s.nonfinite, std::int64_t{0});
        QVERIFY(s.oneBinPerValue); // 8-bit values are counted exactly, whatever the number of bins
        QCOMPARE(s.histogram, (std::vector<std::int64_t>{2, 0, 1, 1, 1, 0, 0, 0, 0, 1}));
    }

    void negativeIntegers()
    {
        const VolumeStatistics s = statisticsOf<std::int16_t>({1, 2, 3}, {-32768, 32767, 0, -1, 1, 7}, {.histogramBins = 1});
        QCOMPARE(s.min, -32768.0);
        QCOMPARE(s.max, 32767.0);
        QCOMPARE(s.mean, 1.0); // 6 / 6
        QCOMPARE(s.histogram.size(), std::size_t{65536});
        QCOMPARE(s.percentile(0), -32768.0);
        QCOMPARE(s.percentile(1), 32767.0);
    }

    void nanAndInfinitiesAreLeftOut()
    {
        const VolumeStatistics s = statisticsOf<double>({1, 2, 4}, {kNan, -2, kInfinity, 4, -kInfinity, 1, kNan, 1}, {.histogramBins = 3});
        QCOMPARE(s.min, -2.0);
        QCOMPARE(s.max, 4.0);
        QCOMPARE(s.mean, 1.0);
        QCOMPARE(s.finite, std::int64_t{4});
        QCOMPARE(s.nonfinite, std::int64_t{4});
        QCOMPARE(s.histogram, (std::vector<std::int64_t>{1, 2, 1})); // bins of 2 from −2; the maximum falls into the last
    }

    void nothingFinite()
    {
        const VolumeStatistics s = statisticsOf<float>({1, 1, 3}, std::vector<float>(3, std::numeric_limits<float>::quiet_NaN()), {.histogramBins = 8});
        QVERIFY(s.min > s.max);
        QCOMPARE(s.nonfinite, std::int64_t{3});
        QVERIFY(std::isnan(s.percentile(0.5)));
    }

    void constantFloats()
    {
        const VolumeStatistics s = statisticsOf<float>({3, 2, 5}, std::vector<float>(30, 2.5F), {.histogramBins = 16});
        QCOMPARE(s.min, 2.5);
        QCOMPARE(s.max, 2.5);
        QCOMPARE(std::accumulate(s.histogram.begin(), s.histogram.end(), std::int64_t{0}), std::int64_t{30});
        QCOMPARE(s.percentile(0.99), 2.5);
    }

    void percentileOfCountedValues()
    {
        std::vector<std::uint8_t> values(100);
        std::iota(values.begin(), values.end(), std::uint8_t{50}); // 50 … 149
        const VolumeStatistics s = statisticsOf<std::uint8_t>({1, 5, 20}, values, {.histogramBins = 1});
        QCOMPARE(s.percentile(0), 50.0);
        QCOMPARE(s.percentile(0.5), 99.0); // half of the samples are 99 or less
        QCOMPARE(s.percentile(0.01), 50.0);
        QCOMPARE(s.percentile(1), 149.0);
        QCOMPARE(s.percentile(7), 149.0); // beyond the ends: the ends
    }

    void percentileInterpolatesInsideBins()
    {
        std::vector<float> values(1001);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(i) / 10;
        const VolumeStatistics s = statisticsOf<float>({7, 11, 13}, values, {.histogramBins = 100});
        for (const double fraction : {0.0, 0.001, 0.25, 0.5, 0.998, 1.0})
            QVERIFY2(std::abs(s.percentile(fraction) - 100 * fraction) < 0.2, "off by more than two samples' distance");
    }

    void percentileWithoutHistogram() { QVERIFY(std::isnan(statisticsOf<std::uint8_t>({1, 1, 2}, {1, 2}).percentile(0.5))); }

    void digestOfAllSamples()
    {
        // hashlib.sha1(numpy.array([1, 2, 300], "<u2").tobytes()).hexdigest()
        Hash hash(Hash::Kind::sha1);
        const std::vector<std::uint16_t> values{1, 2, 300};
        hash.add(std::as_bytes(std::span(values)));
        const VolumeStatistics s = statisticsOf<std::uint16_t>({3, 1, 1}, values, {.sha1 = true});
        QCOMPARE(s.sha1, hash.hex());
        QCOMPARE(statisticsOf<std::uint16_t>({3, 1, 1}, values).sha1, std::string());
    }

    void digestDoesNotDependOnChunks()
    {
        std::vector<std::uint16_t> values(5 * 7 * 9);
        std::iota(values.begin(), values.end(), std::uint16_t{0});
        std::vector<std::string> digests;
        for (const Extent& chunk : {Extent{1, 7, 9}, Extent{2, 3, 4}, Extent{5, 7, 9}, Extent{1, 1, 9}}) {
            VolumeInfo info;
            info.name = "chunked";
            info.dtype = DType::uint16;
            info.extent = {5, 7, 9};
            info.chunk = chunk;
            const auto bytes = std::as_bytes(std::span(values));
            SilentProgress progress;
            digests.push_back(computeStatistics(*makeMemoryVolume(info, {bytes.begin(), bytes.end()}), {.sha1 = true}, progress).sha1);
        }
        QVERIFY(std::all_of(digests.begin(), digests.end(), [&](const std::string& d) { return d == digests.front(); }));
    }

    void sampledSlicesAreEvenlySpaced()
    {
        std::vector<std::uint8_t> values;
        for (std::uint8_t z = 0; z < 9; ++z)
            values.insert(values.end(), 4, z);
        const VolumeStatistics s = statisticsOf<std::uint8_t>({9, 2, 2}, values, {.sha1 = true, .histogramBins = 1, .sampleSlices = 3});
        QCOMPARE(s.finite, std::int64_t{12});
        QCOMPARE(s.min, 1.0); // slices 1, 4 and 7
        QCOMPARE(s.max, 7.0);
        QVERIFY(s.sha1.empty()); // not of all samples
    }

    void moreSampledSlicesThanThereAre()
    {
        QCOMPARE(statisticsOf<std::uint8_t>({2, 1, 1}, {5, 9}, {.sampleSlices = 100}).finite, std::int64_t{2});
    }

    void hugeSlicesAreReadInBands()
    {
        const WatchedVolume volume({2, 20000, 3000}, {1, 64, 3000}); // 120 MB a slice
        SilentProgress progress;
        const VolumeStatistics s = computeStatistics(volume, {.sha1 = true}, progress);
        QCOMPARE(s.finite, volume.extent().voxels());
        QCOMPARE(s.mean, 257.0);
        QVERIFY(volume.largest * 2 <= (std::int64_t{32} << 20));
    }

    void meanOfManySmallFloatsIsExact()
    {
        // 0.1f summed naively in float32 would be off by percents
        const VolumeStatistics s = statisticsOf<float>({4, 500, 500}, std::vector<float>(1000000, 0.1F));
        QVERIFY(std::abs(s.mean - static_cast<double>(0.1F)) < 1e-12);
    }

    void largeIntegersKeepTheirRange()
    {
        const VolumeStatistics s = statisticsOf<std::uint64_t>({1, 1, 3}, {0, std::uint64_t{1} << 63, 5}, {.histogramBins = 2});
        QCOMPARE(s.max, 9223372036854775808.0);
        QCOMPARE(s.histogram, (std::vector<std::int64_t>{2, 1}));
    }

    void cancelStops()
    {
        SilentProgress progress;
        progress.cancel();
        const auto volume = makeMemoryVolume<std::uint8_t>({3, 1, 1}, {1, 2, 3});
        try {
            computeStatistics(*volume, {}, progress);
            QFAIL("it went on");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::cancelled);
        }
    }
};

QTEST_GUILESS_MAIN(TestStatistics)
#include "tst_statistics.moc"
