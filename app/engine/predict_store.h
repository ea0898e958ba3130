#pragma once

#include "app/engine/run_identity.h"
#include "core/io/writer.h"
#include "core/io/zarr_array.h"
#include "core/nn/backend.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace voxelscribe::engine {

/// What a run writes.
struct StorePlan {
    std::string mask;                     ///< path as the user gave it; its name says the format
    std::string confidence;               ///< empty: none
    std::string probabilities;            ///< empty: none; HDF5 or Zarr
    Extent extent;
    std::optional<VoxelSizeUm> voxelSizeUm;
    std::vector<ClassInfo> classes;       ///< in the order of the network's outputs
    std::vector<std::int64_t> slices;     ///< those that the run is about, in the order to compute them
    bool resume = false;
    bool overwrite = false;
};

/// The results of a run while it goes on: Zarr folders with a chunk a slice, so that a killed run is resumed at the first missing one.
/// A Zarr output is its own store, under its final name, `complete: false` until the end. Beside any other output X lies X.work.zarr,
/// from which X is written at the end.
class PredictStore : public nn::SliceSink {
public:
    /// Touches nothing. @throws Error(io | format) for an output that could not be written at the end.
    PredictStore(StorePlan plan, const RunIdentity& identity, Progress& progress);

    /// Makes the stores or, to resume, opens them. @throws Error(io) where something exists already or belongs to another run (naming the difference).
    void open();
    /// The slices of the plan that are not there yet, in its order.
    std::vector<std::int64_t> missing() const;
    /// Stores a slice, the mask's chunk last, and tells the event "chunk" {output, slice, done, total}.
    void take(const nn::SliceResult& result) override;
    std::int64_t computed() const { return m_computed; }
    /// Slices of the plan that were there when the stores were opened.
    std::int64_t reused() const { return m_reused; }
    /// Puts the outputs in place. @throws Error(io); the stores then stay for --resume.
    void finish();
    /// Removes stores that this run made and put nothing into.
    void abandon() noexcept;

private:
    struct Output {
        std::string path;
        io::OutputFormat format = io::OutputFormat::zarr;
        std::filesystem::path store;
        io::WriteSpec spec;
        std::optional<io::ZarrArray> array;
        bool made = false;                ///< by this run
        bool isStore() const { return format == io::OutputFormat::zarr; }
    };

    void add(const std::string& path, io::WriteSpec spec);
    void requireAbsent(const Output& output) const;
    void requireSameRun(const Output& output) const;
    bool isFinished(const Output& output) const;
    void make(Output& output);
    void requireSpace() const;
    void place(Output& output);
    void writeMask(const nn::SliceResult& result);

    StorePlan m_plan;
    const RunIdentity& m_identity;
    Progress& m_progress;
    std::vector<Output> m_outputs;        ///< the mask first
    std::int64_t m_reused = 0;
    std::int64_t m_computed = 0;
    bool m_finishedBefore = false;
};

} // namespace voxelscribe::engine
