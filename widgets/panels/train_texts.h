#pragma once

#include "widgets/panels/train_panel.h"

namespace voxelscribe::panels {

/// "3 classes, 1,240 labelled voxels on 2 slices".
QString materialText(const std::vector<LabelledClass>& classes, std::int64_t slices);
/// What must be painted before a training can start; empty if there is enough.
QString missingText(const std::vector<LabelledClass>& classes);
/// One plain sentence about a network.
QString networkWords(const QString& network);

} // namespace voxelscribe::panels
