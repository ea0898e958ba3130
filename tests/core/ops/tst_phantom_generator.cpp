#include "core/base/error.h"
#include "core/ops/phantom.h"
#include "core/ops/phantom_strokes.h"

#include <QtTest/QtTest>

#include <algorithm>
#include <array>
#include <numeric>
#include <omp.h>

using namespace voxelscribe;
using ops::Phantom;

namespace {

struct Stack {
    std::vector<float> values;
    std::vector<std::uint8_t> truth;
};

Stack makeStack(const Extent& extent, std::uint64_t seed = 1)
{
    Stack stack{std::vector<float>(static_cast<std::size_t>(extent.voxels())),
                std::vector<std::uint8_t>(static_cast<std::size_t>(extent.voxels()))};
    Phantom phantom({extent, seed});
    const auto slice = static_cast<std::size_t>(extent.y * extent.x);
    for (std::size_t z = 0; z < static_cast<std::size_t>(extent.z); ++z)
        phantom.makeSlice(static_cast<std::int64_t>(z), std::span(stack.values).subspan(z * slice, slice),
                          std::span(stack.truth).subspan(z * slice, slice));
    return stack;
}

std::array<std::int64_t, 5> countClasses(std::span<const std::uint8_t> truth)
{
    std::array<std::int64_t, 5> counts{};
    for (const std::uint8_t id : truth)
        ++counts.at(id);
    return counts;
}

} // namespace

class TestPhantomGenerator : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void holdsAllClassesAtAnySize_data()
    {
        QTest::addColumn<int>("depth");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        QTest::newRow("smallest with strokes") << 3 << 96 << 96;
        QTest::newRow("odd and wide") << 5 << 131 << 257;
        QTest::newRow("tall and narrow") << 40 << 211 << 97;
    }

    void holdsAllClassesAtAnySize()
    {
        QFETCH(int, depth);
        QFETCH(int, height);
        QFETCH(int, width);
        for (const std::uint64_t seed : {1U, 2U, 77U}) {
            const Extent extent{depth, height, width};
            const auto counts = countClasses(makeStack(extent, seed).truth);
            QCOMPARE(counts[0], std::int64_t{0});
            for (std::size_t id = 1; id < counts.size(); ++id)
                QVERIFY2(counts[id] * 200 > extent.voxels(), qPrintable(QStringLiteral("class %1 is all but missing").arg(id)));
        }
    }

    void makesTinyStacks_data()
    {
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        QTest::newRow("one voxel") << 1 << 1;
        QTest::newRow("one row") << 1 << 50;
        QTest::newRow("one column") << 29 << 1;
    }

    void makesTinyStacks()
    {
        QFETCH(int, height);
        QFETCH(int, width);
        const Stack stack = makeStack({2, height, width});
        QVERIFY(std::all_of(stack.values.begin(), stack.values.end(), [](float value) { return value > -0.5F && value < 1.5F; }));
        QCOMPARE(countClasses(stack.truth)[0], std::int64_t{0});
    }

    void isTheSameWhateverTheThreads()
    {
        const Extent extent{2, 1031, 1033}; // large enough for slices to be shared among threads
        const int threads = omp_get_max_threads();
        omp_set_num_threads(1);
        const Stack alone = makeStack(extent);
        omp_set_num_threads(3);
        const Stack shared = makeStack(extent);
        omp_set_num_threads(threads);
        QVERIFY(alone.values == shared.values);
        QVERIFY(alone.truth == shared.truth);
    }

    void isTheSameWhateverCameBefore()
    {
        const Extent extent{9, 61, 83};
        const Stack all = makeStack(extent);
        Phantom fresh({extent, 1});
        std::vector<float> values(61 * 83);
        std::vector<std::uint8_t> truth(values.size());
        fresh.makeSlice(7, values, truth);
        QVERIFY(std::equal(values.begin(), values.end(), all.values.begin() + 7 * 61 * 83));
        QVERIFY(std::equal(truth.begin(), truth.end(), all.truth.begin() + 7 * 61 * 83));
    }

    void followsTheSeed()
    {
        QVERIFY(makeStack({1, 60, 60}, 1).truth != makeStack({1, 60, 60}, 2).truth);
    }

    void goesOnFromSliceToSlice()
    {
        const Extent extent{12, 150, 170};
        const Stack stack = makeStack(extent);
        const std::size_t slice = 150 * 170;
        for (std::size_t z = 0; z + 1 < 12; ++z) {
            std::size_t same = 0;
            for (std::size_t i = 0; i < slice; ++i)
                same += stack.truth[z * slice + i] == stack.truth[(z + 1) * slice + i] ? 1U : 0U;
            QVERIFY2(same * 100 > slice * 90, "neighbouring slices have little in common");
        }
    }

    void hasTheCrackInEverySlice()
    {
        const Extent extent{50, 120, 140};
        const Stack stack = makeStack(extent);
        const std::size_t slice = 120 * 140;
        for (std::size_t z = 0; z < 50; ++z)
            QVERIFY(countClasses(std::span(stack.truth).subspan(z * slice, slice))[ops::kPhantomCrack] > 120);
    }

    void isBrighterInDenserClasses()
    {
        const Stack stack = makeStack({8, 180, 190});
        std::array<double, 5> sums{};
        for (std::size_t i = 0; i < stack.values.size(); ++i)
            sums.at(stack.truth[i]) += static_cast<double>(stack.values[i]);
        const auto counts = countClasses(stack.truth);
        const auto mean = [&](std::size_t id) { return sums.at(id) / static_cast<double>(counts.at(id)); };
        QVERIFY(mean(ops::kPhantomCrack) + 0.1 < mean(ops::kPhantomPore));
        QVERIFY(mean(ops::kPhantomPore) + 0.15 < mean(ops::kPhantomGrain));
        QVERIFY(mean(ops::kPhantomGrain) + 0.15 < mean(ops::kPhantomSecond));
    }

    void scalesSamples_data()
    {
        QTest::addColumn<int>("dtype");
        QTest::addColumn<double>("half");
        QTest::addColumn<double>("beyond");
        QTest::newRow("uint8") << static_cast<int>(DType::uint8) << 89.0 << 255.0;
        QTest::newRow("int8") << static_cast<int>(DType::int8) << 44.0 << 127.0;
        QTest::newRow("uint16") << static_cast<int>(DType::uint16) << 22937.0 << 65535.0;
        QTest::newRow("int64") << static_cast<int>(DType::int64) << 22937.0 << 65535.0;
        QTest::newRow("float32") << static_cast<int>(DType::float32) << 0.5 << 2.0;
        QTest::newRow("float64") << static_cast<int>(DType::float64) << 0.5 << 2.0;
    }

    void scalesSamples()
    {
        QFETCH(int, dtype);
        QFETCH(double, half);
        QFETCH(double, beyond);
        const auto type = static_cast<DType>(dtype);
        const std::vector<float> values{0.5F, 2.0F, -1.0F};
        std::vector<std::byte> samples(3 * dtypeSize(type));
        ops::phantomSamples(values, type, samples);
        VolumeSamples read(type, samples);
        QCOMPARE(read.at(0), half);
        QCOMPARE(read.at(1), beyond);
        QCOMPARE(read.at(2), dtypeIsInteger(type) ? 0.0 : -1.0);
    }

    void refusesNonsense()
    {
        QVERIFY_EXCEPTION_THROWN(Phantom({{0, 5, 5}, 1}), Error);
        std::vector<std::byte> tooSmall(3);
        QVERIFY_EXCEPTION_THROWN(ops::phantomSamples(std::vector<float>(2), DType::uint16, tooSmall), Error);
    }

    void choosesStrokeSlices()
    {
        QCOMPARE(ops::strokeSlices(1), std::vector<std::int64_t>{0});
        QCOMPARE(ops::strokeSlices(2), (std::vector<std::int64_t>{0, 1}));
        QCOMPARE(ops::strokeSlices(3), (std::vector<std::int64_t>{0, 1, 2}));
        QCOMPARE(ops::strokeSlices(48), (std::vector<std::int64_t>{8, 24, 39}));
    }

    void paintsStrokesInsideTheClasses_data()
    {
        QTest::addColumn<quint64>("seed");
        QTest::newRow("seed 1") << quint64{1};
        QTest::newRow("seed 2") << quint64{2};
        QTest::newRow("seed 3") << quint64{3};
    }

    void paintsStrokesInsideTheClasses()
    {
        QFETCH(quint64, seed);
        const Extent extent{3, 96, 96};
        const Stack stack = makeStack(extent, seed);
        std::array<std::int64_t, 5> painted{};
        for (const std::int64_t z : ops::strokeSlices(3)) {
            const auto truth = std::span(stack.truth).subspan(static_cast<std::size_t>(z) * 96 * 96, 96 * 96);
            const auto strokes = ops::paintStrokes(truth, 96, {8, 40, seed});
            QVERIFY(strokes == ops::paintStrokes(truth, 96, {8, 40, seed}));
            for (std::size_t i = 0; i < strokes.size(); ++i)
                QVERIFY(strokes[i] == 0 || strokes[i] == truth[i]);
            const auto counts = countClasses(strokes);
            for (std::size_t id = 1; id < counts.size(); ++id)
                painted.at(id) += counts.at(id);
            QVERIFY2(counts[0] > 96 * 96 * 3 / 4, "strokes are sparse");
        }
        for (std::size_t id = 1; id < painted.size(); ++id)
            QVERIFY2(painted.at(id) >= 20, qPrintable(QStringLiteral("class %1 has no strokes").arg(id)));
    }

    void paintsNothingWhereNothingIsWide()
    {
        const std::vector<std::uint8_t> stripes{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
        const auto strokes = ops::paintStrokes(stripes, 4, {});
        QVERIFY(std::all_of(strokes.begin(), strokes.end(), [](std::uint8_t id) { return id == 0; }));
    }

private:
    /// Samples of any type as doubles.
    struct VolumeSamples {
        VolumeSamples(DType type, const std::vector<std::byte>& bytes)
        {
            visitDType(type, [&](auto sample) {
                using T = decltype(sample);
                for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i)
                    values.push_back(static_cast<double>(reinterpret_cast<const T*>(bytes.data())[i]));
            });
        }
        double at(std::size_t i) const { return values.at(i); }
        std::vector<double> values;
    };
};

QTEST_GUILESS_MAIN(TestPhantomGenerator)
#include "tst_phantom_generator.moc"
