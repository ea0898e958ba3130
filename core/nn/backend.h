#pragma once

#include "core/base/progress.h"
#include "core/model/model_contract.h"
#include "core/volume/volume.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace voxelscribe::nn {

/// What a training run is asked for. Without `seconds` and `epochs` a default budget holds.
struct TrainSettings {
    std::string network;                              ///< "msdnet", "tunet"; empty: the default
    nlohmann::json hyperParameters = nlohmann::json::object(); ///< of network and training, as `--set key=value`
    std::optional<double> seconds;                    ///< wall time for everything up to the written file
    std::optional<int> epochs;
    std::uint64_t seed = 1;
    std::filesystem::path initialModel;               ///< warm start; empty: from scratch
    std::vector<ClassInfo> classes;                   ///< names and colours where they are known
    nlohmann::json provenance = nlohmann::json::object(); ///< goes into the contract's `training`
    std::int64_t memoryBudgetBytes = 0;               ///< 0: what the machine has
};

struct TrainResult {
    std::string network;
    double seconds = 0;
    int epochs = 0;
    std::int64_t parameters = 0;
    double loss = 0;
    nlohmann::json validation;                        ///< figures, or a "note" that says why there are none
    std::int64_t labelledVoxels = 0;
};

struct PredictSettings {
    std::vector<std::int64_t> slices;                 ///< in the order they shall be computed
    std::int64_t tile = 0;                            ///< edge of the groups of blocks, pixels; 0: chosen
    bool confidence = false;
    bool probabilities = false;
    std::int64_t memoryBudgetBytes = 0;
};

/// One finished slice. The spans hold only during the call.
struct SliceResult {
    std::int64_t z = 0;
    std::span<const std::uint8_t> classIndex;         ///< y·x, index into the contract's classes
    std::span<const std::uint8_t> confidence;         ///< y·x, 255 = certain; empty unless asked for
    std::span<const float> probabilities;             ///< classes·y·x; empty unless asked for
};

/// Takes finished slices; called from one thread at a time.
class SliceSink {
public:
    virtual ~SliceSink() = default;
    virtual void take(const SliceResult& result) = 0;
};

/// The part of the program that needs LibTorch, opened on demand from a shared library.
class Backend {
public:
    virtual ~Backend() = default;
    /// OpenMP and LibTorch threads; once, before any work.
    virtual void setThreads(int count) = 0;
    /// Trains on the labelled voxels of `annotations` (integers, 0 = unlabelled, of the image's extent) and writes `model`.
    /// Emits the event "epoch" {epoch, loss, validationLoss?, validationIoU?, seconds}.
    virtual TrainResult train(const Volume& image, const Volume& annotations, const std::filesystem::path& model,
                              const TrainSettings& settings, Progress& progress) = 0;
    /// Segments slices with exact halos. @throws Error(model | shape | memory | cancelled).
    virtual void predict(const Volume& image, const std::filesystem::path& model, const PredictSettings& settings,
                         SliceSink& sink, Progress& progress) = 0;
    /// Checks on this machine that tiles equal whole slices and that gradients flow; one line a check. @throws Error at a failure.
    virtual std::vector<std::string> selfTest(Progress& progress) = 0;
};

/// Opens libvoxelscribe-nn beside the program. @throws Error(device) naming the file and the loader's reason.
Backend& loadBackend();

} // namespace voxelscribe::nn
