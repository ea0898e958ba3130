#include "widgets/common/action_list_model.h"
#include "widgets/common/action_registry.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QLineEdit>
#include <QSignalSpy>
#include <QVBoxLayout>
#include <QtTest/QtTest>

using namespace voxelscribe::common;

namespace {

ActionSpec spec(const char* id, const char* text, const char* keys, bool inViewsOnly = false)
{
    ActionSpec made;
    made.id = QLatin1String(id);
    made.text = QLatin1String(text);
    made.category = QStringLiteral("Test");
    if (*keys != '\0')
        made.shortcuts = {QKeySequence(QLatin1String(keys))};
    made.inViewsOnly = inViewsOnly;
    return made;
}

} // namespace

class TestActionRegistry : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsById()
    {
        ActionRegistry registry;
        QAction* brush = registry.add(spec("paint.brush", "Brush", "B"));
        QCOMPARE(registry.action(QStringLiteral("paint.brush")), brush);
        QCOMPARE(registry.action(QStringLiteral("paint.wand")), nullptr);
        QCOMPARE(brush->toolTip(), QStringLiteral("Brush (B)"));
    }

    void takenShortcutIsLeftOut()
    {
        ActionRegistry registry;
        registry.add(spec("a", "First", "Ctrl+T"));
        QAction* second = registry.add(spec("b", "Second", "Ctrl+T"));
        QVERIFY(second->shortcuts().isEmpty());
        QCOMPARE(registry.idOf(QKeySequence(QStringLiteral("Ctrl+T"))), QStringLiteral("a"));
    }
    void conflictIsRefusedAndNamed()
    {
        ActionRegistry registry;
        registry.add(spec("a", "First", "Ctrl+T"));
        QAction* second = registry.add(spec("b", "Second", "Ctrl+R"));
        QSignalSpy changed(&registry, &ActionRegistry::shortcutsChanged);
        const QList<QKeySequence> wanted{QKeySequence(QStringLiteral("Ctrl+T"))};
        QCOMPARE(registry.setShortcuts(QStringLiteral("b"), wanted), QStringList{QStringLiteral("a")});
        QCOMPARE(second->shortcut(), QKeySequence(QStringLiteral("Ctrl+R")));
        QCOMPARE(changed.size(), 0);
    }
    void freeShortcutIsTaken()
    {
        ActionRegistry registry;
        QAction* action = registry.add(spec("a", "First", "Ctrl+T"));
        QSignalSpy changed(&registry, &ActionRegistry::shortcutsChanged);
        const QList<QKeySequence> wanted{QKeySequence(QStringLiteral("Ctrl+L"))};
        QVERIFY(registry.setShortcuts(QStringLiteral("a"), wanted).isEmpty());
        QCOMPARE(action->shortcuts(), wanted);
        QCOMPARE(action->toolTip(), QStringLiteral("First (Ctrl+L)"));
        QCOMPARE(changed.size(), 1);
        QVERIFY(registry.setShortcuts(QStringLiteral("a"), wanted).isEmpty());
        QCOMPARE(changed.size(), 1);
    }
    void ownShortcutIsNoConflict()
    {
        ActionRegistry registry;
        registry.add(spec("a", "First", "Ctrl+T"));
        QVERIFY(registry.conflicts(QStringLiteral("a"), {QKeySequence(QStringLiteral("Ctrl+T"))}).isEmpty());
    }

    void singleLettersActOnlyInTheView()
    {
        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        auto* view = new QWidget(&window);
        view->setFocusPolicy(Qt::StrongFocus);
        auto* field = new QLineEdit(&window);
        layout->addWidget(view);
        layout->addWidget(field);
        ActionRegistry registry;
        QSignalSpy brush(registry.add(spec("brush", "Brush", "B", true)), &QAction::triggered);
        QSignalSpy train(registry.add(spec("train", "Train", "Ctrl+T")), &QAction::triggered);
        registry.attachToWindow(&window);
        registry.attachToView(view);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        view->setFocus();
        QTest::keyClick(view, Qt::Key_B);
        QCOMPARE(brush.size(), 1);
        field->setFocus();
        QTest::keyClick(field, Qt::Key_B);
        QCOMPARE(brush.size(), 1);
        QCOMPARE(field->text(), QStringLiteral("b"));
        QTest::keyClick(field, Qt::Key_T, Qt::ControlModifier);
        QCOMPARE(train.size(), 1);
    }

    void listModelKeepsTheRules()
    {
        ActionRegistry registry;
        registry.add(spec("a", "First", "Ctrl+T"));
        ActionListModel model(registry);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 1);
        registry.add(spec("b", "Second", ""))->setEnabled(false);
        QCOMPARE(model.rowCount(), 1);
        model.refresh();
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("First"));
        QCOMPARE(model.index(0).data(ActionListModel::ShortcutRole).toString(), QStringLiteral("Ctrl+T"));
        QVERIFY(!model.index(1).flags().testFlag(Qt::ItemIsEnabled));
        QCOMPARE(model.actionAt(model.index(7)), nullptr);
    }
};

QTEST_MAIN(TestActionRegistry)
#include "tst_action_registry.moc"
