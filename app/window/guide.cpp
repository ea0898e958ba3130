#include "app/window/guide.h"

#include "widgets/common/text.h"

#include <QCoreApplication>

namespace voxelscribe::window {

namespace {

using panels::Step;
using panels::StepState;

QString words(const char* text)
{
    return QCoreApplication::translate("voxelscribe::window::Guidance", text);
}

StepState stateOf(bool busy, bool done)
{
    return busy ? StepState::busy : done ? StepState::done : StepState::todo;
}

QString paintedSummary(const JobFacts& facts)
{
    if (facts.paintedVoxels == 0)
        return words("a few strokes for each class");
    return common::formatCounted(facts.paintedClasses, words("class"), words("classes")) + QStringLiteral(", ")
           + common::formatCounted(facts.paintedVoxels, words("voxel"), words("voxels"));
}

QString runSummary(const JobFacts& facts)
{
    if (facts.slicesDone == 0)
        return {};
    return words("%1 of %2 slices").arg(common::formatCount(facts.slicesDone), common::formatCount(facts.slicesTotal));
}

Step suggestion(const JobFacts& facts)
{
    if (facts.slicesTotal > 0 && facts.slicesDone >= facts.slicesTotal && !facts.isRunning)
        return Step::check;
    if (facts.hasModel || facts.isRunning)
        return Step::run;
    if (facts.paintedClasses >= 2 || facts.isTraining)
        return Step::train;
    return facts.isVoxelSizeKnown || facts.paintedVoxels > 0 ? Step::annotate : Step::data;
}

} // namespace

Guidance guide(const JobFacts& facts)
{
    Guidance guidance;
    const auto line = [&guidance](Step step) -> Guidance::Line& { return guidance.lines[static_cast<std::size_t>(step)]; };
    line(Step::data) = {stateOf(false, facts.isOpen), facts.data, {}};
    line(Step::annotate) = {stateOf(false, facts.paintedClasses >= 2), paintedSummary(facts),
                            facts.paintedClasses >= 2 || facts.hasModel ? QString() : words("Paint strokes of at least two classes first, or load a model in step 3.")};
    line(Step::train) = {stateOf(facts.isTraining, facts.hasModel), facts.model,
                         facts.hasModel ? QString() : words("Train a model or load one first.")};
    const bool isDone = facts.slicesTotal > 0 && facts.slicesDone >= facts.slicesTotal;
    line(Step::run) = {stateOf(facts.isRunning, isDone), runSummary(facts), facts.slicesDone > 0 ? QString() : words("Run the model first.")};
    line(Step::check) = {StepState::todo, {}, {}};
    guidance.suggested = suggestion(facts);
    return guidance;
}

} // namespace voxelscribe::window
