#pragma once

#include "core/nn/network.h"

namespace voxelscribe::nn {

std::unique_ptr<Network> makeMsdnet(const NetworkSpec& spec, std::uint64_t seed);
std::unique_ptr<Network> makeTunet(const NetworkSpec& spec, std::uint64_t seed);

/// A convolution 1×1. With one thread LibTorch itself would take BLAS for it, which on a plain Debian is several times slower.
at::Tensor pointwise(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias);

/// `given` over `defaults`. @throws Error(model) for a key that has no default or a value of another kind.
nlohmann::json completedParameters(const nlohmann::json& given, const nlohmann::json& defaults, const std::string& network);
/// An integer hyper-parameter inside a range. @throws Error(model).
std::int64_t integerParameter(const nlohmann::json& parameters, const char* key, std::int64_t least, std::int64_t most);
/// True for normalization "batch", false for "none". @throws Error(model).
bool usesBatchNorm(const nlohmann::json& parameters);

} // namespace voxelscribe::nn
