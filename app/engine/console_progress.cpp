#include "app/engine/console_progress.h"

#include "app/engine/interrupt.h"
#include "core/link/messages.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

namespace voxelscribe::engine {

using nlohmann::json;

namespace {

constexpr std::chrono::milliseconds kInterval{100};

void writeLine(std::FILE* to, const std::string& line)
{
    std::fwrite(line.data(), 1, line.size(), to);
    std::fflush(to);
}

std::string etaText(const std::optional<double>& eta)
{
    if (!eta)
        return "";
    const auto seconds = static_cast<long long>(std::ceil(*eta));
    std::array<char, 48> text{};
    if (seconds >= 3600)
        std::snprintf(text.data(), text.size(), "  %lld:%02lld:%02lld left", seconds / 3600, seconds / 60 % 60, seconds % 60);
    else
        std::snprintf(text.data(), text.size(), "  %lld:%02lld left", seconds / 60, seconds % 60);
    return text.data();
}

std::string barText(const std::string& name, std::int64_t done, std::int64_t total, const std::optional<double>& eta)
{
    constexpr int kWidth = 30;
    const double share = total > 0 ? std::min(1.0, static_cast<double>(done) / static_cast<double>(total)) : 0.0;
    const auto filled = static_cast<std::size_t>(share * kWidth);
    return "\r\033[K" + name + " [" + std::string(filled, '#') + std::string(kWidth - filled, '.') + "] "
           + std::to_string(static_cast<int>(share * 100)) + " %  " + std::to_string(done) + "/" + std::to_string(total) + etaText(eta);
}

std::optional<double> etaSeconds(double elapsed, std::int64_t finished, std::int64_t left)
{
    if (finished <= 0 || left < 0)
        return std::nullopt;
    return elapsed * static_cast<double>(left) / static_cast<double>(finished);
}

} // namespace

ConsoleProgress::~ConsoleProgress()
{
    finish();
}

bool ConsoleProgress::cancelRequested() const
{
    return interrupted();
}

void ConsoleProgress::report(std::string_view name, std::int64_t done, std::int64_t total)
{
    if (m_style == Style::none)
        return;
    const std::lock_guard lock(m_mutex);
    const Clock::time_point now = Clock::now();
    auto found = m_stages.find(name);
    const bool isNew = found == m_stages.end();
    if (isNew)
        found = m_stages.emplace(std::string(name), Stage{now, now, done, done, total, false}).first;
    Stage& stage = found->second;
    if (done < stage.done) { // the stage begins anew
        stage.begin = now;
        stage.firstDone = done;
    }
    const bool wasComplete = !isNew && stage.done >= stage.total && stage.total == total;
    stage.done = done;
    stage.total = total;
    const bool isLast = done >= total && !wasComplete;
    stage.heldBack = !isNew && !isLast && now - stage.shown < kInterval;
    if (!stage.heldBack && !m_finished)
        show(found->first, stage, now);
}

void ConsoleProgress::show(const std::string& name, Stage& stage, Clock::time_point now)
{
    stage.shown = now;
    stage.heldBack = false;
    const double elapsed = std::chrono::duration<double>(now - stage.begin).count();
    const std::optional<double> eta = etaSeconds(elapsed, stage.done - stage.firstDone, stage.total - stage.done);
    if (m_style == Style::bar) {
        writeLine(stderr, barText(name, stage.done, stage.total, eta));
        m_barShown = true;
        return;
    }
    json line{{"event", "progress"}, {"stage", name}, {"done", stage.done}, {"total", stage.total}, {"eta", nullptr}};
    if (eta)
        line["eta"] = std::round(*eta * 10) / 10;
    writeLine(stdout, link::toLine(line));
}

void ConsoleProgress::event(std::string_view name, const json& data)
{
    const std::lock_guard lock(m_mutex);
    if (m_style == Style::lines) {
        json line = data.is_object() ? data : json{{"value", data}};
        line["event"] = std::string(name);
        writeLine(stdout, link::toLine(line));
    } else if (name == "notice") {
        clearBar();
        writeLine(stderr, "note: " + (data.is_object() ? data.value("text", data.dump()) : data.dump()) + "\n");
    }
}

void ConsoleProgress::clearBar()
{
    if (m_barShown)
        writeLine(stderr, "\r\033[K");
    m_barShown = false;
}

void ConsoleProgress::finish()
{
    const std::lock_guard lock(m_mutex);
    if (m_finished)
        return;
    for (auto& [name, stage] : m_stages)
        if (stage.heldBack)
            show(name, stage, Clock::now());
    clearBar();
    m_finished = true;
}

} // namespace voxelscribe::engine
