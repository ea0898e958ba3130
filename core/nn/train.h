#pragma once

#include "core/nn/backend.h"

namespace voxelscribe::nn {

/// Trains a network as `Backend::train` promises. @throws Error(model | shape | memory | io | cancelled).
TrainResult trainModel(const Volume& image, const Volume& annotations, const std::filesystem::path& model, const TrainSettings& settings,
                       Progress& progress);

} // namespace voxelscribe::nn
