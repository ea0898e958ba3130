#pragma once

#include "widgets/panels/step_panel.h"

#include <QString>
#include <array>
#include <cstdint>

namespace voxelscribe::window {

/// What the way through the job depends on.
struct JobFacts {
    bool isOpen = false;
    QString data;                    ///< "64 × 384 × 384, uint16"
    bool isVoxelSizeKnown = false;
    int paintedClasses = 0;
    std::int64_t paintedVoxels = 0;
    bool isTraining = false;
    bool hasModel = false;
    QString model;
    bool isRunning = false;
    std::int64_t slicesDone = 0;
    std::int64_t slicesTotal = 0;
};

/// State, summary and what blocks the way on, for each step.
struct Guidance {
    struct Line {
        panels::StepState state = panels::StepState::todo;
        QString summary;
        QString nextBlocked;
    };
    std::array<Line, panels::kStepCount> lines;
    panels::Step suggested = panels::Step::data; ///< where a person who comes back goes on
};

Guidance guide(const JobFacts& facts);

} // namespace voxelscribe::window
