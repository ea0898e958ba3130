#pragma once

#include "core/nn/network.h"

#include <ATen/Context.h>
#include <ATen/ops/rand.h>

namespace voxelscribe::test {

/// A network with random weights whose batch norms have seen some batches, so that none of its parts is neutral.
inline std::unique_ptr<nn::Network> randomNetwork(const nn::NetworkSpec& spec, std::uint64_t seed = 5)
{
    auto network = nn::Network::create(spec, seed);
    at::manual_seed(seed);
    for (int i = 0; i < 3; ++i)
        network->forward(at::rand({2, spec.inputChannels, 40, 48}), nn::Mode::training);
    for (const nn::NamedTensor& named : network->state())
        if (named.trained && named.tensor.dim() == 1)
            named.tensor.detach().add_(at::rand(named.tensor.sizes()).sub(0.5F).mul(0.4F));
    const at::Tensor usual = network->forward(at::rand({1, spec.inputChannels, 64, 64}), nn::Mode::evaluation).detach().mean({0, 2, 3});
    for (const nn::NamedTensor& named : network->state()) // so that every class wins somewhere
        if (named.trained && (named.name.starts_with("final_convolution.b") || named.name == "Decode_0.6.bias"))
            named.tensor.detach().sub_(usual);
    return network;
}

inline ModelContract contractFor(int classes)
{
    ModelContract contract;
    contract.programVersion = "test";
    contract.dtype = "uint16";
    contract.normalisation = {Normalisation::Rule::volume, 0, 1000, 0.01, 0.99};
    for (int i = 0; i < classes; ++i) {
        const auto id = static_cast<std::uint16_t>(2 * i + 1); // with gaps
        contract.classes.push_back({id, "class " + std::to_string(id), defaultClassColour(id), true, false});
    }
    return contract;
}

} // namespace voxelscribe::test
