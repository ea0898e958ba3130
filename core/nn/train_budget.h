#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace voxelscribe::nn {

/// How long a training lasts: wall time since its start, or a number of epochs.
class TrainBudget {
public:
    static constexpr double kDefaultSeconds = 120;
    static constexpr double kMostDelay = 8; ///< seconds that a training may take longer rather than end untrained

    TrainBudget(std::optional<double> seconds, std::optional<int> epochs) : m_seconds(seconds), m_epochs(epochs)
    {
        if (!m_seconds && !m_epochs)
            m_seconds = kDefaultSeconds;
    }

    double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count(); }
    bool isTimed() const { return m_seconds.has_value(); }
    double seconds() const { return m_seconds.value_or(0); }
    int epochs() const { return m_epochs.value_or(0); }

    /// The loop begins: the share of the budget is counted from here. `reserve` seconds at the end are for what comes after the loop.
    void startLoop(double reserve)
    {
        m_loopStart = elapsed();
        m_reserve = reserve;
    }
    /// True if another step of `stepSeconds` would end too late, or all epochs are done. With both limits the first one counts.
    bool isSpent(int epochsDone, double stepSeconds) const
    {
        return (m_epochs && epochsDone >= *m_epochs) || (m_seconds && elapsed() + stepSeconds + m_reserve > *m_seconds);
    }
    /// Too late even for what a training needs at least.
    bool isOverdrawn() const { return m_seconds && elapsed() + m_reserve > *m_seconds + kMostDelay; }
    /// 0…1, of the loop.
    double share(double epochsDone) const
    {
        const double byEpochs = m_epochs ? epochsDone / *m_epochs : 0;
        const double byTime = m_seconds ? (elapsed() - m_loopStart) / std::max(0.1, *m_seconds - m_reserve - m_loopStart) : 0;
        return std::clamp(std::max(byEpochs, byTime), 0.0, 1.0);
    }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    std::optional<double> m_seconds;
    std::optional<int> m_epochs;
    double m_loopStart = 0;
    double m_reserve = 0;
};

} // namespace voxelscribe::nn
