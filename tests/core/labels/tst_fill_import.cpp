#include "core/labels/editor.h"
#include "label_helpers.h"

#include <QtTest/QtTest>

#include <random>

using namespace voxelscribe;
using labels::ClassTable;
using labels::Editor;
using labels::LabelVolume;
using test::dense;
using test::thrownBy;

namespace {

/// The plain textbook fill of one slice, for comparison.
std::vector<std::uint16_t> filledByHand(std::vector<std::uint16_t> ids, std::int64_t height, std::int64_t width, std::int64_t v,
                                        std::int64_t u, std::uint16_t id)
{
    const auto at = [&](std::int64_t y, std::int64_t x) -> std::uint16_t& { return ids[static_cast<std::size_t>(y * width + x)]; };
    const std::uint16_t old = at(v, u);
    std::vector<std::pair<std::int64_t, std::int64_t>> open{{v, u}};
    while (!open.empty()) {
        const auto [y, x] = open.back();
        open.pop_back();
        if (y < 0 || x < 0 || y >= height || x >= width || at(y, x) != old)
            continue;
        at(y, x) = id;
        for (const auto& [dy, dx] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}})
            open.emplace_back(y + dy, x + dx);
    }
    return ids;
}

std::vector<std::uint16_t> sliceOf(const LabelVolume& volume, Plane plane, std::int64_t slice)
{
    const Extent seen = planeExtent(volume.extent(), plane);
    std::vector<std::uint16_t> ids;
    for (std::int64_t v = 0; v < seen.y; ++v)
        for (std::int64_t u = 0; u < seen.x; ++u)
            ids.push_back(volume.at(planeVoxel(plane, slice, v, u)));
    return ids;
}

} // namespace

class TestFillImport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fillsLikeTheTextbook_data()
    {
        QTest::addColumn<int>("plane");
        QTest::addColumn<int>("percent");
        for (const int percent : {0, 20, 38, 55})
            for (const auto& [name, plane] : {std::pair{"xy", Plane::xy}, {"xz", Plane::xz}, {"zy", Plane::zy}})
                QTest::addRow("%s, %d percent walls", name, percent) << int(plane) << percent;
    }

    void fillsLikeTheTextbook()
    {
        QFETCH(int, plane);
        QFETCH(int, percent);
        const Extent extent{67, 320, 261};
        LabelVolume volume(extent);
        ClassTable classes;
        Editor editor(volume, classes, std::nullopt);
        std::mt19937 random(static_cast<unsigned>(percent));
        std::vector<std::uint16_t> walls(static_cast<std::size_t>(extent.voxels()));
        for (auto& id : walls)
            id = random() % 100 < static_cast<unsigned>(percent) ? std::uint16_t{1} : std::uint16_t{0};
        volume.write(Region::whole(extent), walls);
        const auto seenPlane = static_cast<Plane>(plane);
        const Extent seen = planeExtent(extent, seenPlane);
        const std::int64_t slice = seen.z / 2;
        const std::vector<std::uint16_t> expected = filledByHand(sliceOf(volume, seenPlane, slice), seen.y, seen.x, seen.y / 2, seen.x / 2, 3);
        editor.fill({4, 3, seenPlane, slice}, {static_cast<double>(seen.x / 2) + 0.3, static_cast<double>(seen.y / 2) + 0.7});
        QVERIFY(sliceOf(volume, seenPlane, slice) == expected);
        QVERIFY(volume.voxelsOfClass() == test::countedByHand(volume));
        editor.undo();
        QVERIFY(dense(volume) == walls);
    }

    void aLargeSliceIsFilledWhole()
    {
        LabelVolume volume({2, 4096, 4096});
        ClassTable classes;
        classes.add("matrix");
        Editor editor(volume, classes, std::nullopt);
        const Region dirty = editor.fill({4, 1, Plane::xy, 1}, {4095.5, 0.5});
        QCOMPARE(dirty, (Region{{1, 0, 0}, {1, 4096, 4096}}));
        QCOMPARE(volume.voxelsOfClass().at(1), std::int64_t{4096} * 4096);
        QCOMPARE(editor.undoText(), std::string("Fill: matrix, slice 1"));
        editor.fill({4, 0, Plane::xy, 1}, {17, 4000});
        QCOMPARE(volume.memoryBytes(), 0);
    }

    void anOpenBackgroundAcrossAllSlicesIsRefused()
    {
        LabelVolume volume({6000, 300, 1});
        ClassTable classes;
        Editor editor(volume, classes, std::nullopt);
        QString message;
        QCOMPARE(thrownBy([&] { editor.fill({4, 1, Plane::zy, 0}, {17, 40}); }, &message), ErrorCode::memory);
        QVERIFY2(message.contains("draw a closed border"), qPrintable(message));
        QCOMPARE(volume.memoryBytes(), 0);
        QVERIFY(!editor.canUndo());
    }

    void diagonalNeighboursDoNotHangTogether()
    {
        LabelVolume volume({1, 3, 3});
        ClassTable classes;
        Editor editor(volume, classes, std::nullopt);
        volume.write({{0, 0, 0}, {1, 3, 3}}, std::vector<std::uint16_t>{0, 1, 1, 1, 0, 1, 1, 1, 0});
        editor.fill({1, 2, Plane::xy, 0}, {1, 1});
        QCOMPARE(test::drawn(volume, 0), QString(".11\n121\n11.\n"));
    }

    void importsAsOneStep_data()
    {
        QTest::addColumn<bool>("overwrite");
        QTest::addColumn<QString>("expected");
        QTest::newRow("unlabelled voxels only") << false << QString("132\n124\n5..\n");
        QTest::newRow("over all but locked ones") << true << QString("133\n334\n5..\n");
    }

    void importsAsOneStep()
    {
        QFETCH(bool, overwrite);
        QFETCH(QString, expected);
        LabelVolume volume({1, 3, 3});
        ClassTable classes;
        classes.restore({{1, "locked", 0, true, true}, {2, "open", 0, true, false}}, 3);
        Editor editor(volume, classes, std::nullopt);
        volume.write({{0, 0, 0}, {1, 2, 3}}, std::vector<std::uint16_t>{1, 0, 2, 2, 2, 0});
        if (!overwrite)
            volume.write({{0, 1, 0}, {1, 1, 1}}, std::vector<std::uint16_t>{1});
        const auto source = makeMemoryVolume<std::int32_t>({1, 3, 3}, {3, 3, 3, 3, 3, 4, 5, 0, 0});
        const std::vector<std::uint16_t> before = dense(volume);
        QVERIFY(!editor.importLabels(*source, overwrite).extent.isEmpty());
        QCOMPARE(test::drawn(volume, 0), expected);
        QVERIFY(volume.voxelsOfClass() == test::countedByHand(volume));
        QCOMPARE(editor.undoText(), std::string("Import labels: memory"));
        editor.undo();
        QVERIFY(dense(volume) == before);
        QVERIFY(!editor.canUndo());
    }

    void importsAcrossChunkBorders()
    {
        const Extent extent{3, 517, 389};
        std::vector<std::uint8_t> samples(static_cast<std::size_t>(extent.voxels()));
        for (std::size_t i = 0; i < samples.size(); ++i)
            samples[i] = static_cast<std::uint8_t>(i / 50 % 4);
        LabelVolume volume(extent);
        ClassTable classes;
        Editor editor(volume, classes, std::nullopt);
        editor.importLabels(*makeMemoryVolume(extent, samples), true);
        QVERIFY(std::ranges::equal(dense(volume), samples));
        QVERIFY(editor.importLabels(*makeMemoryVolume(extent, samples), true).extent.isEmpty());
    }

    void whatIsNoAnnotationIsRefused()
    {
        LabelVolume volume({2, 3, 4});
        ClassTable classes;
        Editor editor(volume, classes, std::nullopt);
        QString message;
        QCOMPARE(thrownBy([&] { editor.importLabels(*makeMemoryVolume<std::uint8_t>({2, 4, 3}, std::vector<std::uint8_t>(24)), true); }, &message),
                 ErrorCode::shape);
        QVERIFY2(message.contains("2×4×3") && message.contains("2×3×4"), qPrintable(message));
        QCOMPARE(thrownBy([&] { editor.importLabels(*makeMemoryVolume<float>({2, 3, 4}, std::vector<float>(24)), true); }), ErrorCode::format);
        for (const std::int32_t wrong : {-1, 65536}) {
            std::vector<std::int32_t> samples(24, 7);
            samples.back() = wrong;
            QCOMPARE(thrownBy([&] { editor.importLabels(*makeMemoryVolume<std::int32_t>({2, 3, 4}, samples), true); }, &message), ErrorCode::format);
            QVERIFY2(message.contains(QString::number(wrong)) && message.contains("slice 1"), qPrintable(message));
        }
        std::vector<std::uint64_t> huge(24, ~std::uint64_t{0});
        QCOMPARE(thrownBy([&] { editor.importLabels(*makeMemoryVolume<std::uint64_t>({2, 3, 4}, huge), true); }), ErrorCode::format);
        QCOMPARE(volume.memoryBytes(), 0);
        QVERIFY(!editor.canUndo());
    }
};

QTEST_GUILESS_MAIN(TestFillImport)
#include "tst_fill_import.moc"
