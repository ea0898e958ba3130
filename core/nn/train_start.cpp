#include "core/nn/train_start.h"

#include "core/base/error.h"
#include "core/model/safetensors.h"

#include <algorithm>

namespace voxelscribe::nn {
namespace {

using nlohmann::json;

constexpr const char* kDefaultNetwork = "tunet";

/// A smaller rate than from scratch: what was learnt before shall not be shaken off in the first steps.
constexpr double kWarmStartRate = 0.3;

json networkDefaults(const std::string& network)
{
    return Network::create({network, json::object(), 1, 2}, 0)->spec().hyperParameters;
}

void requireAgreement(const ModelContract& initial, const TrainSettings& settings, const json& wanted)
{
    const std::string where = settings.initialModel.string();
    if (!settings.network.empty() && settings.network != initial.network)
        throw Error(ErrorCode::model, where + " is a " + initial.network + ", asked for is a " + settings.network
                                          + "; train from scratch, or leave the network to the initial model");
    if (initial.inputChannels != 1)
        throw Error(ErrorCode::model, where + " expects " + std::to_string(initial.inputChannels) + " channels, an image stack has 1; choose another model, or train from scratch");
    for (const auto& [key, value] : wanted.items())
        if (!initial.hyperParameters.contains(key) || initial.hyperParameters.at(key) != value)
            throw Error(ErrorCode::model, where + " has " + key + " = " + initial.hyperParameters.value(key, json()).dump() + ", asked for is "
                                              + value.dump() + "; train from scratch, or leave this setting to the initial model");
}

std::vector<std::uint16_t> idsOf(const ModelContract& contract)
{
    std::vector<std::uint16_t> ids;
    for (const ClassInfo& info : contract.classes)
        ids.push_back(info.id);
    return ids;
}

/// A fresh network for other classes with the weights of `initial` wherever the shapes agree: all but the last layer.
std::unique_ptr<Network> withNewOutputs(const Network& initial, int classes, std::uint64_t seed)
{
    NetworkSpec spec = initial.spec();
    spec.classes = classes;
    auto network = Network::create(spec, seed);
    auto state = network->copyState();
    for (const auto& [name, tensor] : initial.copyState())
        if (state.at(name).sizes() == tensor.sizes())
            state[name] = tensor;
    network->restoreState(state);
    return network;
}

} // namespace

StartingPoint startingPoint(const TrainSettings& settings, const std::vector<std::uint16_t>& classIds)
{
    const auto classes = static_cast<int>(classIds.size());
    StartingPoint start;
    if (settings.initialModel.empty()) {
        const std::string name = settings.network.empty() ? kDefaultNetwork : settings.network;
        const SplitParameters split = splitParameters(settings.hyperParameters, networkDefaults(name), name);
        start.parameters = split.training;
        start.network = Network::create({name, split.network, 1, classes}, settings.seed);
        return start;
    }
    const ModelContract initial = readModelContract(settings.initialModel);
    const SplitParameters split = splitParameters(settings.hyperParameters, networkDefaults(initial.network), initial.network);
    requireAgreement(initial, settings, split.network);
    start.parameters = split.training;
    if (!settings.hyperParameters.contains("learning_rate"))
        start.parameters.learningRate *= kWarmStartRate;
    start.network = Network::load(settings.initialModel);
    if (idsOf(initial) != classIds) {
        start.network = withNewOutputs(*start.network, classes, settings.seed);
        start.notice = settings.initialModel.filename().string() + " knows other classes than the annotations; its last layer is learnt anew";
    }
    return start;
}

} // namespace voxelscribe::nn
