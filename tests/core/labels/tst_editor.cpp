#include "core/labels/editor.h"
#include "label_helpers.h"

#include <QtTest/QtTest>

#include <random>

using namespace voxelscribe;
using labels::Brush;
using labels::ClassTable;
using labels::Editor;
using labels::LabelVolume;
using test::dense;
using test::thrownBy;

namespace {

ClassTable twoClasses()
{
    ClassTable classes;
    classes.add("quartz");
    classes.add("pore");
    return classes;
}

void stroke(Editor& editor, const Brush& brush, PlanePoint from, PlanePoint to)
{
    editor.beginStroke(brush, from);
    editor.extendStroke(to);
    editor.endStroke();
}

/// The smallest box around all voxels that differ.
Region changedBox(const LabelVolume& volume, const std::vector<std::uint16_t>& before)
{
    const std::vector<std::uint16_t> now = dense(volume);
    const Extent& extent = volume.extent();
    Extent low = extent;
    Extent high{-1, -1, -1};
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] == before[i])
            continue;
        const auto at = static_cast<std::int64_t>(i);
        const Extent voxel{at / extent.x / extent.y, at / extent.x % extent.y, at % extent.x};
        low = {std::min(low.z, voxel.z), std::min(low.y, voxel.y), std::min(low.x, voxel.x)};
        high = {std::max(high.z, voxel.z), std::max(high.y, voxel.y), std::max(high.x, voxel.x)};
    }
    return high.z < 0 ? Region{} : Region{low, {high.z - low.z + 1, high.y - low.y + 1, high.x - low.x + 1}};
}

} // namespace

class TestEditor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void paintsAndErasesByHand()
    {
        LabelVolume volume({2, 5, 7});
        const ClassTable classes = twoClasses();
        Editor editor(volume, classes, std::nullopt);
        stroke(editor, {0.5, 2, Plane::xy, 1}, {1.5, 1.5}, {5.5, 3.5});
        QCOMPARE(test::drawn(volume, 0), QString(".......\n.......\n.......\n.......\n.......\n"));
        QCOMPARE(test::drawn(volume, 1), QString(".......\n.22....\n..222..\n....22.\n.......\n"));
        stroke(editor, {1, 0, Plane::xy, 1}, {3.0, 2.0}, {3.0, 2.0});
        QCOMPARE(test::drawn(volume, 1), QString(".......\n.2.....\n....2..\n....22.\n.......\n"));
        QCOMPARE(volume.voxelsOfClass().at(2), 4);
    }

    void theRegionReturnedIsWhatChanged_data()
    {
        QTest::addColumn<int>("plane");
        QTest::newRow("xy") << int(Plane::xy);
        QTest::newRow("xz") << int(Plane::xz);
        QTest::newRow("zy") << int(Plane::zy);
    }

    void theRegionReturnedIsWhatChanged()
    {
        QFETCH(int, plane);
        LabelVolume volume({40, 300, 270});
        const ClassTable classes = twoClasses();
        Editor editor(volume, classes, std::nullopt);
        const Brush brush{3.5, 1, static_cast<Plane>(plane), 21};
        std::vector<std::uint16_t> before = dense(volume);
        Region dirty = editor.beginStroke(brush, {20, 10});
        QCOMPARE(dirty, changedBox(volume, before));
        before = dense(volume);
        dirty = editor.extendStroke({28, 38.5});
        QCOMPARE(dirty, changedBox(volume, before));
        QVERIFY(editor.extendStroke({28, 38.5}).extent.isEmpty());
        editor.extendStroke({-50, -10});
        QVERIFY(volume.voxelsOfClass() == test::countedByHand(volume));
        QVERIFY(!editor.cancelStroke().extent.isEmpty());
        QCOMPARE(volume.memoryBytes(), 0);
        QVERIFY(!editor.canUndo());
    }

    void planesShowTheSameVoxels()
    {
        // The same stroke in three planes of a cube paints the same pixels, seen from three sides.
        const Extent cube{270, 270, 270};
        std::array<std::int64_t, 3> voxels{};
        for (int i = 0; i < 3; ++i) {
            LabelVolume volume(cube);
            const ClassTable classes = twoClasses();
            Editor editor(volume, classes, std::nullopt);
            const auto plane = static_cast<Plane>(i);
            stroke(editor, {5, 1, plane, 200}, {250, 240}, {262, 266});
            voxels[static_cast<std::size_t>(i)] = volume.voxelsOfClass().at(1);
            QCOMPARE(volume.at(planeVoxel(plane, 200, 253, 256)), 1);
            QCOMPARE(volume.at(planeVoxel(plane, 200, 243, 262)), 0);
            QCOMPARE(volume.at(planeVoxel(plane, 199, 253, 256)), 0);
        }
        QCOMPARE(voxels[0], voxels[1]);
        QVERIFY(std::abs(voxels[0] - voxels[2]) <= 2); // turned: a centre exactly between two pixels may round the other way
    }

    void theBrushIsRoundInMicrometres()
    {
        LabelVolume volume({61, 20, 121});
        const ClassTable classes = twoClasses();
        Editor editor(volume, classes, VoxelSizeUm{3.0, 1.5, 1.5}); // z twice as coarse
        stroke(editor, {20, 1, Plane::xz, 7}, {60.5, 30.5}, {60.5, 30.5});
        for (std::int64_t z = 0; z < 61; ++z)
            for (std::int64_t x = 0; x < 121; ++x) {
                const double um = std::hypot(static_cast<double>(z - 30) * 3.0, static_cast<double>(x - 60) * 1.5);
                QCOMPARE(volume.at({z, 7, x}) == 1, um < 20 * 1.5);
            }
        editor.undo();
        editor.setVoxelSizeUm(std::nullopt);
        stroke(editor, {20, 1, Plane::xz, 7}, {60.5, 30.5}, {60.5, 30.5});
        QCOMPARE(volume.at({11, 7, 60}), 1);
    }

    void aSlowStrokePaintsWhatAFastOneDoes()
    {
        // Only the rim is painted again when a large brush creeps along; nothing may be missed for it.
        for (const double radius : {0.4, 0.7, 6.3, 40.0}) {
            LabelVolume slow({1, 200, 300});
            LabelVolume whole({1, 200, 300});
            const ClassTable classes = twoClasses();
            Editor slowEditor(slow, classes, std::nullopt);
            Editor wholeEditor(whole, classes, std::nullopt);
            std::mt19937 random(5);
            std::uniform_real_distribution<double> step(-3, 7);
            PlanePoint at{60, 50};
            slowEditor.beginStroke({radius, 1, Plane::xy, 0}, at);
            for (int i = 0; i < 60; ++i) {
                const PlanePoint next{at.u + step(random), at.v + step(random) / 2};
                slowEditor.extendStroke(next);
                stroke(wholeEditor, {radius, 1, Plane::xy, 0}, at, next);
                at = next;
            }
            slowEditor.endStroke();
            QVERIFY(dense(slow) == dense(whole));
        }
    }

    void undoAndRedoGoAcrossSlices()
    {
        LabelVolume volume({9, 300, 310});
        const ClassTable classes = twoClasses();
        Editor editor(volume, classes, std::nullopt);
        std::vector<std::vector<std::uint16_t>> states{dense(volume)};
        stroke(editor, {5, 1, Plane::xy, 2}, {100, 100}, {290, 280});
        states.push_back(dense(volume));
        stroke(editor, {9, 2, Plane::xy, 7}, {100, 100}, {120, 150});
        states.push_back(dense(volume));
        stroke(editor, {4, 2, Plane::zy, 250}, {0, 230}, {9, 260});
        states.push_back(dense(volume));
        stroke(editor, {12, 0, Plane::xy, 2}, {200, 190}, {100, 100});
        states.push_back(dense(volume));
        QCOMPARE(editor.undoText(), std::string("Erase: slice 2"));
        for (std::size_t i = states.size() - 1; i-- > 0;) {
            QVERIFY(editor.canUndo());
            const std::vector<std::uint16_t> before = dense(volume);
            const Region dirty = editor.undo();
            QCOMPARE(dirty, changedBox(volume, before));
            QVERIFY(dense(volume) == states[i]);
            QVERIFY(volume.voxelsOfClass() == test::countedByHand(volume));
        }
        QVERIFY(!editor.canUndo());
        QVERIFY(editor.undo().extent.isEmpty());
        QCOMPARE(editor.redoText(), std::string("Brush: quartz, slice 2"));
        for (std::size_t i = 1; i < states.size(); ++i) {
            editor.redo();
            QVERIFY(dense(volume) == states[i]);
        }
        QVERIFY(!editor.canRedo());
        editor.undo();
        QCOMPARE(editor.undoText(), std::string("Brush: pore, zy slice 250"));
        stroke(editor, {2, 1, Plane::xy, 0}, {1, 1}, {1, 1});
        QVERIFY2(!editor.canRedo(), "a new step makes the undone ones unreachable");
    }

    void whatChangesNothingAddsNoStep()
    {
        LabelVolume volume({3, 40, 50});
        const ClassTable classes = twoClasses();
        Editor editor(volume, classes, std::nullopt);
        int saves = 0;
        editor.onChunksChanged = [&](const auto&) { ++saves; };
        stroke(editor, {4, 0, Plane::xy, 1}, {10, 10}, {30, 30});
        stroke(editor, {4, 1, Plane::xy, 1}, {-100, -100}, {-50, -60});
        editor.fill({4, 0, Plane::xy, 1}, {10, 10});
        editor.fill({4, 1, Plane::xy, 1}, {-1, 10});
        editor.clearSlice(Plane::xy, 2);
        editor.clearClass(1);
        editor.extendStroke({1, 1});
        editor.endStroke();
        QVERIFY(!editor.canUndo());
        stroke(editor, {4, 1, Plane::xy, 1}, {10, 10}, {30, 30});
        stroke(editor, {3, 1, Plane::xy, 1}, {10, 10}, {30, 30});
        QCOMPARE(saves, 1);
        editor.undo();
        QVERIFY(!editor.canUndo());
        QCOMPARE(saves, 2);
    }

    void lockedClassesAreNeitherOverwrittenNorErased()
    {
        LabelVolume volume({3, 40, 50});
        ClassTable classes = twoClasses();
        Editor editor(volume, classes, std::nullopt);
        stroke(editor, {4, 1, Plane::xy, 1}, {10, 10}, {40, 10});
        const std::int64_t locked = volume.voxelsOfClass().at(1);
        ClassInfo quartz = *classes.find(1);
        quartz.locked = true;
        classes.update(quartz);
        stroke(editor, {6, 2, Plane::xy, 1}, {5, 10}, {45, 10});
        QCOMPARE(volume.voxelsOfClass().at(1), locked);
        QVERIFY(volume.voxelsOfClass().at(2) > 0);
        stroke(editor, {9, 0, Plane::xy, 1}, {5, 10}, {45, 10});
        QCOMPARE(volume.voxelsOfClass(), (std::map<std::uint16_t, std::int64_t>{{1, locked}}));
        editor.fill({1, 2, Plane::xy, 1}, {10.5, 10.5});
        editor.clearSlice(Plane::xy, 1);
        editor.clearClass(1);
        QCOMPARE(volume.voxelsOfClass(), (std::map<std::uint16_t, std::int64_t>{{1, locked}}));
        stroke(editor, {2, 1, Plane::xy, 1}, {10, 30}, {10, 30});
        QVERIFY2(volume.voxelsOfClass().at(1) > locked, "a locked class can still be added to");
    }

    void clearsAClassAndASlice()
    {
        LabelVolume volume({6, 300, 50});
        const ClassTable classes = twoClasses();
        Editor editor(volume, classes, std::nullopt);
        stroke(editor, {4, 1, Plane::xy, 1}, {10, 10}, {40, 280});
        stroke(editor, {4, 2, Plane::xy, 1}, {30, 10}, {20, 40});
        stroke(editor, {4, 1, Plane::xy, 4}, {10, 250}, {40, 260});
        const std::vector<std::uint16_t> before = dense(volume);
        const Region dirty = editor.clearClass(1);
        QVERIFY(!volume.voxelsOfClass().contains(1));
        QCOMPARE(volume.voxelsOfClass(), test::countedByHand(volume));
        QVERIFY(changedBox(volume, before).isInside(volume.extent()));
        QCOMPARE(changedBox(volume, before).intersected(dirty), changedBox(volume, before));
        QCOMPARE(editor.undoText(), std::string("Clear class: quartz"));
        editor.undo();
        QVERIFY(dense(volume) == before);
        QCOMPARE(editor.clearSlice(Plane::xy, 1).origin.z, 1);
        QCOMPARE(volume.labelledSlices(), std::vector<std::int64_t>{4});
        QCOMPARE(editor.clearSlice(Plane::xz, 250).extent.y, 1);
        QCOMPARE(volume.at({4, 250, 20}), 0);
        QCOMPARE(volume.at({4, 251, 20}), 1);
        editor.undo();
        editor.undo();
        QVERIFY(dense(volume) == before);
    }

    void theJournalKeepsWithinItsBudget()
    {
        constexpr std::int64_t kChunkBytes = 256 * 256 * 2;
        LabelVolume volume({30, 256, 256});
        const ClassTable classes = twoClasses();
        Editor editor(volume, classes, std::nullopt, 5 * kChunkBytes);
        for (int i = 0; i < 20; ++i)
            stroke(editor, {3, static_cast<std::uint16_t>(1 + i % 2), Plane::xy, 0}, {100, 100}, {130, 120});
        QVERIFY(editor.journalBytes() <= 5 * kChunkBytes);
        int steps = 0;
        for (; editor.canUndo(); ++steps)
            editor.undo();
        QCOMPARE(steps, 5);
        QVERIFY(editor.journalBytes() <= 5 * kChunkBytes);
        for (; editor.canRedo(); --steps)
            editor.redo();
        QCOMPARE(steps, 0);
        // One step that is larger than all the budget can still be taken back.
        stroke(editor, {10, 1, Plane::zy, 120}, {0, 100}, {30, 120});
        const std::vector<std::uint16_t> before = dense(volume);
        stroke(editor, {10, 0, Plane::zy, 120}, {0, 100}, {30, 120});
        QVERIFY(editor.journalBytes() > 5 * kChunkBytes);
        QVERIFY(editor.canUndo());
        editor.undo();
        QVERIFY(dense(volume) == before);
    }

    void strokesTouchOnlyTheChunksUnderThem()
    {
        LabelVolume volume({3, 4096, 4096});
        const ClassTable classes = twoClasses();
        Editor editor(volume, classes, std::nullopt);
        std::vector<LabelVolume::ChunkKey> keys;
        editor.onChunksChanged = [&](const auto& changed) { keys = changed; };
        stroke(editor, {5, 1, Plane::xy, 1}, {300, 300}, {500, 310});
        QCOMPARE(keys, (std::vector<LabelVolume::ChunkKey>{{1, 1, 1}}));
        QCOMPARE(editor.journalBytes(), 0); // there was nothing before
        stroke(editor, {5, 2, Plane::xy, 1}, {500, 300}, {520, 310});
        QCOMPARE(keys, (std::vector<LabelVolume::ChunkKey>{{1, 1, 1}, {1, 1, 2}}));
        QCOMPARE(volume.memoryBytes(), 2 * 256 * 256 * 2);
    }

    void aSnapshotDuringAStrokeChangesNothing()
    {
        LabelVolume volume({1, 40, 50});
        const ClassTable classes = twoClasses();
        Editor editor(volume, classes, std::nullopt);
        stroke(editor, {3, 1, Plane::xy, 0}, {10, 10}, {30, 10});
        const std::vector<std::uint16_t> before = dense(volume);
        editor.beginStroke({3, 2, Plane::xy, 0}, {10, 10});
        const VolumePtr snapshot = volume.snapshot();
        const std::vector<std::uint16_t> half = dense(volume);
        editor.extendStroke({30, 30});
        editor.endStroke();
        QVERIFY(readAs<std::uint16_t>(*snapshot, Region::whole(volume.extent())) == half);
        editor.undo();
        QVERIFY(dense(volume) == before);
    }

    void randomEditsKeepCountsAndUndo()
    {
        LabelVolume volume({7, 280, 530});
        const ClassTable classes = twoClasses();
        Editor editor(volume, classes, VoxelSizeUm{2.5, 1, 1});
        std::mt19937 random(99);
        std::uniform_real_distribution<double> unit(0, 1);
        std::vector<std::vector<std::uint16_t>> states{dense(volume)};
        for (int i = 0; i < 25; ++i) {
            const auto plane = static_cast<Plane>(i % 3);
            const Extent seen = planeExtent(volume.extent(), plane);
            const auto slice = static_cast<std::int64_t>(unit(random) * static_cast<double>(seen.z));
            const auto point = [&] { return PlanePoint{unit(random) * static_cast<double>(seen.x), unit(random) * static_cast<double>(seen.y)}; };
            const Brush brush{unit(random) * 12, static_cast<std::uint16_t>(unit(random) * 3), plane, slice};
            if (i % 4 == 3)
                editor.fill(brush, point());
            else
                stroke(editor, brush, point(), point());
            if (dense(volume) != states.back())
                states.push_back(dense(volume));
            QVERIFY(volume.voxelsOfClass() == test::countedByHand(volume));
        }
        for (std::size_t i = states.size() - 1; i-- > 0;) {
            editor.undo();
            QVERIFY(dense(volume) == states[i]);
        }
        QVERIFY(!editor.canUndo());
        QCOMPARE(volume.memoryBytes(), 0);
    }

    void slicesOutsideAreRefused()
    {
        LabelVolume volume({3, 40, 50});
        const ClassTable classes = twoClasses();
        Editor editor(volume, classes, std::nullopt);
        QString message;
        QCOMPARE(thrownBy([&] { editor.beginStroke({4, 1, Plane::xy, 3}, {1, 1}); }, &message), ErrorCode::shape);
        QVERIFY2(message.contains("slice 3") && message.contains("0 to 2"), qPrintable(message));
        QCOMPARE(thrownBy([&] { editor.fill({4, 1, Plane::xz, 40}, {1, 1}); }), ErrorCode::shape);
        QCOMPARE(thrownBy([&] { editor.clearSlice(Plane::zy, -1); }), ErrorCode::shape);
        QVERIFY(!editor.isStroking());
        QVERIFY(!editor.canUndo());
    }
};

QTEST_GUILESS_MAIN(TestEditor)
#include "tst_editor.moc"
