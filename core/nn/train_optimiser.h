#pragma once

#include "core/nn/network.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace voxelscribe::nn {

/// AdamW (Loshchilov & Hutter 2019) with gradients clipped to a norm of 1; convolution weights decay, biases and norms do not.
class Optimiser {
public:
    Optimiser(std::vector<at::Tensor> parameters, double weightDecay);

    /// One step along the gradients, which are dropped. False, and nothing changed, if one of them is not finite.
    bool step(double learningRate);
    /// Forgets the moments.
    void reset();

private:
    std::vector<at::Tensor> m_parameters;
    std::vector<at::Tensor> m_means;
    std::vector<at::Tensor> m_squares;
    double m_weightDecay;
    std::int64_t m_steps = 0;
};

/// A running average of a network's weights, smoother than the weights of any step.
class AveragedWeights {
public:
    AveragedWeights(const Network& network, double decay);
    /// Takes in the present weights; the first steps count more.
    void update(const Network& network);
    /// A deep copy of the network's state with the averaged weights instead of the present ones.
    std::map<std::string, at::Tensor> state(const Network& network) const;

    std::map<std::string, at::Tensor> copy() const;
    void restore(const std::map<std::string, at::Tensor>& averages);

private:
    std::map<std::string, at::Tensor> m_averages;
    double m_decay;
    std::int64_t m_updates = 0;
};

} // namespace voxelscribe::nn
