#include "widgets/common/action_registry.h"
#include "widgets/common/command_palette.h"
#include "widgets/common/shortcut_sheet.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QSignalSpy>
#include <QVBoxLayout>
#include <QtTest/QtTest>

using namespace voxelscribe::common;

class TestCommandPalette : public QObject {
    Q_OBJECT
    std::unique_ptr<QWidget> m_window;
    QWidget* m_view = nullptr;
    std::unique_ptr<ActionRegistry> m_registry;
    QString m_ran;

    QAction* add(const char* id, const char* text, const char* category, const char* keys)
    {
        ActionSpec spec;
        spec.id = QLatin1String(id);
        spec.text = QLatin1String(text);
        spec.category = QLatin1String(category);
        spec.shortcuts = {QKeySequence(QLatin1String(keys))};
        QAction* action = m_registry->add(spec);
        connect(action, &QAction::triggered, this, [this, action] { m_ran = action->objectName(); });
        return action;
    }
    static QLineEdit* field(CommandPalette& palette) { return palette.findChild<QLineEdit*>(); }
    static int shown(CommandPalette& palette) { return palette.findChild<QListView*>()->model()->rowCount(); }

private Q_SLOTS:
    void init()
    {
        m_ran.clear();
        m_window = std::make_unique<QWidget>();
        m_window->resize(900, 600);
        m_view = new QWidget(m_window.get());
        m_view->setFocusPolicy(Qt::StrongFocus);
        (new QVBoxLayout(m_window.get()))->addWidget(m_view);
        m_registry = std::make_unique<ActionRegistry>();
        add("open", "Open file…", "File", "Ctrl+O");
        add("undo", "Undo", "Edit", "Ctrl+Z")->setEnabled(false);
        add("train", "Train", "Learning", "Ctrl+T");
        add("run", "Run the whole stack", "Learning", "Ctrl+R");
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_view->setFocus();
    }
    void cleanup() { m_window.reset(); }

    void typesChoosesAndRuns()
    {
        CommandPalette palette(*m_registry, m_window.get());
        palette.open();
        QVERIFY(field(palette)->hasFocus());
        QCOMPARE(shown(palette), 4);
        QTest::keyClicks(field(palette), QStringLiteral("stack run"));
        QCOMPARE(shown(palette), 1);
        QTest::keyClick(field(palette), Qt::Key_Return);
        QCOMPARE(m_ran, QStringLiteral("run"));
        QVERIFY(palette.isHidden());
        QVERIFY(m_view->hasFocus());
    }
    void findsByCategory()
    {
        CommandPalette palette(*m_registry, m_window.get());
        palette.open();
        QTest::keyClicks(field(palette), QStringLiteral("LEARN"));
        QCOMPARE(shown(palette), 2);
        QTest::keyClick(field(palette), Qt::Key_Down);
        QTest::keyClick(field(palette), Qt::Key_Enter);
        QCOMPARE(m_ran, QStringLiteral("run"));
    }
    void arrowsPassOverDisabledCommands()
    {
        CommandPalette palette(*m_registry, m_window.get());
        palette.open();
        QTest::keyClick(field(palette), Qt::Key_Down);
        QTest::keyClick(field(palette), Qt::Key_Return);
        QCOMPARE(m_ran, QStringLiteral("train"));
    }
    void disabledCommandDoesNotRun()
    {
        CommandPalette palette(*m_registry, m_window.get());
        palette.open();
        QTest::keyClicks(field(palette), QStringLiteral("undo"));
        QTest::keyClick(field(palette), Qt::Key_Return);
        QVERIFY(m_ran.isEmpty());
        QVERIFY(palette.isVisible());
    }
    void nothingFoundRunsNothing()
    {
        CommandPalette palette(*m_registry, m_window.get());
        palette.open();
        QTest::keyClicks(field(palette), QStringLiteral("(no such+thing"));
        QCOMPARE(shown(palette), 0);
        QTest::keyClick(field(palette), Qt::Key_Down);
        QTest::keyClick(field(palette), Qt::Key_Return);
        QVERIFY(m_ran.isEmpty());
    }
    void escapeGivesTheFocusBack()
    {
        CommandPalette palette(*m_registry, m_window.get());
        palette.open();
        QTest::keyClick(field(palette), Qt::Key_Escape);
        QVERIFY(palette.isHidden());
        QVERIFY(m_view->hasFocus());
        QVERIFY(m_ran.isEmpty());
    }
    void opensEmptyAgain()
    {
        CommandPalette palette(*m_registry, m_window.get());
        palette.open();
        QTest::keyClicks(field(palette), QStringLiteral("train"));
        QTest::keyClick(field(palette), Qt::Key_Escape);
        palette.open();
        QVERIFY(field(palette)->text().isEmpty());
        QCOMPARE(shown(palette), 4);
    }

    void sheetListsShortcutsInForce()
    {
        ShortcutSheet sheet(*m_registry, m_window.get());
        m_registry->setShortcuts(QStringLiteral("train"), {QKeySequence(QStringLiteral("F9"))});
        sheet.open();
        QStringList texts;
        for (const QLabel* label : sheet.findChildren<QLabel*>())
            texts << label->text();
        QVERIFY(texts.contains(QStringLiteral("Learning")));
        QVERIFY(texts.contains(QStringLiteral("F9")));
        QVERIFY(!texts.contains(QStringLiteral("Ctrl+T")));
        QCOMPARE(sheet.size(), m_window->size());
    }
    void sheetCloses_data()
    {
        QTest::addColumn<int>("key");
        QTest::newRow("by escape") << int(Qt::Key_Escape);
        QTest::newRow("by the key that opens it") << int(Qt::Key_Question);
        QTest::newRow("by a click") << 0;
    }
    void sheetCloses()
    {
        QFETCH(int, key);
        ShortcutSheet sheet(*m_registry, m_window.get());
        sheet.open();
        QVERIFY(sheet.hasFocus());
        if (key == 0)
            QTest::mouseClick(&sheet, Qt::LeftButton, {}, QPoint(5, 5));
        else
            QTest::keyClick(&sheet, static_cast<Qt::Key>(key));
        QVERIFY(sheet.isHidden());
        QVERIFY(m_view->hasFocus());
    }
};

QTEST_MAIN(TestCommandPalette)
#include "tst_command_palette.moc"
