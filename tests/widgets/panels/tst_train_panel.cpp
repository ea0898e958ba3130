#include "find.h"
#include "widgets/panels/parts.h"
#include "widgets/panels/train_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

using namespace voxelscribe;
using namespace voxelscribe::panels;
using namespace voxelscribe::test;

namespace {

LabelledClass labelled(std::uint16_t id, const char* name, std::int64_t voxels)
{
    return {ClassInfo{id, name, 0xff0000}, voxels};
}

ModelInfo model()
{
    ModelInfo made;
    made.name = QStringLiteral("sand.safetensors");
    made.network = QStringLiteral("tunet");
    made.classes = {{1, "Grain", 0xe69f00}, {2, "<b>Pore</b>", 0x56b4e9}};
    made.halo = 24;
    made.warnings = {QStringLiteral("It was trained on uint8; this stack is uint16.")};
    return made;
}

} // namespace

class TestTrainPanel : public QObject {
    Q_OBJECT
    std::unique_ptr<TrainPanel> m_panel;

    QString text(const char* name) { return child<QLabel>(*m_panel, name)->text(); }
    bool shown(const char* name) { return !child<QWidget>(*m_panel, name)->isHidden(); }
    QPushButton* button(const char* name) { return child<QPushButton>(*m_panel, name); }

private Q_SLOTS:
    void init()
    {
        m_panel = std::make_unique<TrainPanel>();
        m_panel->resize(300, 700);
        QVERIFY(showActive(*m_panel));
    }

    void missingMaterialIsNamed_data()
    {
        QTest::addColumn<int>("classes");
        QTest::addColumn<QString>("material");
        QTest::addColumn<QString>("missing");
        QTest::newRow("no strokes") << 0 << "Nothing is painted yet." << "at least two classes";
        QTest::newRow("a single class") << 1 << "1 class, 7 labelled voxels on 1 slice" << "Only “Pore” is painted";
    }
    void missingMaterialIsNamed()
    {
        QFETCH(int, classes);
        QFETCH(QString, missing);
        m_panel->setMaterial({labelled(1, "Grain", 0), labelled(2, "Pore", classes == 1 ? 7 : 0)}, classes);
        QTEST(text("material"), "material");
        QVERIFY2(text("missing").contains(missing), qPrintable(text("missing")));
        QVERIFY(!button("train")->isEnabled());
        QSignalSpy asked(m_panel.get(), &TrainPanel::trainRequested);
        click(button("train"));
        QCOMPARE(asked.size(), 0);
        QVERIFY(button("loadModel")->isEnabled());
    }
    void twoClassesAreEnough()
    {
        m_panel->setMaterial({labelled(1, "Grain", 1000), labelled(2, "Pore", 240), labelled(3, "Crack", 0)}, 2);
        QCOMPARE(text("material"), QStringLiteral("2 classes, 1,240 labelled voxels on 2 slices"));
        QVERIFY(!shown("missing"));
        QSignalSpy asked(m_panel.get(), &TrainPanel::trainRequested);
        click(button("train"));
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].value<TrainChoice>(), (TrainChoice{QStringLiteral("tunet"), 150, false}));
    }
    void otherReasonsOutrankTheStrokes()
    {
        m_panel->setMaterial({labelled(1, "Grain", 10), labelled(2, "Pore", 24)}, 1);
        m_panel->setBlocked(QStringLiteral("This project is open in another window."));
        QVERIFY(!button("train")->isEnabled());
        QCOMPARE(text("missing"), QStringLiteral("This project is open in another window."));
        m_panel->setBlocked({});
        QVERIFY(button("train")->isEnabled());
    }

    void choicesAreMade()
    {
        QSignalSpy changed(m_panel.get(), &TrainPanel::choiceChanged);
        QTest::keyClick(child<QComboBox>(*m_panel, "network"), Qt::Key_Down);
        QCOMPARE(m_panel->choice().network, QStringLiteral("msdnet"));
        QTest::keyClick(child<QComboBox>(*m_panel, "budget"), Qt::Key_Up);
        QCOMPARE(m_panel->choice().seconds, 60.0);
        QCOMPARE(changed.size(), 2);
    }
    void customTimeHasItsField()
    {
        QVERIFY(!shown("minutes"));
        QTest::keyClick(child<QComboBox>(*m_panel, "budget"), Qt::Key_End);
        QVERIFY(shown("minutes"));
        auto* minutes = child<NumberBox>(*m_panel, "minutes");
        minutes->setFocus();
        minutes->selectAll();
        QTest::keyClicks(minutes, QStringLiteral("1.5"));
        QTest::keyClick(minutes, Qt::Key_Return);
        QCOMPARE(m_panel->choice().seconds, 90.0);
    }
    void storedChoiceComesBack()
    {
        QSignalSpy changed(m_panel.get(), &TrainPanel::choiceChanged);
        m_panel->setModel(model());
        for (const TrainChoice& choice : {TrainChoice{QStringLiteral("tunet"), 600, true}, TrainChoice{QStringLiteral("msdnet"), 42, false}}) {
            m_panel->setChoice(choice);
            QCOMPARE(m_panel->choice(), choice);
        }
        QCOMPARE(changed.size(), 0);
    }
    void goingOnNeedsAModel()
    {
        m_panel->setChoice({QStringLiteral("msdnet"), 150, true});
        QVERIFY(!shown("continue"));
        QVERIFY(!m_panel->choice().continueFromModel);
        m_panel->setModel(model());
        QVERIFY(shown("continue"));
        QVERIFY(m_panel->choice().continueFromModel);
    }

    void runningShowsProgressAndCancels()
    {
        m_panel->setMaterial({labelled(1, "Grain", 10), labelled(2, "Pore", 24)}, 1);
        m_panel->setStarted();
        QVERIFY(m_panel->isRunning());
        QVERIFY(!button("train")->isEnabled());
        m_panel->setProgress({QStringLiteral("Training"), 1, 4, 100.0});
        QCOMPARE(text("status"), QStringLiteral("Training · 25 % · about 2 min left"));
        QSignalSpy cancelled(m_panel.get(), &TrainPanel::cancelRequested);
        click(button("cancelTrain"));
        QCOMPARE(cancelled.size(), 1);
        m_panel->setCancelled();
        QVERIFY(!m_panel->isRunning());
        QVERIFY(button("train")->isEnabled());
        QVERIFY(text("result").contains(QStringLiteral("as it was before")));
    }
    void keepBestShowsOnlyWhereItIsPossible()
    {
        m_panel->setStarted();
        QVERIFY(!shown("keepBest"));
        m_panel->setCanKeepBest(true);
        QSignalSpy kept(m_panel.get(), &TrainPanel::keepBestRequested);
        click(button("keepBest"));
        QCOMPARE(kept.size(), 1);
    }
    void aNewTrainingForgetsTheOldResult()
    {
        m_panel->setStarted();
        m_panel->addEpoch({1, 0.5, {}, {}, 1.0});
        m_panel->setFinished(QStringLiteral("IoU 0.82"), QStringLiteral("Too few strokes for a validation."));
        QCOMPARE(text("result"), QStringLiteral("IoU 0.82"));
        QVERIFY(text("note").contains(QStringLiteral("validation")));
        m_panel->setStarted();
        QVERIFY(!shown("result"));
        QVERIFY(!shown("note"));
        QVERIFY(child<LearningCurve>(*m_panel, "learningCurve")->points().empty());
    }
    void failureIsToldInPlace()
    {
        m_panel->setStarted();
        m_panel->setFailed(QStringLiteral("The disk is full. Make room and train again."));
        QCOMPARE(text("result"), QStringLiteral("The disk is full. Make room and train again."));
        QVERIFY(!m_panel->isRunning());
    }

    void modelCardShowsTheContract()
    {
        m_panel->setModel(model());
        QCOMPARE(text("modelName"), QStringLiteral("sand.safetensors"));
        QStringList texts;
        for (const QLabel* label : child<ModelCard>(*m_panel, "modelCard")->findChildren<QLabel*>())
            texts << label->text();
        QVERIFY(texts.contains(QStringLiteral("TUNet · sees 24 pixels around")));
        QVERIFY(texts.contains(QStringLiteral("<b>Pore</b>")));
        QVERIFY(texts.contains(QStringLiteral("It was trained on uint8; this stack is uint16.")));
        m_panel->setModel(std::nullopt);
        QVERIFY(!shown("modelCard"));
    }
    void loadAsks()
    {
        QSignalSpy asked(m_panel.get(), &TrainPanel::loadModelRequested);
        click(button("loadModel"));
        QCOMPARE(asked.size(), 1);
    }
};

QTEST_MAIN(TestTrainPanel)
#include "tst_train_panel.moc"
