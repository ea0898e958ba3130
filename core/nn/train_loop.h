#pragma once

#include "core/base/progress.h"
#include "core/nn/loss.h"
#include "core/nn/network.h"
#include "core/nn/sampling_windows.h"
#include "core/nn/train_budget.h"
#include "core/nn/train_optimiser.h"
#include "core/nn/train_settings.h"
#include "core/nn/train_validation.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace voxelscribe::nn {

/// What a training looks at.
struct TrainingData {
    std::vector<Cell> cells;
    std::vector<ValidationCell> validation; ///< may be empty
    bool hasOpinions = false;
};

struct LoopResult {
    int epochs = 0;
    double loss = 0;                  ///< of the last epoch, mean
    std::optional<Scores> validation; ///< of the weights that were kept
    int keptEpoch = 0;                ///< whose weights they are
};

/// Trains `network` in place. When `run` returns it holds the best averaged weights, with batch norms that fit prediction.
class TrainLoop {
public:
    TrainLoop(Network& network, const TrainingData& data, const TrainParameters& parameters, std::uint64_t seed, TrainBudget& budget,
              Progress& progress);
    LoopResult run();

private:
    using State = std::map<std::string, at::Tensor>;

    void measureReserve();
    double learningRate() const;
    void runEpoch();
    bool isTimeUp() const;
    bool step();
    void rememberGood();
    void rewind();
    /// Averaged weights with fitting norms: the candidate for the best ones. The weights in training come back unless `final`.
    std::optional<Scores> check(bool final);
    void finishEpoch();
    void reportProgress() const;

    Network& m_network;
    const TrainingData& m_data;
    TrainParameters m_parameters;
    TrainBudget& m_budget;
    Progress& m_progress;
    WindowSampler m_sampler;
    Batch m_batch;
    LossSettings m_lossSettings;
    Optimiser m_optimiser;
    AveragedWeights m_average;
    LoopResult m_result;
    State m_best;
    double m_stepSeconds = 0;         ///< of late
    double m_checkSeconds = 0;
    double m_rateScale = 1;
    double m_nextCheck = 0.3;         ///< share of the budget
    double m_epochLoss = 0;
    int m_epochSteps = 0;
    int m_rewinds = 0;
    std::int64_t m_steps = 0;
    State m_goodState;
    State m_goodAverage;
};

} // namespace voxelscribe::nn
