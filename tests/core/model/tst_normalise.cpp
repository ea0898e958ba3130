#include "core/model/normalise.h"

#include <QtTest/QtTest>

#include <cmath>
#include <limits>
#include <numeric>

using namespace voxelscribe;

namespace {
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
} // namespace

class TestNormalise : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void percentilesAreThoseOfNumpy()
    {
        std::vector<float> samples{7, 1, 3, 100, -4, kNan, 12, kInfinity}; // finite: -4 1 3 7 12 100
        const GreyRange range = percentileRange(samples, 0.1, 0.9);
        QCOMPARE(range.low, -1.5);  // numpy.percentile([-4,1,3,7,12,100], 10)
        QCOMPARE(range.high, 56.0); // … 90
    }

    void edgesOfPercentiles()
    {
        std::vector<float> samples{5, 2, 9};
        const GreyRange range = percentileRange(samples, 0, 1);
        QCOMPARE(range.low, 2.0);
        QCOMPARE(range.high, 9.0);
        std::vector<float> nothing{kNan, kNan};
        QCOMPARE(percentileRange(nothing, 0.01, 0.99).high, 1.0);
        std::vector<float> none;
        QCOMPARE(percentileRange(none, 0.01, 0.99).low, 0.0);
    }

    void clampsAndScales()
    {
        std::vector<float> samples{-1, 2, 3, 4, 9, kNan, kInfinity, -kInfinity};
        applyGreyRange(samples, {2, 4});
        const std::vector<float> expected{0, 0, 0.5F, 1, 1, 0, 1, 0};
        QCOMPARE(samples, expected);
    }

    void rangeWithoutWidth()
    {
        std::vector<float> samples{1, 2, 3, kNan};
        applyGreyRange(samples, {2, 2});
        const std::vector<float> expected{0, 0, 1, 0};
        QCOMPARE(samples, expected);
    }

    void sliceRuleLooksAtItsWholeSlice()
    {
        std::vector<std::uint16_t> values(2 * 3 * 5);
        std::iota(values.begin(), values.end(), std::uint16_t{0});
        const auto volume = makeMemoryVolume<std::uint16_t>({2, 3, 5}, values);
        Normalisation rule{Normalisation::Rule::slice, 100, 200, 0, 1};
        QCOMPARE(greyRange(rule, *volume, 1).low, 15.0);
        QCOMPARE(greyRange(rule, *volume, 1).high, 29.0);
        rule.rule = Normalisation::Rule::volume;
        QCOMPARE(greyRange(rule, *volume, 1).low, 100.0);
        QCOMPARE(readNormalised(*volume, {{1, 2, 3}, {1, 1, 2}}, {15, 29}), (std::vector<float>{13.0F * (1.0F / 14.0F), 1}));
    }
};

QTEST_GUILESS_MAIN(TestNormalise)
#include "tst_normalise.moc"
