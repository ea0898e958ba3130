#include "widgets/panels/train_texts.h"

#include "widgets/common/text.h"
#include "widgets/panels/parts.h"

namespace voxelscribe::panels {

namespace {

std::vector<const LabelledClass*> paintedOf(const std::vector<LabelledClass>& classes)
{
    std::vector<const LabelledClass*> painted;
    for (const LabelledClass& labelled : classes)
        if (labelled.voxels > 0)
            painted.push_back(&labelled);
    return painted;
}

} // namespace

QString materialText(const std::vector<LabelledClass>& classes, std::int64_t slices)
{
    const auto painted = paintedOf(classes);
    if (painted.empty())
        return TrainPanel::tr("Nothing is painted yet.");
    std::int64_t voxels = 0;
    for (const LabelledClass* labelled : painted)
        voxels += labelled->voxels;
    return TrainPanel::tr("%1, %2 on %3")
        .arg(common::formatCounted(static_cast<std::int64_t>(painted.size()), TrainPanel::tr("class"), TrainPanel::tr("classes")),
             common::formatCounted(voxels, TrainPanel::tr("labelled voxel"), TrainPanel::tr("labelled voxels")),
             common::formatCounted(slices, TrainPanel::tr("slice"), TrainPanel::tr("slices")));
}

QString missingText(const std::vector<LabelledClass>& classes)
{
    const auto painted = paintedOf(classes);
    if (painted.empty())
        return TrainPanel::tr("Paint a few strokes of at least two classes first (step 2), or load a model.");
    if (painted.size() == 1)
        return TrainPanel::tr("Only “%1” is painted. Paint at least one more class: a model learns the difference between classes.")
            .arg(toText(painted.front()->info.name));
    return {};
}

QString networkWords(const QString& network)
{
    if (network == QLatin1String("tunet"))
        return TrainPanel::tr("A U-shaped network: measured best from few strokes, and fast.");
    return TrainPanel::tr("A small dense network, familiar from beamlines: slower to train and to run.");
}

} // namespace voxelscribe::panels
