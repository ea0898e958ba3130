#include "core/base/error.h"
#include "core/io/folded_shape.h"
#include "core/io/units.h"

#include <QtTest/QtTest>

using namespace voxelscribe;
using voxelscribe::io::FoldedShape;

Q_DECLARE_METATYPE(std::vector<std::int64_t>)

/// How arrays of any number of axes become z, y, x; extents beyond 2³¹ as arithmetic only.
class TestFoldedShape : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void folds_data()
    {
        QTest::addColumn<std::vector<std::int64_t>>("shape");
        QTest::addColumn<QString>("extent");
        QTest::addColumn<bool>("isFolded");
        const auto row = [](const char* name, std::vector<std::int64_t> shape, const char* extent, bool isFolded) { QTest::newRow(name) << std::move(shape) << QString::fromUtf8(extent) << isFolded; };
        row("an image", {5, 7}, "1×5×7", false);
        row("a stack", {3, 5, 7}, "3×5×7", false);
        row("a stack of lines stays one", {3, 1, 7}, "3×1×7", false);
        row("singleton axes go", {1, 3, 1, 5, 7, 1}, "3×5×7", false);
        row("one image of many axes", {1, 1, 5, 7}, "1×5×7", false);
        row("all axes of length one", {1, 1, 1, 1}, "1×1×1", false);
        row("further axes are folded", {2, 3, 5, 7}, "6×5×7", true);
        row("beyond 2^31 voxels an axis", {5000000000, 3, 70000, 6}, "15000000000×70000×6", true);
    }

    void folds()
    {
        QFETCH(std::vector<std::int64_t>, shape);
        QFETCH(QString, extent);
        QFETCH(bool, isFolded);
        const FoldedShape folded(shape);
        QCOMPARE(QString::fromStdString(folded.extent().text()), extent);
        QCOMPARE(folded.isFolded(), isFolded);
    }

    void boxesCoverARegionInOrder()
    {
        const FoldedShape shape({2, 1, 3, 5, 7});
        std::vector<FoldedShape::Box> boxes;
        shape.forEachBox({{1, 2, 3}, {4, 2, 4}}, [&](const FoldedShape::Box& box) { boxes.push_back(box); });
        QCOMPARE(boxes.size(), std::size_t{2});
        QCOMPARE(boxes[0].start, (std::vector<std::int64_t>{0, 0, 1, 2, 3}));
        QCOMPARE(boxes[0].count, (std::vector<std::int64_t>{1, 1, 2, 2, 4}));
        QCOMPARE(boxes[1].start, (std::vector<std::int64_t>{1, 0, 0, 2, 3}));
        QCOMPARE(boxes[1].firstSlice, std::int64_t{2});
        QCOMPARE(boxes[1].slices, std::int64_t{2});
    }

    void boxesBeyondTwoToThe31()
    {
        const FoldedShape shape({4, 3000000000, 2, 3});
        shape.forEachBox({{9000000001, 0, 0}, {1, 2, 3}}, [](const FoldedShape::Box& box) { QCOMPARE(box.start, (std::vector<std::int64_t>{3, 1, 0, 0})); });
    }

    void refusesCurvesAndWhatNoComputerAddresses()
    {
        QVERIFY_EXCEPTION_THROWN(FoldedShape({5000000000, 5000000000, 70000, 60000}), Error);
        QVERIFY_EXCEPTION_THROWN(FoldedShape({9}), Error);
        QVERIFY_EXCEPTION_THROWN(FoldedShape({}), Error);
    }

    void units_data()
    {
        QTest::addColumn<QString>("unit");
        QTest::addColumn<double>("micrometres");
        QTest::newRow("micro sign") << QStringLiteral("\u00b5m") << 1.0;
        QTest::newRow("Greek mu") << QStringLiteral("\u03bcm") << 1.0;
        QTest::newRow("capitals") << QStringLiteral("Micrometer") << 1.0;
        QTest::newRow("nanometres") << QStringLiteral("nm") << 1e-3;
        QTest::newRow("ångström") << QStringLiteral("angstrom") << 1e-4;
        QTest::newRow("metres") << QStringLiteral("m") << 1e6;
        QTest::newRow("no length") << QStringLiteral("degree") << 0.0;
        QTest::newRow("nothing") << QString() << 0.0;
        QTest::newRow("pixels") << QStringLiteral("pixel") << 0.0;
    }

    void units()
    {
        QFETCH(QString, unit);
        QFETCH(double, micrometres);
        QCOMPARE(io::micrometresIn(unit.toStdString()).value_or(0), micrometres);
    }
};

QTEST_GUILESS_MAIN(TestFoldedShape)
#include "tst_folded_shape.moc"
