// TUNet of DLSIA (Roberts et al., J. Appl. Cryst. 57 (2024) 392): a U-Net of tunable depth, width and growth. Its names, with their
// spaces, are kept, so that Python loads the same file.

#include "core/base/error.h"
#include "core/nn/networks.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/pixel_shuffle.h>
#include <ATen/ops/relu.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <cmath>

namespace voxelscribe::nn {
namespace {

struct Convolution {
    at::Tensor weight;
    at::Tensor bias;
};

std::string numbered(const char* prefix, std::int64_t i) { return prefix + std::to_string(i); }

/// The weights of a transposed convolution 2×2 of stride 2, in × out × 2 × 2, as those of a convolution 1×1 to 4·out channels.
at::Tensor asPointwise(const at::Tensor& weight)
{
    return weight.permute({1, 2, 3, 0}).reshape({4 * weight.size(1), weight.size(0), 1, 1});
}

/// The transposed convolution with weights from `asPointwise`, to exactly the extent of `like`: an odd row or column more is the
/// bias alone. LibTorch's own goes through BLAS, and through a slow one on a plain Debian.
at::Tensor stepUp(const at::Tensor& input, const Convolution& up, const at::Tensor& like)
{
    at::Tensor doubled = at::pixel_shuffle(pointwise(input, up.weight, {}), 2);
    const std::int64_t below = like.size(2) - doubled.size(2);
    const std::int64_t right = like.size(3) - doubled.size(3);
    if (below > 0 || right > 0)
        doubled = at::constant_pad_nd(doubled, {0, right, 0, below});
    return doubled.add_(up.bias.view({1, -1, 1, 1}));
}

at::Tensor stepDown(const at::Tensor& input) { return at::max_pool2d(input, 2); }

/// Two convolutions 3×3, each followed by an activation, and for the output a 1×1.
struct FrozenBlock {
    std::vector<Convolution> convolutions;

    at::Tensor apply(at::Tensor x, const std::function<void()>& breathe) const
    {
        for (const Convolution& convolution : convolutions) {
            breathe();
            if (convolution.weight.size(2) == 1)
                return pointwise(x, convolution.weight, convolution.bias);
            x = at::conv2d(x, convolution.weight, convolution.bias, 1, 1).relu_();
        }
        return x;
    }
};

class FrozenTunet : public FrozenNetwork {
public:
    std::vector<FrozenBlock> encoders; ///< the last one is the bottom
    std::vector<FrozenBlock> decoders;
    std::vector<Convolution> ups;

    at::Tensor logits(const at::Tensor& input, const std::function<void()>& breathe) const override
    {
        const c10::InferenceMode inference;
        const std::int64_t depth = std::ssize(encoders);
        at::Tensor x = paddedToAlignment(input, std::int64_t{1} << (depth - 1)).contiguous(at::MemoryFormat::ChannelsLast);
        std::vector<at::Tensor> skipped;
        for (std::size_t i = 0; i + 1 < encoders.size(); ++i) {
            skipped.push_back(encoders[i].apply(x, breathe));
            x = stepDown(skipped.back());
        }
        x = encoders.back().apply(x, breathe);
        for (std::size_t i = decoders.size(); i-- > 0;) {
            breathe();
            x = at::cat({skipped[i], stepUp(x, ups[i], skipped[i])}, 1);
            skipped[i].reset();
            x = decoders[i].apply(x, breathe);
        }
        return x.narrow(2, 0, input.size(2)).narrow(3, 0, input.size(3));
    }
};

class Tunet : public Network {
public:
    Tunet(const NetworkSpec& spec, std::uint64_t seed) : Network(spec, seed)
    {
        m_spec.hyperParameters = completedParameters(spec.hyperParameters,
            {{"depth", 4}, {"base_channels", 8}, {"growth_rate", 2}, {"hidden_rate", 1}, {"normalization", "batch"}}, "tunet");
        m_batchNorm = usesBatchNorm(m_spec.hyperParameters);
        m_depth = integerParameter(m_spec.hyperParameters, "depth", 2, 8);
        countChannels();
        for (std::int64_t i = 0; i + 1 < m_depth; ++i)
            addLevel(i);
        const auto& bottom = m_levels.back();
        addBlock(numbered("Final_layer_", m_depth - 1), bottom.in, bottom.middle, bottom.out);
    }

    std::int64_t halo() const override
    {
        // Distance that a pixel sees, followed down and up: two convolutions a block, pooling and its inverse widen to whole cells.
        std::int64_t distance = 0;
        for (std::int64_t i = 0; i + 1 < m_depth; ++i)
            distance = (distance + 2 + 1) / 2;
        distance += 2;
        for (std::int64_t i = 0; i + 1 < m_depth; ++i)
            distance = 2 * distance + 2;
        return (distance + alignment() - 1) / alignment() * alignment();
    }

    std::int64_t alignment() const override { return std::int64_t{1} << (m_depth - 1); }

    std::int64_t bytesPerPixel() const override
    {
        // The topmost decoder holds the encoder's output, the step up, both concatenated and a result; the levels below a third of that.
        const std::int64_t top = 2 * m_levels[0].out + (m_depth > 2 ? 2 * m_levels[0].out : m_levels[0].out + m_levels[1].in) + m_levels[0].middle;
        return 4 * (top + top / 3 + 16 + 2 * m_spec.classes);
    }

    std::unique_ptr<FrozenNetwork> freeze() const override
    {
        const c10::NoGradGuard noGradients;
        auto frozen = std::make_unique<FrozenTunet>();
        for (std::int64_t i = 0; i + 1 < m_depth; ++i) {
            frozen->encoders.push_back(frozenBlock(numbered("Encode_", i)));
            frozen->decoders.push_back(frozenBlock(numbered("Decode_", i)));
            frozen->ups.push_back({copied(asPointwise(tensor(numbered("Step Up ", i) + ".weight"))), copied(tensor(numbered("Step Up ", i) + ".bias"))});
        }
        frozen->decoders[0].convolutions.push_back({copied(tensor("Decode_0." + lastIndex() + ".weight")),
                                                    copied(tensor("Decode_0." + lastIndex() + ".bias"))});
        frozen->encoders.push_back(frozenBlock(numbered("Final_layer_", m_depth - 1)));
        return frozen;
    }

private:
    struct Level {
        std::int64_t in = 0;
        std::int64_t middle = 0;
        std::int64_t out = 0;
    };

    void countChannels()
    {
        const auto& parameters = m_spec.hyperParameters;
        const std::int64_t base = integerParameter(parameters, "base_channels", 1, 4096);
        const double growth = parameters.at("growth_rate").get<double>();
        const double hidden = parameters.at("hidden_rate").get<double>();
        for (std::int64_t i = 0; i < m_depth; ++i) {
            Level level;
            level.in = i == 0 ? m_spec.inputChannels : m_levels.back().out;
            const double middle = i == 0 ? static_cast<double>(base) : std::floor(static_cast<double>(level.in) * growth);
            const double out = std::floor(middle * hidden);
            if (!(middle >= 1 && out >= 1 && middle <= 65536 && out <= 65536))
                throw Error(ErrorCode::model, "tunet: growth_rate " + parameters.at("growth_rate").dump() + " and hidden_rate "
                                                  + parameters.at("hidden_rate").dump() + " give level " + std::to_string(i)
                                                  + " a number of channels outside 1 to 65536");
            level.middle = static_cast<std::int64_t>(middle);
            level.out = static_cast<std::int64_t>(out);
            m_levels.push_back(level);
        }
    }

    void addLevel(std::int64_t i)
    {
        const Level& level = m_levels[static_cast<std::size_t>(i)];
        const Level& below = m_levels[static_cast<std::size_t>(i) + 1];
        addBlock(numbered("Encode_", i), level.in, level.middle, level.out);
        // What the level below hands up: the bottom its own output, a decoder the middle width of its encoder.
        const std::int64_t fromBelow = i + 2 == m_depth ? below.out : below.middle;
        addConvolution(numbered("Step Up ", i), {fromBelow, level.out, 2, 2}, level.out);
        addBlock(numbered("Decode_", i), 2 * level.out, level.out, level.middle);
        if (i == 0)
            addConvolution("Decode_0." + lastIndex(), {m_spec.classes, level.middle, 1, 1}, m_spec.classes);
    }

    void addBlock(const std::string& name, std::int64_t in, std::int64_t middle, std::int64_t out)
    {
        addConvolution(name + ".0", {middle, in, 3, 3}, middle);
        if (m_batchNorm)
            addBatchNorm(name + ".1", middle);
        addConvolution(name + "." + secondIndex(), {out, middle, 3, 3}, out);
        if (m_batchNorm)
            addBatchNorm(name + ".4", out);
    }

    // Positions in DLSIA's nn.Sequential, which has no place for a norm that is not there.
    const char* secondIndex() const { return m_batchNorm ? "3" : "2"; }
    std::string lastIndex() const { return m_batchNorm ? "6" : "4"; }

    at::Tensor convolved(const at::Tensor& x, const std::string& name) const
    {
        return at::conv2d(x, tensor(name + ".weight"), tensor(name + ".bias"), 1, 1);
    }

    at::Tensor applyBlock(const at::Tensor& input, const std::string& name, Mode mode)
    {
        at::Tensor x = convolved(input, name + ".0");
        x = at::relu(m_batchNorm ? batchNorm(x, name + ".1", mode) : x);
        x = convolved(x, name + "." + secondIndex());
        return at::relu(m_batchNorm ? batchNorm(x, name + ".4", mode) : x);
    }

    at::Tensor run(const at::Tensor& input, Mode mode) override
    {
        std::vector<at::Tensor> skipped;
        at::Tensor x = input;
        for (std::int64_t i = 0; i + 1 < m_depth; ++i) {
            skipped.push_back(applyBlock(x, numbered("Encode_", i), mode));
            x = stepDown(skipped.back());
        }
        x = applyBlock(x, numbered("Final_layer_", m_depth - 1), mode);
        for (std::int64_t i = m_depth - 2; i >= 0; --i) {
            const at::Tensor& skip = skipped[static_cast<std::size_t>(i)];
            const std::string up = numbered("Step Up ", i);
            x = at::cat({skip, stepUp(x, {asPointwise(tensor(up + ".weight")), tensor(up + ".bias")}, skip)}, 1);
            x = applyBlock(x, numbered("Decode_", i), mode);
        }
        return pointwise(x, tensor("Decode_0." + lastIndex() + ".weight"), tensor("Decode_0." + lastIndex() + ".bias"));
    }

    static at::Tensor copied(const at::Tensor& weight)
    {
        const at::Tensor copy = weight.detach().clone();
        return copy.dim() == 4 ? copy.contiguous(at::MemoryFormat::ChannelsLast) : copy;
    }

    /// Convolution and batch norm as one convolution.
    Convolution folded(const std::string& convolution, const std::string& norm) const
    {
        const at::Tensor weight = tensor(convolution + ".weight");
        const at::Tensor bias = tensor(convolution + ".bias");
        if (!m_batchNorm)
            return {copied(weight), copied(bias)};
        const auto [scale, shift] = foldedBatchNorm(norm);
        return {copied(weight.mul(scale.view({-1, 1, 1, 1}))), copied(bias.mul(scale).add(shift))};
    }

    FrozenBlock frozenBlock(const std::string& name) const
    {
        return {{folded(name + ".0", name + ".1"), folded(name + "." + secondIndex(), name + ".4")}};
    }

    std::int64_t m_depth = 4;
    std::vector<Level> m_levels;
    bool m_batchNorm = true;
};

} // namespace

std::unique_ptr<Network> makeTunet(const NetworkSpec& spec, std::uint64_t seed)
{
    return std::make_unique<Tunet>(spec, seed);
}

} // namespace voxelscribe::nn
