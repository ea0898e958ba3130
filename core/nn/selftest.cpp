#include "core/nn/selftest.h"

#include "core/base/error.h"
#include "core/nn/network.h"
#include "core/nn/predict.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/ops/rand.h>
#include <cstdio>

namespace voxelscribe::nn {
namespace {

/// Blocks may choose other algorithms than the whole slice; both round in float32.
constexpr double kTolerance = 1e-5;

/// Largest difference of logits between blocks and the whole slice, relative to the largest logit.
double blockDifference(Network& network, const at::Tensor& slice)
{
    const std::int64_t height = slice.size(2);
    const std::int64_t width = slice.size(3);
    const at::Tensor whole = network.forward(slice, Mode::evaluation).detach();
    const auto frozen = network.freeze();
    const BlockPlan plan{64, network.halo()};
    double worst = 0;
    for (const Block& block : blocksOf({0, 0, height, width}, height, width, plan)) {
        const at::Tensor input = slice.narrow(2, block.input.y, block.input.height).narrow(3, block.input.x, block.input.width).contiguous();
        const at::Tensor part = frozen->logits(input, [] {})
                                    .narrow(2, block.core.y - block.input.y, block.core.height)
                                    .narrow(3, block.core.x - block.input.x, block.core.width);
        const at::Tensor expected = whole.narrow(2, block.core.y, block.core.height).narrow(3, block.core.x, block.core.width);
        worst = std::max(worst, part.sub(expected).abs().max().item<double>());
    }
    return worst / whole.abs().max().item<double>();
}

std::string checkBlocks(Network& network)
{
    const double difference = blockDifference(network, at::rand({1, 1, 199, 151}));
    char figure[32];
    std::snprintf(figure, sizeof figure, "%.1e", difference);
    const std::string line = network.spec().network + ": blocks equal the whole slice to " + figure;
    if (!(difference < kTolerance))
        throw Error(ErrorCode::device, "self-test failed: " + line + ", expected below 1e-5");
    return line;
}

std::string checkGradients(Network& network)
{
    network.forward(at::rand({2, 1, 48, 40}), Mode::training).square().mean().backward();
    std::int64_t reached = 0;
    for (const NamedTensor& named : network.state()) {
        if (!named.trained)
            continue;
        if (!named.tensor.grad().defined() || !named.tensor.grad().isfinite().all().item<bool>())
            throw Error(ErrorCode::device, "self-test failed: no finite gradient reaches " + named.name + " of " + network.spec().network);
        reached += named.tensor.numel();
    }
    return network.spec().network + ": finite gradients reach all " + std::to_string(reached) + " weights";
}

} // namespace

std::vector<std::string> runSelfTest(Progress& progress)
{
    std::vector<std::string> lines{"LibTorch with " + std::to_string(at::get_num_threads()) + " threads, oneDNN "
                                   + (at::hasMKLDNN() ? "on" : "off")};
    std::int64_t done = 0;
    for (const char* name : {"msdnet", "tunet"}) {
        progress.update("selftest", done++, 2);
        const auto network = Network::create({name, nlohmann::json::object(), 1, 3}, 1);
        lines.push_back(checkBlocks(*network));
        lines.push_back(checkGradients(*network));
    }
    progress.update("selftest", done, 2);
    return lines;
}

} // namespace voxelscribe::nn
