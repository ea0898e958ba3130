#pragma once

#include "core/base/extent.h"
#include "core/base/progress.h"
#include "core/model/class_info.h"
#include "core/volume/volume.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace voxelscribe {

/// Frozen intensity rule of a model: v → clamp((v − low) / (high − low), 0, 1); NaN becomes 0.
/// Volume: `low` and `high` hold for every slice. Slice: they are each whole slice's own percentiles.
struct Normalisation {
    enum class Rule { volume, slice };
    Rule rule = Rule::volume;
    double low = 0;
    double high = 1;
    double lowFraction = 0.01;   ///< the percentiles that `low` and `high` are
    double highFraction = 0.99;
};

/// Everything that a model file promises, from its metadata. Needs no LibTorch: the window checks it too.
struct ModelContract {
    static constexpr int kFormatVersion = 1;

    int formatVersion = kFormatVersion;
    std::string programVersion;
    std::string network;                       ///< "msdnet" or "tunet"
    nlohmann::json hyperParameters = nlohmann::json::object();
    int inputChannels = 1;
    std::string axes = "yx";                   ///< one slice at a time
    std::string dtype;                         ///< of the image it was trained on, NumPy's name
    Normalisation normalisation;
    std::optional<VoxelSizeUm> voxelSizeUm;
    std::int64_t halo = 0;                     ///< exact, pixels each side
    std::int64_t alignment = 1;                ///< core tiles start at multiples of this
    std::vector<ClassInfo> classes;            ///< in the order of the network's outputs
    nlohmann::json training = nlohmann::json::object(); ///< provenance: image, labelled voxels, settings, seed, seconds, validation…

    nlohmann::json toJson() const;
    /// @throws Error(model) naming the missing or wrong field, or a newer format version.
    static ModelContract fromJson(const nlohmann::json& json, const std::string& where);
};

/// Reads the contract from a model file's header. @throws Error(io | model).
ModelContract readModelContract(const std::filesystem::path& path);

/// Throws Error(model) if a model cannot be used on an image (channels, axes), saying what it was made for.
void requireFits(const ModelContract& contract, const VolumeInfo& image);
/// What a person should know before using it here (other dtype, other voxel size…); empty if all is as in training.
std::vector<std::string> contractWarnings(const ModelContract& contract, const VolumeInfo& image);

} // namespace voxelscribe
