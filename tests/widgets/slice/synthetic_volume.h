#pragma once

#include "core/base/error.h"
#include "core/volume/volume.h"

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>

namespace voxelscribe::test {

/// A volume whose samples are computed: of any extent, in no memory. Counts what is read of each slice.
template <typename T>
class SyntheticVolume : public Volume {
public:
    using Sample = std::function<T(std::int64_t z, std::int64_t y, std::int64_t x)>;

    SyntheticVolume(const Extent& extent, DType dtype, Sample sample, Extent chunk = {}) : Volume(makeInfo(extent, dtype, chunk)), m_sample(std::move(sample)) {}

    std::int64_t voxelsRead() const { return m_voxelsRead; }
    std::int64_t readsOfSlice(std::int64_t z) const
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_reads.find(z);
        return found == m_reads.end() ? 0 : found->second;
    }
    std::int64_t largestRead() const { return m_largestRead; }

protected:
    void readRegion(const Region& region, std::span<std::byte> out) const override
    {
        {
            const std::lock_guard lock(m_mutex);
            for (std::int64_t z = region.origin.z; z < region.end().z; ++z)
                ++m_reads[z];
            m_largestRead = std::max(m_largestRead.load(), region.extent.voxels());
        }
        m_voxelsRead += region.extent.voxels();
        std::byte* to = out.data();
        for (std::int64_t z = region.origin.z; z < region.end().z; ++z)
            for (std::int64_t y = region.origin.y; y < region.end().y; ++y)
                for (std::int64_t x = region.origin.x; x < region.end().x; ++x, to += sizeof(T)) {
                    const T value = m_sample(z, y, x);
                    std::memcpy(to, &value, sizeof value);
                }
    }

private:
    static VolumeInfo makeInfo(const Extent& extent, DType dtype, const Extent& chunk)
    {
        VolumeInfo info;
        info.name = "synthetic";
        info.dtype = dtype;
        info.extent = extent;
        info.shape = {extent.z, extent.y, extent.x};
        info.chunk = chunk.isEmpty() ? Extent{1, extent.y, extent.x} : chunk;
        return info;
    }

    Sample m_sample;
    mutable std::mutex m_mutex;
    mutable std::map<std::int64_t, std::int64_t> m_reads;
    mutable std::atomic<std::int64_t> m_voxelsRead{0};
    mutable std::atomic<std::int64_t> m_largestRead{0};
};

/// A gate that reads wait at; open at first.
class Gate {
public:
    void close() { set(false); }
    void open() { set(true); }
    void pass()
    {
        std::unique_lock lock(m_mutex);
        ++m_waiting;
        m_changed.wait(lock, [this] { return m_open; });
        --m_waiting;
    }
    int waiting() const
    {
        const std::lock_guard lock(m_mutex);
        return m_waiting;
    }

private:
    void set(bool open)
    {
        const std::lock_guard lock(m_mutex);
        m_open = open;
        m_changed.notify_all();
    }
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_open = true;
    int m_waiting = 0;
};

/// Opens a gate when a test ends, however it ends: no worker is left waiting.
class GateOpener {
public:
    explicit GateOpener(Gate& gate) : m_gate(gate) {}
    ~GateOpener() { m_gate.open(); }
    GateOpener(const GateOpener&) = delete;
    GateOpener& operator=(const GateOpener&) = delete;

private:
    Gate& m_gate;
};

} // namespace voxelscribe::test
