#include "widgets/panels/class_panel.h"
#include "widgets/panels/class_row.h"
#include "find.h"

#include <QColorDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

using namespace voxelscribe;
using namespace voxelscribe::panels;
using namespace voxelscribe::test;

class TestClassPanel : public QObject {
    Q_OBJECT
    std::unique_ptr<ClassPanel> m_panel;

    ClassRow* row(int id) { return child<ClassRow>(*m_panel, qPrintable(QStringLiteral("class%1").arg(id))); }
    static QLineEdit* name(ClassRow* row) { return child<QLineEdit>(*row, "name"); }

private Q_SLOTS:
    void init()
    {
        m_panel = std::make_unique<ClassPanel>();
        // Ids with a gap: place and id are not the same.
        m_panel->setClasses({{1, "Grain", 0xe69f00}, {4, "Pore", 0x56b4e9}, {9, "Crack", 0x009e73}});
        m_panel->setActiveClass(1);
        m_panel->resize(300, 500);
        QVERIFY(showActive(*m_panel));
    }

    void clickChooses()
    {
        QSignalSpy chosen(m_panel.get(), &ClassPanel::activeClassChosen);
        QTest::mouseClick(row(4), Qt::LeftButton, {}, name(row(4))->geometry().center());
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toInt(), 4);
        QCOMPARE(m_panel->activeClass(), std::uint16_t(4));
        QTest::mouseClick(row(4), Qt::LeftButton, {}, name(row(4))->geometry().center());
        QCOMPARE(chosen.size(), 1);
        click(child<QToolButton>(*row(9), "choose"));
        QCOMPARE(chosen.size(), 2);
    }
    void clickTakesNoFocusFromTheImage()
    {
        QTest::mouseClick(row(4), Qt::LeftButton, {}, name(row(4))->geometry().center());
        QVERIFY(!name(row(4))->hasFocus());
    }
    void numberIsThePlace()
    {
        QCOMPARE(child<QToolButton>(*row(9), "choose")->text(), QStringLiteral("3"));
        QVERIFY(child<QToolButton>(*row(9), "choose")->toolTip().contains(QStringLiteral("(3)")));
    }

    void doubleClickRenames()
    {
        QSignalSpy edited(m_panel.get(), &ClassPanel::classEdited);
        QSignalSpy done(m_panel.get(), &ClassPanel::nameEditingDone);
        QTest::mouseDClick(row(4), Qt::LeftButton, {}, name(row(4))->geometry().center());
        QVERIFY(name(row(4))->hasFocus());
        QTest::keyClicks(name(row(4)), QStringLiteral("Große Pore"));
        QTest::keyClick(name(row(4)), Qt::Key_Return);
        QCOMPARE(edited.size(), 1);
        const auto info = edited[0][0].value<ClassInfo>();
        QCOMPARE(info.id, std::uint16_t(4));
        QCOMPARE(QString::fromStdString(info.name), QStringLiteral("Große Pore"));
        QCOMPARE(done.size(), 1);
    }
    void escapeKeepsTheName()
    {
        QSignalSpy edited(m_panel.get(), &ClassPanel::classEdited);
        m_panel->editName(9);
        QTest::keyClicks(name(row(9)), QStringLiteral("nonsense"));
        QTest::keyClick(name(row(9)), Qt::Key_Escape);
        QCOMPARE(edited.size(), 0);
        QCOMPARE(name(row(9))->text(), QStringLiteral("Crack"));
    }
    void emptyNameIsNotTaken()
    {
        QSignalSpy edited(m_panel.get(), &ClassPanel::classEdited);
        m_panel->editName(1);
        QTest::keyClick(name(row(1)), Qt::Key_Backspace);
        QTest::keyClicks(name(row(1)), QStringLiteral("   "));
        QTest::keyClick(name(row(1)), Qt::Key_Return);
        QCOMPARE(edited.size(), 0);
        QCOMPARE(name(row(1))->text(), QStringLiteral("Grain"));
    }
    void sameNameIsNoEdit()
    {
        QSignalSpy edited(m_panel.get(), &ClassPanel::classEdited);
        m_panel->editName(1);
        QTest::keyClicks(name(row(1)), QStringLiteral("Grain"));
        QTest::keyClick(name(row(1)), Qt::Key_Return);
        QCOMPARE(edited.size(), 0);
    }
    void f2RenamesByKey()
    {
        auto* choose = child<QToolButton>(*row(4), "choose");
        choose->setFocus();
        QTest::keyClick(choose, Qt::Key_F2);
        QVERIFY(name(row(4))->hasFocus());
    }
    void editedRowSurvivesAnUpdate()
    {
        m_panel->editName(4);
        QTest::keyClicks(name(row(4)), QStringLiteral("Vo"));
        m_panel->setClasses({{1, "Grain", 0xe69f00}, {4, "Pore", 0x56b4e9}, {9, "Crack", 0x009e73}});
        QTest::keyClicks(name(row(4)), QStringLiteral("id"));
        QCOMPARE(name(row(4))->text(), QStringLiteral("Void"));
    }

    void visibilityAndLock()
    {
        QSignalSpy edited(m_panel.get(), &ClassPanel::classEdited);
        click(child<QToolButton>(*row(4), "visible"));
        QCOMPARE(edited.size(), 1);
        QVERIFY(!edited[0][0].value<ClassInfo>().visible);
        click(child<QToolButton>(*row(4), "lock"));
        QVERIFY(edited[1][0].value<ClassInfo>().locked);
        QVERIFY(!edited[1][0].value<ClassInfo>().visible);
    }
    void colourIsChosen()
    {
        QSignalSpy edited(m_panel.get(), &ClassPanel::classEdited);
        click(child<QToolButton>(*row(9), "colour"));
        auto* dialog = row(9)->findChild<QColorDialog*>();
        QVERIFY(dialog != nullptr);
        dialog->setCurrentColor(QColor(0x12, 0x34, 0x56));
        dialog->accept();
        QCOMPARE(edited.size(), 1);
        QCOMPARE(edited[0][0].value<ClassInfo>().colour, Rgb(0x123456));
    }

    void removeAsksAndMayRemoveAtOnce()
    {
        connect(m_panel.get(), &ClassPanel::removeRequested, m_panel.get(), [this](quint16 id) {
            QCOMPARE(id, quint16(4));
            m_panel->setClasses({{1, "Grain", 0xe69f00}, {9, "Crack", 0x009e73}});
        });
        click(child<QToolButton>(*row(4), "remove"));
        QTRY_COMPARE(m_panel->findChildren<ClassRow*>().size(), 2);
        QCOMPARE(child<QToolButton>(*row(9), "choose")->text(), QStringLiteral("2"));
    }
    void removedRowReportsNothing()
    {
        QSignalSpy edited(m_panel.get(), &ClassPanel::classEdited);
        m_panel->editName(9);
        QTest::keyClicks(name(row(9)), QStringLiteral("half a na"));
        m_panel->setClasses({{1, "Grain", 0xe69f00}});
        QCOMPARE(edited.size(), 0);
    }
    void closingWhileEditingIsHarmless()
    {
        m_panel->editName(9);
        QTest::keyClicks(name(row(9)), QStringLiteral("half a na"));
        m_panel.reset();
    }
    void addAsks()
    {
        QSignalSpy added(m_panel.get(), &ClassPanel::addRequested);
        click(child<QPushButton>(*m_panel, "addClass"));
        QCOMPARE(added.size(), 1);
    }
    void countsAreShown()
    {
        m_panel->setLabelledVoxels({{1, 1240}, {9, 1}});
        QCOMPARE(child<QLabel>(*row(1), "count")->text(), QStringLiteral("1,240"));
        QCOMPARE(child<QLabel>(*row(4), "count")->text(), QStringLiteral("0"));
        QCOMPARE(child<QLabel>(*row(9), "count")->accessibleName(), QStringLiteral("1 labelled voxel"));
    }

    void brushSizeByFieldAndSlider()
    {
        QSignalSpy chosen(m_panel.get(), &ClassPanel::brushRadiusChosen);
        auto* box = child<QSpinBox>(*m_panel, "brushBox");
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QStringLiteral("25"));
        QTest::keyClick(box, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toDouble(), 12.5);
        auto* slider = child<QSlider>(*m_panel, "brushSlider");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_End);
        QCOMPARE(chosen.last()[0].toDouble(), 500.0);
        QCOMPARE(box->value(), 1000);
    }
    void settingTheBrushTellsNobody()
    {
        QSignalSpy chosen(m_panel.get(), &ClassPanel::brushRadiusChosen);
        m_panel->setBrushRadius(3.5);
        QCOMPARE(child<QSpinBox>(*m_panel, "brushBox")->value(), 7);
        m_panel->setBrushRadius(0);
        QCOMPARE(child<QSpinBox>(*m_panel, "brushBox")->value(), 1);
        QCOMPARE(chosen.size(), 0);
    }

    void readOnlyChangesNothing()
    {
        m_panel->setReadOnly(true);
        QSignalSpy edited(m_panel.get(), &ClassPanel::classEdited);
        QSignalSpy removed(m_panel.get(), &ClassPanel::removeRequested);
        QSignalSpy added(m_panel.get(), &ClassPanel::addRequested);
        click(child<QToolButton>(*row(4), "lock"));
        click(child<QToolButton>(*row(4), "remove"));
        click(child<QPushButton>(*m_panel, "addClass"));
        m_panel->editName(4);
        QVERIFY(!name(row(4))->hasFocus());
        QCOMPARE(edited.size() + removed.size() + added.size(), 0);
        // Looking is allowed.
        click(child<QToolButton>(*row(4), "visible"));
        QCOMPARE(edited.size(), 1);
    }
};

QTEST_MAIN(TestClassPanel)
#include "tst_class_panel.moc"
