#pragma once

#include <QString>
#include <optional>

namespace voxelscribe::common {

/// How far a job is, as the engine's progress events say.
struct JobProgress {
    QString stage;                       ///< words for people: "Reading", "Training"; may be empty
    double done = 0;
    double total = 0;                    ///< 0: unknown
    std::optional<double> etaSeconds;

    /// 0…1000 for a progress bar; -1 where the total is unknown.
    int permille() const;
    /// "Training · 34 % · about 2 min left".
    QString text() const;
};

} // namespace voxelscribe::common
