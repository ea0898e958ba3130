#pragma once

#include "core/nn/backend.h"

namespace voxelscribe::nn {

/// Changes whenever backend.h or a type in it changes, so that a program never calls a library of another build.
constexpr int kBackendVersion = 1;
constexpr const char* kBackendEntry = "voxelscribeOpenBackend";

} // namespace voxelscribe::nn

/// The one function that libvoxelscribe-nn shows: its backend, or nullptr if it is of another version.
extern "C" [[gnu::visibility("default")]] voxelscribe::nn::Backend* voxelscribeOpenBackend(int version);
