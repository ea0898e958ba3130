#pragma once

#include "core/nn/backend.h"
#include "core/nn/network.h"
#include "core/nn/train_settings.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace voxelscribe::nn {

/// The network that a training begins with, and how it is trained.
struct StartingPoint {
    std::unique_ptr<Network> network;
    TrainParameters parameters;
    std::string notice;               ///< what a person should know; may be empty
};

/// A fresh network, or that of `settings.initialModel`: with other classes its last layer is made anew.
/// @throws Error(model) for an unknown network or setting, or where the settings contradict the initial model.
StartingPoint startingPoint(const TrainSettings& settings, const std::vector<std::uint16_t>& classIds);

} // namespace voxelscribe::nn
