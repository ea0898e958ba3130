#pragma once

#include <ATen/core/Tensor.h>

namespace voxelscribe::nn {

struct LossSettings {
    at::Tensor classWeights;          ///< one a class, float32
    double labelSmoothing = 0;
    double unlabelledWeight = 1;
};

/// Cross entropy of logits N×K×y×x: over labelled pixels (`labels` N×y×x, −1 ignored) weighted by class, plus, weighted, over the pixels
/// that have `opinions` N×K×y×x (probabilities; all 0: none), whose share of the window counts. Undefined opinions: labels alone.
at::Tensor sparseLoss(const at::Tensor& logits, const at::Tensor& labels, const at::Tensor& opinions, const LossSettings& settings);

} // namespace voxelscribe::nn
