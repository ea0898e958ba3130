#pragma once

#include "core/model/model_contract.h"
#include "widgets/panels/model_card.h"

#include <QString>
#include <filesystem>

namespace voxelscribe::window {

/// A model file as the window shows it, checked against the open image (null: unchecked).
struct LoadedModel {
    std::filesystem::path path;
    ModelContract contract;
    panels::ModelInfo info;
};

/// Reads the contract alone, without LibTorch. @throws Error if it cannot be used on `image`.
LoadedModel readModel(const std::filesystem::path& path, const VolumeInfo* image);

/// "IoU 0.82" or so, from a validation object of the engine; empty if it has no figure.
QString validationWords(const nlohmann::json& validation);
/// Why there is no validation, or what it rests on.
QString validationNote(const nlohmann::json& validation);

} // namespace voxelscribe::window
