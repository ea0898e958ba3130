#pragma once

#include "core/base/progress.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace voxelscribe::engine {

/// Shows a command's progress: as JSON lines on standard output, as a bar on standard error, or not at all.
/// At most ten reports a second, but the last one of every stage always. Stops where the program was interrupted.
class ConsoleProgress : public Progress {
public:
    enum class Style { none, bar, lines };

    explicit ConsoleProgress(Style style) : m_style(style) {}
    ~ConsoleProgress() override;

    void event(std::string_view name, const nlohmann::json& data) override;
    bool cancelRequested() const override;
    /// Writes what is still held back and leaves the bar's line. Nothing is reported after it.
    void finish();

protected:
    void report(std::string_view stage, std::int64_t done, std::int64_t total) override;

private:
    using Clock = std::chrono::steady_clock;
    struct Stage {
        Clock::time_point begin;
        Clock::time_point shown;
        std::int64_t firstDone = 0; ///< a resumed job begins above 0, and its rate counts from there
        std::int64_t done = 0;
        std::int64_t total = 0;
        bool heldBack = false;
    };

    void show(const std::string& name, Stage& stage, Clock::time_point now);
    void clearBar();

    const Style m_style;
    std::mutex m_mutex;
    std::map<std::string, Stage, std::less<>> m_stages;
    bool m_barShown = false;
    bool m_finished = false;
};

} // namespace voxelscribe::engine
