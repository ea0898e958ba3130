#pragma once

#include <atomic>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace voxelscribe {

/// How a long operation tells where it stands and learns that it should stop.
/// Core functions call `update` at least once a tile, slice or batch, from any thread.
class Progress {
public:
    virtual ~Progress() = default;

    /// Reports `done` of `total` units of `stage`, then throws Error(cancelled) if the caller asked to stop.
    void update(std::string_view stage, std::int64_t done, std::int64_t total);
    /// A named happening with its data: "epoch" (loss, validation…), "chunk" (slice), "notice" (text)…
    virtual void event(std::string_view name, const nlohmann::json& data);
    /// Throws Error(cancelled) if the caller asked to stop.
    void throwIfCancelled() const;
    virtual bool cancelRequested() const = 0;

protected:
    virtual void report(std::string_view stage, std::int64_t done, std::int64_t total) = 0;
};

/// Reports nothing; stops when `cancel` is called.
class SilentProgress : public Progress {
public:
    void cancel() { m_cancel = true; }
    bool cancelRequested() const override { return m_cancel; }

protected:
    void report(std::string_view, std::int64_t, std::int64_t) override {}

private:
    std::atomic<bool> m_cancel{false};
};

} // namespace voxelscribe
