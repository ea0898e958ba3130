#include "find.h"
#include "widgets/common/style.h"
#include "widgets/panels/run_panel.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

using namespace voxelscribe;
using namespace voxelscribe::panels;
using namespace voxelscribe::test;

class TestRunPanel : public QObject {
    Q_OBJECT
    std::unique_ptr<RunPanel> m_panel;

    QString text(const char* name) { return child<QLabel>(*m_panel, name)->text(); }
    QPushButton* button(const char* name) { return child<QPushButton>(*m_panel, name); }

private Q_SLOTS:
    void init()
    {
        m_panel = std::make_unique<RunPanel>();
        m_panel->resize(300, 600);
        QVERIFY(showActive(*m_panel));
        m_panel->setSliceCount(256);
        m_panel->setModel(QStringLiteral("sand"));
    }

    void withoutAModelNothingRuns()
    {
        m_panel->setModel({}, QStringLiteral("Train a model or load one first (step 3)."));
        QSignalSpy run(m_panel.get(), &RunPanel::runRequested);
        QSignalSpy preview(m_panel.get(), &RunPanel::previewRequested);
        for (const char* name : {"runAll", "runRange", "preview"})
            click(button(name));
        QCOMPARE(run.size() + preview.size(), 0);
        QCOMPARE(text("runModel"), QStringLiteral("Train a model or load one first (step 3)."));
    }
    void withoutSlicesNothingRuns()
    {
        m_panel->setSliceCount(0);
        QVERIFY(!button("runAll")->isEnabled());
        QVERIFY(!button("preview")->isEnabled());
    }
    void wholeStack()
    {
        QSignalSpy run(m_panel.get(), &RunPanel::runRequested);
        QCOMPARE(button("runAll")->text(), QStringLiteral("Run all 256 slices"));
        click(button("runAll"));
        QCOMPARE(run.size(), 1);
        QCOMPARE(run[0][0].toLongLong(), 0);
        QCOMPARE(run[0][1].toLongLong(), 256);
    }
    void rangeIncludesItsLastSlice()
    {
        QSignalSpy run(m_panel.get(), &RunPanel::runRequested);
        for (const auto& [name, value] : {std::pair{"runFrom", "10"}, std::pair{"runTo", "12"}}) {
            auto* box = child<QSpinBox>(*m_panel, name);
            box->setFocus();
            box->selectAll();
            QTest::keyClicks(box, QLatin1String(value));
            QTest::keyClick(box, Qt::Key_Return);
        }
        click(button("runRange"));
        QCOMPARE(run[0][0].toLongLong(), 10);
        QCOMPARE(run[0][1].toLongLong(), 13);
    }
    void rangeCannotRunBackwards()
    {
        auto* from = child<QSpinBox>(*m_panel, "runFrom");
        auto* to = child<QSpinBox>(*m_panel, "runTo");
        to->setValue(5);
        from->setValue(9);
        QVERIFY(to->value() >= from->value());
    }
    void sameCountKeepsTheRange()
    {
        child<QSpinBox>(*m_panel, "runTo")->setValue(5);
        m_panel->setSliceCount(256);
        QCOMPARE(child<QSpinBox>(*m_panel, "runTo")->value(), 5);
        m_panel->setSliceCount(3);
        QCOMPARE(child<QSpinBox>(*m_panel, "runTo")->value(), 2);
    }
    void previewNamesTheSlice()
    {
        m_panel->setCurrentSlice(17);
        QVERIFY(button("preview")->toolTip().contains(QStringLiteral("17")));
        QSignalSpy preview(m_panel.get(), &RunPanel::previewRequested);
        click(button("preview"));
        QCOMPARE(preview.size(), 1);
    }
    void previewPassesARun()
    {
        m_panel->setStarted();
        QVERIFY(!button("runAll")->isEnabled());
        QVERIFY(button("preview")->isEnabled());
    }
    void progressSpeedAndCancel()
    {
        m_panel->setStarted();
        m_panel->setProgress({QStringLiteral("Segmenting"), 64, 256, 190.0}, 12.4e6);
        QCOMPARE(text("status"), QStringLiteral("Segmenting · 25 % · about 3 min left"));
        QCOMPARE(text("speed"), QStringLiteral("12.4 million voxels/s"));
        QSignalSpy cancelled(m_panel.get(), &RunPanel::cancelRequested);
        click(button("cancelRun"));
        QCOMPARE(cancelled.size(), 1);
        m_panel->setCancelled();
        QVERIFY(!m_panel->isRunning());
        QVERIFY(text("result").contains(QStringLiteral("kept")));
    }
    void interruptedRunIsResumedByOneClick()
    {
        m_panel->setResumable(ResumableRun{132, 256, QStringLiteral("The engine ended unexpectedly.")});
        QCOMPARE(text("resumeText"), QStringLiteral("The engine ended unexpectedly. 132 of 256 slices are done."));
        // One obvious next step, even if the step panel marks the button again.
        common::setPrimary(m_panel->primaryButton(), true);
        QVERIFY(common::isPrimary(button("resume")));
        QVERIFY(!common::isPrimary(button("runAll")));
        QSignalSpy resumed(m_panel.get(), &RunPanel::resumeRequested);
        click(button("resume"));
        QCOMPARE(resumed.size(), 1);
        m_panel->setStarted();
        QVERIFY(!button("resume")->isVisible());
        m_panel->setFailed(QStringLiteral("The disk is full."));
        QVERIFY(button("resume")->isVisible());
        m_panel->setResumable(std::nullopt);
        QVERIFY(!button("resume")->isVisible());
        QVERIFY(common::isPrimary(button("runAll")));
    }
    void oldMasksAreMarked()
    {
        m_panel->setResultNote(QStringLiteral("Shows masks of today 03:12, older than your strokes."));
        QVERIFY(child<QLabel>(*m_panel, "resultNote")->isVisible());
        m_panel->setResultNote({});
        QVERIFY(!child<QLabel>(*m_panel, "resultNote")->isVisible());
    }
};

QTEST_MAIN(TestRunPanel)
#include "tst_run_panel.moc"
