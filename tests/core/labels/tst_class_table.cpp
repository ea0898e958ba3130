#include "core/labels/class_table.h"
#include "label_helpers.h"

#include <QtTest/QtTest>

using namespace voxelscribe;
using labels::ClassTable;
using test::thrownBy;

class TestClassTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void idsStartAtOneAndCountUp()
    {
        ClassTable table;
        QCOMPARE(table.add("quartz").id, 1);
        QCOMPARE(table.add().id, 2);
        QCOMPARE(table.find(1)->name, std::string("quartz"));
        QCOMPARE(table.find(2)->name, std::string("Class 2"));
        QVERIFY(table.find(1)->colour != table.find(2)->colour);
    }

    void idsAreNeverGivenTwice()
    {
        ClassTable table;
        table.add();
        table.add();
        table.remove(2);
        QCOMPARE(table.add().id, 3);
        ClassTable reopened;
        reopened.restore(table.classes(), table.nextId());
        reopened.remove(3);
        QCOMPARE(reopened.add().id, 4);
    }

    void restoreRaisesAStaleNextId()
    {
        ClassTable table;
        table.restore({{7, "pore", 0xff0000, true, false}}, 1);
        QCOMPARE(table.nextId(), 8);
    }

    void updateChangesAllButTheId()
    {
        ClassTable table;
        table.add("a");
        table.update({1, "b", 0x123456, false, true});
        QCOMPARE(table.find(1)->name, std::string("b"));
        QVERIFY(table.isLocked(1));
        QVERIFY(!table.isLocked(2));
    }

    void theLastIdIsTheLast()
    {
        ClassTable table;
        table.restore({}, 65535);
        QCOMPARE(table.add().id, 65535);
        QCOMPARE(thrownBy([&] { table.add(); }), ErrorCode::format);
        ClassTable reopened;
        reopened.restore(table.classes(), table.nextId());
        QCOMPARE(thrownBy([&] { reopened.add(); }), ErrorCode::format);
    }

    void unknownClassesAreRefused()
    {
        ClassTable table;
        QCOMPARE(thrownBy([&] { table.remove(1); }), ErrorCode::format);
        QCOMPARE(thrownBy([&] { table.update({3, "x", 0, true, false}); }), ErrorCode::format);
    }

    void contradictoryStoredClassesAreRefused()
    {
        ClassTable table;
        table.add("kept");
        QCOMPARE(thrownBy([&] { table.restore({{0, "zero", 0, true, false}}, 1); }), ErrorCode::format);
        QCOMPARE(thrownBy([&] { table.restore({{2, "a", 0, true, false}, {2, "b", 0, true, false}}, 3); }), ErrorCode::format);
        QCOMPARE(table.find(1)->name, std::string("kept"));
    }
};

QTEST_GUILESS_MAIN(TestClassTable)
#include "tst_class_table.moc"
