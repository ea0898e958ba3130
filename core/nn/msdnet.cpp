// MSDNet: Pelt & Sethian, PNAS 115 (2018) 254, in DLSIA's form: activation and batch norm act on the whole concatenation.

#include "core/base/error.h"
#include "core/nn/networks.h"

#include <ATen/Parallel.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/relu.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

namespace voxelscribe::nn {
namespace {

std::string layerName(std::size_t layer, std::size_t channel)
{
    return "layer_" + std::to_string(layer) + ".conv_" + std::to_string(channel);
}

std::string normName(std::size_t layer) { return "normalization_" + std::to_string(layer); }

struct Convolution {
    at::Tensor weight;
    at::Tensor bias;
    std::int64_t dilation = 1;
};

struct FrozenLayer {
    std::vector<Convolution> convolutions;
    std::vector<float> scale;         ///< of the batch norm over all channels so far; empty without one
    std::vector<float> shift;
};

at::Tensor dilated(const at::Tensor& input, const Convolution& convolution)
{
    return at::conv2d(input, convolution.weight, convolution.bias, 1, convolution.dilation, convolution.dilation);
}

/// All layers write into one array of all channels, so that nothing is concatenated by copying.
class FrozenMsdnet : public FrozenNetwork {
public:
    FrozenMsdnet(std::int64_t inputs, std::vector<FrozenLayer> layers, Convolution last)
        : m_inputs(inputs), m_layers(std::move(layers)), m_last(std::move(last))
    {
    }

    at::Tensor logits(const at::Tensor& input, const std::function<void()>& breathe) const override
    {
        const c10::InferenceMode inference;
        std::int64_t channels = m_inputs;
        for (const FrozenLayer& layer : m_layers)
            channels += static_cast<std::int64_t>(layer.convolutions.size());
        at::Tensor planes = at::empty({1, channels, input.size(2), input.size(3)}, at::kFloat);
        planes.narrow(1, 0, m_inputs).copy_(at::relu(input));
        std::int64_t filled = m_inputs;
        for (const FrozenLayer& layer : m_layers) {
            const std::int64_t before = filled;
            for (const Convolution& convolution : layer.convolutions) {
                breathe();
                planes.narrow(1, filled++, 1).copy_(dilated(planes.narrow(1, 0, before), convolution));
            }
            activate(planes, layer, before, filled);
        }
        breathe();
        return pointwise(planes, m_last.weight, m_last.bias);
    }

private:
    /// Activation, then batch norm, in one pass. Without a norm the earlier channels are not negative any more.
    static void activate(at::Tensor& planes, const FrozenLayer& layer, std::int64_t before, std::int64_t filled)
    {
        const std::int64_t pixels = planes.size(2) * planes.size(3);
        float* samples = planes.data_ptr<float>();
        const bool normed = !layer.scale.empty();
        at::parallel_for(normed ? 0 : before, filled, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t c = begin; c < end; ++c) {
                const float scale = normed ? layer.scale[static_cast<std::size_t>(c)] : 1.0F;
                const float shift = normed ? layer.shift[static_cast<std::size_t>(c)] : 0.0F;
                float* plane = samples + c * pixels;
                for (std::int64_t i = 0; i < pixels; ++i)
                    plane[i] = std::max(plane[i], 0.0F) * scale + shift;
            }
        });
    }

    std::int64_t m_inputs;
    std::vector<FrozenLayer> m_layers;
    Convolution m_last;
};

class Msdnet : public Network {
public:
    Msdnet(const NetworkSpec& spec, std::uint64_t seed) : Network(spec, seed)
    {
        m_spec.hyperParameters = completedParameters(spec.hyperParameters,
            {{"num_layers", 20}, {"layer_width", 1}, {"max_dilation", 10}, {"dilations", nlohmann::json::array()}, {"normalization", "batch"}},
            "msdnet");
        m_batchNorm = usesBatchNorm(m_spec.hyperParameters);
        setDilations();
        std::int64_t channels = m_spec.inputChannels;
        for (std::size_t i = 0; i < m_dilations.size(); ++i) {
            const std::int64_t before = channels;
            for (std::size_t j = 0; j < m_dilations[i].size(); ++j, ++channels)
                addConvolution(layerName(i, j), {1, before, 3, 3}, 1);
            if (m_batchNorm)
                addBatchNorm(normName(i), channels);
        }
        addConvolution("final_convolution", {m_spec.classes, channels, 1, 1}, m_spec.classes);
        m_channels = channels;
    }

    std::int64_t halo() const override
    {
        std::int64_t halo = 0;
        for (const auto& layer : m_dilations)
            halo += *std::max_element(layer.begin(), layer.end());
        return halo;
    }

    std::int64_t alignment() const override { return 1; }

    std::int64_t bytesPerPixel() const override
    {
        // All channels, once more as oneDNN reorders them for a convolution, and the logits.
        return 4 * (m_channels + (m_channels + 15) / 16 * 16 + 16 + 2 * m_spec.classes);
    }

    std::unique_ptr<FrozenNetwork> freeze() const override
    {
        const c10::NoGradGuard noGradients;
        std::vector<FrozenLayer> layers;
        for (std::size_t i = 0; i < m_dilations.size(); ++i) {
            FrozenLayer layer;
            for (std::size_t j = 0; j < m_dilations[i].size(); ++j)
                layer.convolutions.push_back(frozen(layerName(i, j), m_dilations[i][j]));
            if (m_batchNorm) {
                const auto [scale, shift] = foldedBatchNorm(normName(i));
                layer.scale.assign(scale.data_ptr<float>(), scale.data_ptr<float>() + scale.numel());
                layer.shift.assign(shift.data_ptr<float>(), shift.data_ptr<float>() + shift.numel());
            }
            layers.push_back(std::move(layer));
        }
        return std::make_unique<FrozenMsdnet>(m_spec.inputChannels, std::move(layers), frozen("final_convolution", 1));
    }

private:
    at::Tensor run(const at::Tensor& input, Mode mode) override
    {
        at::Tensor x = at::relu(input); // DLSIA registers its activation before layer 0 as well
        for (std::size_t i = 0; i < m_dilations.size(); ++i) {
            std::vector<at::Tensor> parts{x};
            for (std::size_t j = 0; j < m_dilations[i].size(); ++j)
                parts.push_back(dilated(x, {tensor(layerName(i, j) + ".weight"), tensor(layerName(i, j) + ".bias"), m_dilations[i][j]}));
            x = at::relu(at::cat(parts, 1));
            if (m_batchNorm)
                x = batchNorm(x, normName(i), mode);
        }
        return pointwise(x, tensor("final_convolution.weight"), tensor("final_convolution.bias"));
    }

    Convolution frozen(const std::string& name, std::int64_t dilation) const
    {
        return {tensor(name + ".weight").detach().clone(), tensor(name + ".bias").detach().clone(), dilation};
    }

    void setDilations()
    {
        const auto& parameters = m_spec.hyperParameters;
        const auto layers = static_cast<std::size_t>(integerParameter(parameters, "num_layers", 1, 1000));
        const auto width = static_cast<std::size_t>(integerParameter(parameters, "layer_width", 1, 100));
        const auto most = static_cast<std::size_t>(integerParameter(parameters, "max_dilation", 1, 100));
        std::vector<std::int64_t> custom;
        for (const auto& dilation : parameters.at("dilations")) {
            if (!dilation.is_number_integer() || dilation < 1 || dilation > 100)
                throw Error(ErrorCode::model, "msdnet: dilations must be whole numbers from 1 to 100, not " + dilation.dump());
            custom.push_back(dilation.get<std::int64_t>());
        }
        m_dilations.assign(layers, std::vector<std::int64_t>(width));
        for (std::size_t i = 0; i < layers; ++i)
            for (std::size_t j = 0; j < width; ++j)
                m_dilations[i][j] = custom.empty() ? static_cast<std::int64_t>((i * width + j) % most) + 1 : custom[(i * width + j) % custom.size()];
    }

    std::vector<std::vector<std::int64_t>> m_dilations; ///< a layer, a channel
    std::int64_t m_channels = 0;
    bool m_batchNorm = true;
};

} // namespace

std::unique_ptr<Network> makeMsdnet(const NetworkSpec& spec, std::uint64_t seed)
{
    return std::make_unique<Msdnet>(spec, seed);
}

} // namespace voxelscribe::nn
