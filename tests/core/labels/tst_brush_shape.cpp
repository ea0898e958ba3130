#include "core/labels/brush_shape.h"

#include <QtTest/QtTest>

#include <cmath>
#include <random>

using namespace voxelscribe;
using labels::BrushShape;
using labels::PlaneLines;
using labels::Span;
using Point = PlaneLines::Point;

namespace {

constexpr std::int64_t kLines = 37;
constexpr std::int64_t kLength = 53;
using Pixels = std::vector<std::uint8_t>;

Pixels covered(const BrushShape& shape)
{
    Pixels pixels(kLines * kLength);
    const Span range = shape.lineRange(kLines);
    for (std::int64_t line = range.first; line < range.end; ++line) {
        const Span span = shape.span(line, kLength);
        for (std::int64_t i = span.first; i < span.end; ++i)
            pixels[static_cast<std::size_t>(line * kLength + i)] = 1;
    }
    return pixels;
}

QString drawn(const Pixels& pixels, std::int64_t lines, std::int64_t length)
{
    QString text;
    for (std::int64_t line = 0; line < lines; ++line) {
        for (std::int64_t i = 0; i < length; ++i)
            text += pixels[static_cast<std::size_t>(line * kLength + i)] != 0 ? QChar(u'#') : QChar(u'.');
        text += QChar(u'\n');
    }
    return text;
}

/// Distance from a pixel's centre to the way, in units of the finer pixel edge.
double distance(std::int64_t line, std::int64_t along, Point size, Point from, Point to)
{
    const double px = (static_cast<double>(along) + 0.5) * size.along;
    const double py = (static_cast<double>(line) + 0.5) * size.across;
    const double ax = from.along * size.along;
    const double ay = from.across * size.across;
    const double dx = to.along * size.along - ax;
    const double dy = to.across * size.across - ay;
    const double length2 = dx * dx + dy * dy;
    const double t = length2 > 0 ? std::clamp(((px - ax) * dx + (py - ay) * dy) / length2, 0.0, 1.0) : 0.0;
    return std::hypot(px - ax - t * dx, py - ay - t * dy);
}

} // namespace

class TestBrushShape : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void discsByHand_data()
    {
        QTest::addColumn<double>("radius");
        QTest::addColumn<double>("along");
        QTest::addColumn<double>("across");
        QTest::addColumn<QString>("expected");
        QTest::newRow("one pixel") << 0.5 << 2.5 << 2.5 << ".....\n.....\n..#..\n.....\n.....\n";
        QTest::newRow("one pixel, at its corner") << 0.5 << 2.0 << 2.0 << ".....\n.....\n..#..\n.....\n.....\n";
        QTest::newRow("no radius at all") << 0.0 << 2.9 << 1.2 << ".....\n..#..\n.....\n.....\n.....\n";
        QTest::newRow("four pixels around a corner") << 1.0 << 2.0 << 2.0 << ".....\n.##..\n.##..\n.....\n.....\n";
        QTest::newRow("a cross") << 1.2 << 2.5 << 2.5 << ".....\n..#..\n.###.\n..#..\n.....\n";
        QTest::newRow("a square with cut corners") << 2.3 << 2.5 << 2.5 << ".###.\n#####\n#####\n#####\n.###.\n";
        QTest::newRow("clipped at the corner") << 2.0 << 0.0 << 0.0 << "##...\n#....\n.....\n.....\n.....\n";
        QTest::newRow("outside, reaching in") << 2.0 << -1.0 << 2.5 << ".....\n#....\n#....\n#....\n.....\n";
    }

    void discsByHand()
    {
        QFETCH(double, radius);
        QFETCH(double, along);
        QFETCH(double, across);
        QFETCH(QString, expected);
        const Point at{along, across};
        QCOMPARE(drawn(covered(BrushShape(radius, {1, 1}, at, at)), 5, 5), expected);
    }

    void coversWhatLiesWithinTheRadius_data()
    {
        QTest::addColumn<double>("radius");
        QTest::addColumn<double>("sizeAlong");
        QTest::addColumn<double>("sizeAcross");
        QTest::newRow("square pixels") << 4.0 << 1.0 << 1.0;
        QTest::newRow("lines three times as far apart") << 6.0 << 1.0 << 3.0;
        QTest::newRow("long pixels") << 5.5 << 2.5 << 1.0;
        QTest::newRow("larger than the slice") << 90.0 << 1.0 << 1.0;
        QTest::newRow("a pixel and a bit") << 0.8 << 1.0 << 1.0;
    }

    void coversWhatLiesWithinTheRadius()
    {
        QFETCH(double, radius);
        QFETCH(double, sizeAlong);
        QFETCH(double, sizeAcross);
        const Point size{sizeAlong, sizeAcross};
        std::mt19937 random(11);
        std::uniform_real_distribution<double> at(-8, 60);
        for (int round = 0; round < 60; ++round) {
            const Point from{at(random), at(random)};
            const Point to = round % 5 == 0 ? from : Point{at(random), round % 7 == 0 ? from.across : at(random)};
            const Pixels pixels = covered(BrushShape(radius, size, from, to));
            for (std::int64_t line = 0; line < kLines; ++line)
                for (std::int64_t i = 0; i < kLength; ++i) {
                    const double off = distance(line, i, size, from, to);
                    const bool isPainted = pixels[static_cast<std::size_t>(line * kLength + i)] != 0;
                    if (off < radius - 1e-9)
                        QVERIFY2(isPainted, qPrintable(QStringLiteral("line %1, pixel %2, %3 from the way").arg(line).arg(i).arg(off)));
                    // What is painted beyond the radius is passed through by the centre: no pixel reaches farther from its own centre.
                    if (isPainted)
                        QVERIFY(off < radius || off <= std::hypot(size.along, size.across) / 2 + 1e-9);
                }
        }
    }

    void theWayHasNoGaps_data()
    {
        QTest::addColumn<double>("radius");
        QTest::addColumn<double>("sizeAcross");
        QTest::newRow("one pixel") << 0.5 << 1.0;
        QTest::newRow("no radius") << 0.0 << 1.0;
        QTest::newRow("thinner than a line") << 4.0 << 20.0;
        QTest::newRow("round") << 3.0 << 1.0;
    }

    void theWayHasNoGaps()
    {
        QFETCH(double, radius);
        QFETCH(double, sizeAcross);
        std::mt19937 random(3);
        std::uniform_real_distribution<double> at(0, 36.9);
        for (int round = 0; round < 50; ++round) {
            const Point from{at(random), at(random)};
            const Point to{at(random), at(random)};
            const Pixels pixels = covered(BrushShape(radius, {1, sizeAcross}, from, to));
            for (int step = 0; step <= 1000; ++step) {
                const double t = step / 1000.0;
                const auto i = static_cast<std::int64_t>(std::floor(from.along + t * (to.along - from.along)));
                const auto line = static_cast<std::int64_t>(std::floor(from.across + t * (to.across - from.across)));
                QVERIFY(pixels[static_cast<std::size_t>(line * kLength + i)] != 0);
            }
        }
    }

    void aVeryFlatVoxelKeepsTheBrushWide()
    {
        const Point at{20.5, 10.02}; // near the edge of a line 20 times as thick as the pixels are long
        const Pixels pixels = covered(BrushShape(4, {1, 20}, at, at));
        QCOMPARE(BrushShape(4, {1, 20}, at, at).span(10, kLength), (Span{10, 17, 24}));
        QCOMPARE(std::count(pixels.begin(), pixels.end(), 1), 7);
        const Point turned{10.02, 20.5};
        const Pixels column = covered(BrushShape(4, {20, 1}, turned, turned));
        QCOMPARE(std::count(column.begin(), column.end(), 1), 7);
        for (std::int64_t line = 17; line < 24; ++line)
            QCOMPARE(column[static_cast<std::size_t>(line * kLength + 10)], 1);
    }

    void farPointsCostOnlyTheSlice()
    {
        const BrushShape shape(2, {1, 1}, {-1e300, 5.5}, {1e300, 5.5});
        QCOMPARE(shape.span(5, kLength), (Span{5, 0, kLength}));
        QVERIFY(shape.lineRange(kLines).end <= 8);
        const BrushShape lost(2, {1, 1}, {std::nan(""), 1e30}, {1e30, 1e30});
        QVERIFY(lost.lineRange(kLines).isEmpty());
    }

    void whatIsLeftOfASpan()
    {
        using labels::without;
        QCOMPARE(without({1, 2, 9}, {1, 4, 6}), (std::vector<Span>{{1, 2, 4}, {1, 6, 9}}));
        QCOMPARE(without({1, 2, 9}, {1, 0, 6}), (std::vector<Span>{{1, 6, 9}}));
        QCOMPARE(without({1, 2, 9}, {1, 0, 0}), (std::vector<Span>{{1, 2, 9}}));
        QCOMPARE(without({1, 2, 9}, {1, 9, 12}), (std::vector<Span>{{1, 2, 9}}));
        QVERIFY(without({1, 2, 9}, {1, 0, 9}).empty());
        QVERIFY(without({1, 9, 9}, {1, 0, 1}).empty());
    }
};

QTEST_GUILESS_MAIN(TestBrushShape)
#include "tst_brush_shape.moc"
