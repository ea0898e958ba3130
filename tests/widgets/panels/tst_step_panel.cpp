#include "widgets/common/style.h"
#include "find.h"
#include "widgets/panels/step_panel.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QVBoxLayout>

using namespace voxelscribe;
using namespace voxelscribe::panels;
using namespace voxelscribe::test;

class TestStepPanel : public QObject {
    Q_OBJECT

    struct Filled {
        StepPanel panel;
        QPushButton* train = nullptr;
        QPushButton* exportButton = nullptr;
        Filled()
        {
            panel.setStepContent(Step::data, new QWidget);
            auto* train_ = new QWidget;
            train = new QPushButton(QStringLiteral("Train"), train_);
            panel.setStepContent(Step::train, train_, train);
            auto* check = new QWidget;
            exportButton = new QPushButton(QStringLiteral("Export"), check);
            panel.setStepContent(Step::check, check, exportButton);
            panel.resize(320, 700);
        }
        QPushButton* next(int step) { return child<QPushButton>(panel, qPrintable(QStringLiteral("next%1").arg(step))); }
        QAbstractButton* header(int step) { return child<QAbstractButton>(panel, qPrintable(QStringLiteral("step%1").arg(step))); }
    };

private Q_SLOTS:
    void beginsWithData()
    {
        Filled f;
        f.panel.show();
        QCOMPARE(f.panel.currentStep(), Step::data);
        QVERIFY(f.next(1)->isVisible());
        QVERIFY(!f.next(2)->isVisible());
    }
    void nextOpensTheFollowingStepAndTells()
    {
        Filled f;
        f.panel.show();
        QSignalSpy chosen(&f.panel, &StepPanel::stepChosen);
        click(f.next(1));
        QCOMPARE(f.panel.currentStep(), Step::annotate);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<Step>(), Step::annotate);
    }
    void headerOpensItsStep()
    {
        Filled f;
        f.panel.show();
        QSignalSpy chosen(&f.panel, &StepPanel::stepChosen);
        click(f.header(4));
        QCOMPARE(f.panel.currentStep(), Step::run);
        click(f.header(4));
        QCOMPARE(chosen.size(), 1);
    }
    void settingAStepTellsNobody()
    {
        Filled f;
        QSignalSpy chosen(&f.panel, &StepPanel::stepChosen);
        f.panel.setCurrentStep(Step::check);
        QCOMPARE(f.panel.currentStep(), Step::check);
        QCOMPARE(chosen.size(), 0);
    }
    void keysWalkAndOpen()
    {
        Filled f;
        QVERIFY(showActive(f.panel));
        f.header(1)->setFocus();
        QTest::keyClick(f.header(1), Qt::Key_Up);
        QVERIFY(f.header(1)->hasFocus());
        QTest::keyClick(f.header(1), Qt::Key_Down);
        QVERIFY(f.header(2)->hasFocus());
        QTest::keyClick(f.header(2), Qt::Key_Down);
        QTest::keyClick(f.header(3), Qt::Key_Return);
        QCOMPARE(f.panel.currentStep(), Step::train);
        QTest::keyClick(&f.panel, Qt::Key_5, Qt::AltModifier);
        QTRY_COMPARE(f.panel.currentStep(), Step::check);
    }
    void eachStepHasOnePrimaryButton()
    {
        Filled f;
        QVERIFY(common::isPrimary(f.next(1)));
        QVERIFY(common::isPrimary(f.train));
        QVERIFY(!common::isPrimary(f.next(3)));
        f.panel.setStepState(Step::train, StepState::done);
        QVERIFY(!common::isPrimary(f.train));
        QVERIFY(common::isPrimary(f.next(3)));
        f.panel.setStepState(Step::train, StepState::busy);
        QVERIFY(common::isPrimary(f.train));
        f.panel.setStepState(Step::check, StepState::done);
        QVERIFY(common::isPrimary(f.exportButton));
    }
    void blockedNextSaysWhy()
    {
        Filled f;
        f.panel.setCurrentStep(Step::annotate);
        f.panel.show();
        QSignalSpy chosen(&f.panel, &StepPanel::stepChosen);
        f.panel.setNextBlocked(Step::annotate, QStringLiteral("Paint at least two classes."));
        click(f.next(2));
        QCOMPARE(chosen.size(), 0);
        QVERIFY(!f.next(2)->isEnabled());
        f.panel.setNextBlocked(Step::annotate, {});
        click(f.next(2));
        QCOMPARE(f.panel.currentStep(), Step::train);
        f.panel.setNextBlocked(Step::check, QStringLiteral("the last step has no next"));
    }
    void statesAreSpoken()
    {
        Filled f;
        f.panel.setStepState(Step::annotate, StepState::done, QStringLiteral("3 classes, 1,240 voxels"));
        QCOMPARE(f.panel.stepState(Step::annotate), StepState::done);
        QCOMPARE(f.header(2)->accessibleName(), QStringLiteral("Step 2: Annotate"));
        QVERIFY(f.header(2)->accessibleDescription().contains(QStringLiteral("done")));
        QVERIFY(f.header(2)->accessibleDescription().contains(QStringLiteral("1,240")));
        f.panel.setStepState(Step::run, StepState::busy);
        QVERIFY(f.header(4)->accessibleDescription().contains(QStringLiteral("working")));
    }
};

QTEST_MAIN(TestStepPanel)
#include "tst_step_panel.moc"
