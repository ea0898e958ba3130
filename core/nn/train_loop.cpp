#include "core/nn/train_loop.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/ones.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace voxelscribe::nn {
namespace {

constexpr int kMostRewinds = 5;
constexpr double kWarmUpSteps = 20;
constexpr std::int64_t kFewSteps = 50;

/// Weights a class for pixels that are drawn evenly by class already: rare ones a little more, since windows hold their neighbours too.
at::Tensor classWeights(const std::vector<std::int64_t>& labelled)
{
    double sum = 0;
    double present = 0;
    for (const std::int64_t count : labelled) {
        sum += static_cast<double>(count);
        present += count > 0 ? 1 : 0;
    }
    at::Tensor weights = at::ones({std::ssize(labelled)}, at::kFloat);
    for (std::size_t k = 0; k < labelled.size(); ++k)
        if (labelled[k] > 0)
            weights.data_ptr<float>()[k] = static_cast<float>(std::sqrt(sum / present / static_cast<double>(labelled[k])));
    return weights;
}

WindowSettings windowSettings(const Network& network, const TrainParameters& parameters, std::uint64_t seed)
{
    return {network.spec().classes, parameters.window, network.alignment(), parameters.augmentation, seed};
}

} // namespace

TrainLoop::TrainLoop(Network& network, const TrainingData& data, const TrainParameters& parameters, std::uint64_t seed, TrainBudget& budget,
                     Progress& progress)
    : m_network(network), m_data(data), m_parameters(parameters), m_budget(budget), m_progress(progress),
      m_sampler(data.cells, windowSettings(network, parameters, seed)), m_optimiser(network.parameters(), parameters.weightDecay),
      m_average(network, parameters.averaging)
{
    m_lossSettings = {classWeights(m_sampler.labelled()), parameters.labelSmoothing, parameters.unlabelledWeight};
}

LoopResult TrainLoop::run()
{
    measureReserve();
    rememberGood();
    do
        runEpoch();
    while (!m_budget.isSpent(m_result.epochs, m_stepSeconds));
    if (m_budget.isTimed() && m_steps < kFewSteps)
        m_progress.event("notice", {{"text", "only " + counted(m_steps, "step", "steps") + " of training were possible in this time; results "
                                             "will be poor: allow more seconds, or choose a smaller network"}});
    check(true);
    if (!m_best.empty())
        m_network.restoreState(m_best);
    else
        m_result.keptEpoch = m_result.epochs;
    return m_result;
}

void TrainLoop::measureReserve()
{
    // The untrained network costs as much to check as the trained one; a timed run keeps that much, and a margin, for its end.
    const double before = m_budget.elapsed();
    const State own = m_network.copyState();
    recalibrate(m_network, m_data.cells, m_progress);
    if (!m_data.validation.empty())
        validate(m_network, m_data.validation, m_progress);
    m_network.restoreState(own);
    m_checkSeconds = m_budget.elapsed() - before;
    m_budget.startLoop(1.2 * m_checkSeconds + 0.3);
}

double TrainLoop::learningRate() const
{
    const double done = m_result.epochs + static_cast<double>(m_epochSteps) / m_parameters.stepsPerEpoch;
    const double warm = std::min(1.0, static_cast<double>(m_steps + 1) / kWarmUpSteps);
    const double cosine = 0.5 + 0.5 * std::cos(std::numbers::pi * m_budget.share(done));
    return m_parameters.learningRate * m_rateScale * warm * std::max(0.02, cosine);
}

void TrainLoop::runEpoch()
{
    m_epochLoss = 0;
    m_epochSteps = 0;
    while (m_epochSteps < m_parameters.stepsPerEpoch) {
        if (m_epochSteps > 0 && isTimeUp())
            break;
        const double before = m_budget.elapsed();
        if (step()) {
            ++m_epochSteps;
            ++m_steps;
        } else
            rewind();
        const double took = m_budget.elapsed() - before;
        m_stepSeconds = m_stepSeconds == 0 ? took : 0.8 * m_stepSeconds + 0.2 * took;
        reportProgress();
    }
    finishEpoch();
}

bool TrainLoop::isTimeUp() const
{
    // The first epoch may be late: a model of a few steps is better than one of none.
    return m_result.epochs == 0 ? m_budget.isOverdrawn() : m_budget.isSpent(m_result.epochs, m_stepSeconds);
}

bool TrainLoop::step()
{
    m_sampler.draw(m_parameters.batch, m_batch);
    const Batch& b = m_batch;
    const at::Tensor image = at::from_blob(m_batch.image.data(), {b.count, 1, b.height, b.width}, at::kFloat);
    const at::Tensor labels = at::from_blob(m_batch.labels.data(), {b.count, b.height, b.width}, at::kLong);
    const at::Tensor opinions = m_data.hasOpinions
        ? at::from_blob(m_batch.opinions.data(), {b.count, m_network.spec().classes, b.height, b.width}, at::kFloat) : at::Tensor();
    const at::Tensor logits = m_network.forward(image, Mode::training);
    m_progress.throwIfCancelled();
    const at::Tensor loss = sparseLoss(logits, labels, opinions, m_lossSettings);
    const double value = loss.item<double>();
    if (!std::isfinite(value))
        return false;
    loss.backward();
    m_progress.throwIfCancelled();
    if (!m_optimiser.step(learningRate()))
        return false;
    m_average.update(m_network);
    m_epochLoss += value;
    return true;
}

void TrainLoop::rememberGood()
{
    m_goodState = m_network.copyState();
    m_goodAverage = m_average.copy();
}

void TrainLoop::rewind()
{
    if (++m_rewinds > kMostRewinds)
        throw Error(ErrorCode::model, "the loss is not a finite number any more, even at a learning rate of "
                                          + std::to_string(m_parameters.learningRate * m_rateScale)
                                          + "; choose a smaller learning_rate or another network");
    m_network.restoreState(m_goodState);
    m_average.restore(m_goodAverage);
    m_optimiser.reset();
    m_rateScale *= 0.3;
    m_progress.event("notice", {{"text", "the loss exploded in epoch " + std::to_string(m_result.epochs + 1)
                                             + "; training goes on from the epoch before with a smaller learning rate"}});
}

std::optional<Scores> TrainLoop::check(bool final)
{
    const State inTraining = final ? State() : m_network.copyState();
    m_network.restoreState(m_average.state(m_network));
    recalibrate(m_network, m_data.cells, m_progress);
    std::optional<Scores> scores;
    if (!m_data.validation.empty()) {
        scores = validate(m_network, m_data.validation, m_progress);
        // Later weights win a tie: few labelled pixels cannot tell a per cent.
        if (!m_result.validation || scores->loss <= 1.01 * m_result.validation->loss) {
            m_result.validation = scores;
            m_result.keptEpoch = m_result.epochs;
            m_best = m_network.copyState();
        }
    }
    if (!final)
        m_network.restoreState(inTraining);
    return scores;
}

void TrainLoop::finishEpoch()
{
    ++m_result.epochs;
    // As a mean over both parts, so that a curve does not depend on their weights.
    const double weight = 1 + (m_data.hasOpinions ? m_parameters.unlabelledWeight : 0);
    m_result.loss = m_epochSteps > 0 ? m_epochLoss / m_epochSteps / weight : 0;
    rememberGood();
    nlohmann::json data{{"epoch", m_result.epochs}, {"loss", m_result.loss}};
    const double share = m_budget.share(m_result.epochs);
    const bool hasTime = !m_budget.isTimed() || !m_budget.isSpent(m_result.epochs, 2 * m_checkSeconds);
    if (!m_data.validation.empty() && share >= m_nextCheck && share < 1 && hasTime) {
        m_nextCheck = share + 0.1;
        if (const auto scores = check(false)) {
            data["validationLoss"] = scores->loss;
            data["validationIoU"] = scores->meanIou;
        }
    }
    data["seconds"] = m_budget.elapsed();
    m_progress.event("epoch", data);
}

void TrainLoop::reportProgress() const
{
    if (m_budget.isTimed()) {
        const auto total = static_cast<std::int64_t>(std::lround(10 * m_budget.seconds()));
        m_progress.update("train", std::min(total, static_cast<std::int64_t>(10 * m_budget.elapsed())), total);
    } else
        m_progress.update("train", std::min(m_result.epochs, m_budget.epochs()), m_budget.epochs());
}

} // namespace voxelscribe::nn
