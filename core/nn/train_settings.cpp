#include "core/nn/train_settings.h"

#include "core/base/error.h"

#include <array>
#include <cmath>
#include <variant>

namespace voxelscribe::nn {
namespace {

using nlohmann::json;

/// One key: where its value goes and what it may be.
struct Key {
    const char* name;
    std::variant<double TrainParameters::*, int TrainParameters::*> member;
    double least;
    double most;
};

const std::array kKeys{
    Key{"learning_rate", &TrainParameters::learningRate, 1e-6, 1},
    Key{"weight_decay", &TrainParameters::weightDecay, 0, 1},
    Key{"batch", &TrainParameters::batch, 1, 256},
    Key{"window", &TrainParameters::window, 16, 1024},
    Key{"augmentation", &TrainParameters::augmentation, 0, 5},
    Key{"label_smoothing", &TrainParameters::labelSmoothing, 0, 0.5},
    Key{"averaging", &TrainParameters::averaging, 0, 0.9999},
    Key{"unlabelled_weight", &TrainParameters::unlabelledWeight, 0, 10},
    Key{"trees", &TrainParameters::trees, 1, 1000},
    Key{"steps_per_epoch", &TrainParameters::stepsPerEpoch, 1, 10000},
};

void assign(TrainParameters& parameters, const Key& key, const json& value)
{
    const bool whole = std::holds_alternative<int TrainParameters::*>(key.member);
    const double number = value.is_number() ? value.get<double>() : std::nan("");
    if (!(number >= key.least && number <= key.most) || (whole && number != std::floor(number)))
        throw Error(ErrorCode::model, std::string("the setting ") + key.name + " must be a " + (whole ? "whole " : "") + "number from "
                                          + json(key.least).dump() + " to " + json(key.most).dump() + ", not " + value.dump());
    if (whole)
        parameters.*std::get<int TrainParameters::*>(key.member) = static_cast<int>(number);
    else
        parameters.*std::get<double TrainParameters::*>(key.member) = number;
}

[[noreturn]] void refuse(const std::string& name, const json& networkDefaults, const std::string& network)
{
    std::string known;
    for (const auto& item : networkDefaults.items())
        known += item.key() + ", ";
    for (const Key& key : kKeys)
        known += std::string(key.name) + (&key == &kKeys.back() ? "" : ", ");
    throw Error(ErrorCode::model, "there is no setting \"" + name + "\" for training a " + network + "; there are " + known);
}

} // namespace

SplitParameters splitParameters(const json& given, const json& networkDefaults, const std::string& network)
{
    SplitParameters split;
    for (const auto& [name, value] : given.items()) {
        if (networkDefaults.contains(name)) {
            split.network[name] = value;
            continue;
        }
        const Key* found = nullptr;
        for (const Key& key : kKeys)
            if (name == key.name)
                found = &key;
        if (found == nullptr)
            refuse(name, networkDefaults, network);
        assign(split.training, *found, value);
    }
    return split;
}

json toJson(const TrainParameters& parameters)
{
    json all = json::object();
    for (const Key& key : kKeys)
        std::visit([&](auto member) { all[key.name] = parameters.*member; }, key.member);
    return all;
}

} // namespace voxelscribe::nn
