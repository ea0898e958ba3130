#include "app/window/guide.h"

#include <QtTest/QtTest>

#include <functional>

using namespace voxelscribe::window;
using voxelscribe::panels::Step;
using voxelscribe::panels::StepState;

namespace {

/// An open stack of 64 slices whose voxel size is known; nothing has been done with it.
JobFacts openedFacts()
{
    JobFacts facts;
    facts.isOpen = true;
    facts.data = "64 × 384 × 384, uint16";
    facts.isVoxelSizeKnown = true;
    facts.slicesTotal = 64;
    return facts;
}

JobFacts paintedFacts()
{
    JobFacts facts = openedFacts();
    facts.paintedClasses = 2;
    facts.paintedVoxels = 4321;
    return facts;
}

JobFacts trainedFacts()
{
    JobFacts facts = paintedFacts();
    facts.hasModel = true;
    facts.model = "model-1";
    return facts;
}

JobFacts changed(JobFacts facts, const std::function<void(JobFacts&)>& change)
{
    change(facts);
    return facts;
}

const Guidance::Line& lineOf(const Guidance& guidance, Step step)
{
    return guidance.lines[static_cast<std::size_t>(step)];
}

/// "done todo busy …", one word a step.
QString statesOf(const Guidance& guidance)
{
    QStringList words;
    for (const Guidance::Line& line : guidance.lines)
        words << (line.state == StepState::done ? "done" : line.state == StepState::busy ? "busy" : line.state == StepState::todo ? "todo" : "current");
    return words.join(' ');
}

/// The steps, counted from 1, whose way on is blocked.
QString blockedOf(const Guidance& guidance)
{
    QStringList steps;
    for (std::size_t i = 0; i < guidance.lines.size(); ++i)
        if (!guidance.lines[i].nextBlocked.isEmpty())
            steps << QString::number(i + 1);
    return steps.join(' ');
}

} // namespace

Q_DECLARE_METATYPE(voxelscribe::window::JobFacts)

class TestGuide : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void leadsThroughTheJob_data()
    {
        QTest::addColumn<JobFacts>("facts");
        QTest::addColumn<QString>("states");
        QTest::addColumn<QString>("blocked");
        QTest::addColumn<int>("suggested");
        const auto row = [](const char* name, const JobFacts& facts, const char* states, const char* blocked, Step suggested) {
            QTest::newRow(name) << facts << states << blocked << static_cast<int>(suggested);
        };
        row("nothing is open", {}, "todo todo todo todo todo", "2 3 4", Step::data);
        row("just opened", openedFacts(), "done todo todo todo todo", "2 3 4", Step::annotate);
        row("opened without a voxel size", changed(openedFacts(), [](JobFacts& f) { f.isVoxelSizeKnown = false; }), "done todo todo todo todo",
            "2 3 4", Step::data);
        row("painted without a voxel size", changed(openedFacts(), [](JobFacts& f) {
                f.isVoxelSizeKnown = false;
                f.paintedClasses = 1;
                f.paintedVoxels = 1;
            }), "done todo todo todo todo", "2 3 4", Step::annotate);
        row("one class is not enough", changed(paintedFacts(), [](JobFacts& f) { f.paintedClasses = 1; }), "done todo todo todo todo", "2 3 4",
            Step::annotate);
        row("two classes", paintedFacts(), "done done todo todo todo", "3 4", Step::train);
        row("training", changed(paintedFacts(), [](JobFacts& f) { f.isTraining = true; }), "done done busy todo todo", "3 4", Step::train);
        row("trained", trainedFacts(), "done done done todo todo", "4", Step::run);
        row("training again", changed(trainedFacts(), [](JobFacts& f) { f.isTraining = true; }), "done done busy todo todo", "4", Step::run);
        row("a model loaded, nothing painted", changed(openedFacts(), [](JobFacts& f) { f.hasModel = true; }), "done todo done todo todo", "4",
            Step::run);
        row("running, no slice yet", changed(trainedFacts(), [](JobFacts& f) { f.isRunning = true; }), "done done done busy todo", "4", Step::run);
        row("running, first slices there", changed(trainedFacts(), [](JobFacts& f) {
                f.isRunning = true;
                f.slicesDone = 3;
            }), "done done done busy todo", "", Step::run);
        row("a preview of one slice", changed(trainedFacts(), [](JobFacts& f) { f.slicesDone = 1; }), "done done done todo todo", "", Step::run);
        row("all slices run", changed(trainedFacts(), [](JobFacts& f) { f.slicesDone = 64; }), "done done done done todo", "", Step::check);
        row("running again over all slices", changed(trainedFacts(), [](JobFacts& f) {
                f.slicesDone = 64;
                f.isRunning = true;
            }), "done done done busy todo", "", Step::run);
    }

    void leadsThroughTheJob()
    {
        QFETCH(JobFacts, facts);
        const Guidance guidance = guide(facts);
        QTEST(statesOf(guidance), "states");
        QTEST(blockedOf(guidance), "blocked");
        QTEST(static_cast<int>(guidance.suggested), "suggested");
    }

    void saysWhatIsThere()
    {
        const JobFacts facts = changed(trainedFacts(), [](JobFacts& f) { f.slicesDone = 3; });
        const Guidance guidance = guide(facts);
        QCOMPARE(lineOf(guidance, Step::data).summary, facts.data);
        QVERIFY2(lineOf(guidance, Step::annotate).summary.contains("2 classes"), qPrintable(lineOf(guidance, Step::annotate).summary));
        QVERIFY2(lineOf(guidance, Step::annotate).summary.contains("voxels"), qPrintable(lineOf(guidance, Step::annotate).summary));
        QCOMPARE(lineOf(guidance, Step::train).summary, "model-1");
        QCOMPARE(lineOf(guidance, Step::run).summary, "3 of 64 slices");
        QVERIFY(guide(openedFacts()).lines[3].summary.isEmpty());
    }

    void saysWhatIsMissing()
    {
        const Guidance guidance = guide(openedFacts());
        QVERIFY(lineOf(guidance, Step::annotate).nextBlocked.contains("two classes"));
        QVERIFY(lineOf(guidance, Step::train).nextBlocked.contains("load"));
        QVERIFY(!lineOf(guidance, Step::run).nextBlocked.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestGuide)
#include "tst_guide.moc"
