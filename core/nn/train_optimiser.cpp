#include "core/nn/train_optimiser.h"

#include <ATen/ops/zeros_like.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>

namespace voxelscribe::nn {
namespace {

constexpr double kMeanDecay = 0.9;
constexpr double kSquareDecay = 0.999;
constexpr double kEpsilon = 1e-8;
constexpr double kMostNorm = 1;

} // namespace

Optimiser::Optimiser(std::vector<at::Tensor> parameters, double weightDecay) : m_parameters(std::move(parameters)), m_weightDecay(weightDecay)
{
    reset();
}

void Optimiser::reset()
{
    m_steps = 0;
    m_means.clear();
    m_squares.clear();
    for (const at::Tensor& parameter : m_parameters) {
        m_means.push_back(at::zeros_like(parameter.detach()));
        m_squares.push_back(at::zeros_like(parameter.detach()));
    }
}

bool Optimiser::step(double learningRate)
{
    const c10::NoGradGuard noGradients;
    double squares = 0;
    for (const at::Tensor& parameter : m_parameters)
        if (parameter.grad().defined())
            squares += parameter.grad().square().sum().item<double>();
    const bool finite = std::isfinite(squares);
    const double scale = std::min(1.0, kMostNorm / (std::sqrt(squares) + 1e-6));
    if (finite)
        ++m_steps;
    const double meanShare = 1 - std::pow(kMeanDecay, static_cast<double>(m_steps));
    const double squareShare = 1 - std::pow(kSquareDecay, static_cast<double>(m_steps));
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        at::Tensor parameter = m_parameters[i];
        if (finite && parameter.grad().defined()) {
            const at::Tensor gradient = parameter.grad().mul(scale);
            m_means[i].mul_(kMeanDecay).add_(gradient, 1 - kMeanDecay);
            m_squares[i].mul_(kSquareDecay).addcmul_(gradient, gradient, 1 - kSquareDecay);
            if (parameter.dim() > 1)
                parameter.mul_(1 - learningRate * m_weightDecay);
            parameter.addcdiv_(m_means[i], m_squares[i].div(squareShare).sqrt_().add_(kEpsilon), -learningRate / meanShare);
        }
        parameter.mutable_grad() = at::Tensor();
    }
    return finite;
}

AveragedWeights::AveragedWeights(const Network& network, double decay) : m_decay(decay)
{
    for (const NamedTensor& named : network.state())
        if (named.trained)
            m_averages[named.name] = named.tensor.detach().clone();
}

void AveragedWeights::update(const Network& network)
{
    const c10::NoGradGuard noGradients;
    ++m_updates;
    const auto updates = static_cast<double>(m_updates);
    const double decay = std::min(m_decay, updates / (updates + 9));
    for (const NamedTensor& named : network.state())
        if (named.trained)
            m_averages.at(named.name).mul_(decay).add_(named.tensor, 1 - decay);
}

std::map<std::string, at::Tensor> AveragedWeights::state(const Network& network) const
{
    auto state = network.copyState();
    for (const auto& [name, tensor] : m_averages)
        state[name] = tensor.clone();
    return state;
}

std::map<std::string, at::Tensor> AveragedWeights::copy() const
{
    std::map<std::string, at::Tensor> copy;
    for (const auto& [name, tensor] : m_averages)
        copy[name] = tensor.clone();
    return copy;
}

void AveragedWeights::restore(const std::map<std::string, at::Tensor>& averages)
{
    for (const auto& [name, tensor] : averages)
        m_averages.at(name).copy_(tensor);
}

} // namespace voxelscribe::nn
