#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace voxelscribe::nn {

/// How a network is trained; every member can be set with `--set key=value`. The names of the keys stand behind the members.
struct TrainParameters {
    double learningRate = 3e-3;       ///< learning_rate, 1e-6…1
    double weightDecay = 1e-4;        ///< weight_decay, 0…1
    int batch = 8;                    ///< batch, windows a step, 1…256
    int window = 96;                  ///< window, edge in pixels, 16…1024; never wider than the image
    double augmentation = 1;          ///< augmentation, strength of grey-value changes, 0…5; 0: only flips and rotations
    double labelSmoothing = 0.02;     ///< label_smoothing, 0…0.5
    double averaging = 0.99;          ///< averaging, decay of the running average of the weights, 0…0.9999
    double unlabelledWeight = 4;      ///< unlabelled_weight, of unlabelled pixels with a forest's opinion against strokes, 0…10; 0: strokes alone
    int trees = 60;                   ///< trees of that forest, 1…1000
    int stepsPerEpoch = 10;           ///< steps_per_epoch, 1…10000
};

/// `--set` values taken apart: what the network is built from, and how it is trained.
struct SplitParameters {
    nlohmann::json network = nlohmann::json::object();
    TrainParameters training;
};

/// Keys of `networkDefaults` go to the network, the others must be training parameters.
/// @throws Error(model) for an unknown key, listing the known ones, and for a value of another kind or out of range.
SplitParameters splitParameters(const nlohmann::json& given, const nlohmann::json& networkDefaults, const std::string& network);
/// All of them under their keys, for the model's provenance.
nlohmann::json toJson(const TrainParameters& parameters);

} // namespace voxelscribe::nn
