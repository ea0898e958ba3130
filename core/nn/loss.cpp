#include "core/nn/loss.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/log_softmax.h>

namespace voxelscribe::nn {

at::Tensor sparseLoss(const at::Tensor& logits, const at::Tensor& labels, const at::Tensor& opinions, const LossSettings& settings)
{
    const at::Tensor strokes = at::cross_entropy_loss(logits, labels, settings.classWeights, at::Reduction::Mean, -1, settings.labelSmoothing);
    if (!opinions.defined() || settings.unlabelledWeight <= 0)
        return strokes;
    const auto pixels = static_cast<double>(labels.numel());
    const at::Tensor spread = at::log_softmax(logits, 1).mul(opinions).sum().mul(-settings.unlabelledWeight / pixels);
    return strokes.add(spread);
}

} // namespace voxelscribe::nn
