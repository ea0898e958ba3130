#pragma once

#include "app/engine/command.h"
#include "core/nn/backend.h"

namespace voxelscribe::engine {

/// The networks, opened and told how many threads to use. @throws Error(device) for a missing library or a device that it has not.
nn::Backend& networks(const CommonOptions& common);

} // namespace voxelscribe::engine
