#pragma once

#include "core/model/model_contract.h"
#include "core/model/safetensors.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace voxelscribe::nn {

/// What a network is built from. Absent hyper-parameters take their defaults, unknown ones are refused.
/// "msdnet": num_layers 20, layer_width 1, max_dilation 10, dilations (a list that replaces max_dilation), normalization "batch" | "none".
/// "tunet": depth 4, base_channels 8, growth_rate 2, hidden_rate 1, normalization "batch" | "none".
struct NetworkSpec {
    std::string network;
    nlohmann::json hyperParameters = nlohmann::json::object();
    int inputChannels = 1;
    int classes = 2;
};

/// One array of a network's state under its name in DLSIA: "layer_0.conv_0.weight", "Step Up 1.bias"…
struct NamedTensor {
    std::string name;
    at::Tensor tensor;
    bool trained = true;              ///< false: running statistics of a batch norm
};

enum class Mode { training, evaluation };

/// A network frozen for prediction: batch norms folded into convolutions or merged into one pass, no gradients.
class FrozenNetwork {
public:
    virtual ~FrozenNetwork() = default;
    /// Logits 1×classes×y×x of an input 1×channels×y×x. `breathe` is called between layers and may throw.
    virtual at::Tensor logits(const at::Tensor& input, const std::function<void()>& breathe) const = 0;
};

/// A network whose weights have DLSIA's names and meaning (J. Appl. Cryst. 57 (2024) 392). CPU, float32.
class Network {
public:
    /// Fresh weights as PyTorch draws them, from `seed`. @throws Error(model) naming the hyper-parameter that is wrong.
    static std::unique_ptr<Network> create(const NetworkSpec& spec, std::uint64_t seed);
    /// The network of a model file, or of a part of one. @throws Error(io | model) naming the weight that is missing, superfluous or of another shape.
    static std::unique_ptr<Network> load(const std::filesystem::path& model);
    static std::unique_ptr<Network> fromContract(const ModelContract& contract, const Safetensors& content, const std::string& where);
    virtual ~Network() = default;
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    /// With every default written out.
    const NetworkSpec& spec() const { return m_spec; }
    /// Logits N×classes×y×x of an input N×channels×y×x of any extent. Training mode uses and updates batch statistics.
    /// An input with an edge under `alignment()` is continued by its last row or column and the result cropped.
    at::Tensor forward(const at::Tensor& input, Mode mode);
    /// A copy for prediction; later training does not change it.
    virtual std::unique_ptr<FrozenNetwork> freeze() const = 0;

    /// Pixels each side that an output pixel can depend on, a multiple of `alignment()`.
    virtual std::int64_t halo() const = 0;
    /// Blocks start at multiples of this.
    virtual std::int64_t alignment() const = 0;
    /// Bytes that `logits` of the frozen network needs for one input pixel, at most.
    virtual std::int64_t bytesPerPixel() const = 0;

    const std::vector<NamedTensor>& state() const { return m_state; }
    /// The trained ones; they require gradients.
    std::vector<at::Tensor> parameters() const;
    std::int64_t parameterCount() const;
    /// Deep copies of all of `state()`, for keeping the best weights.
    std::map<std::string, at::Tensor> copyState() const;
    /// @throws Error(model) where names or shapes differ.
    void restoreState(const std::map<std::string, at::Tensor>& state);

    /// Forgets the running statistics of all batch norms (mean 0, variance 1).
    void resetRunningStatistics();
    /// Weight of a new batch in the running statistics (PyTorch's default 0.1); nullopt: plain average over all batches since the reset.
    void setMomentum(std::optional<double> momentum) { m_momentum = momentum; }

    /// Writes network, halo, alignment, channels and hyper-parameters into `contract`.
    void describe(ModelContract& contract) const;
    /// The whole model file: `contract` (completed by `describe`) and the weights.
    void save(const std::filesystem::path& model, ModelContract contract) const;

protected:
    Network(NetworkSpec spec, std::uint64_t seed) : m_spec(std::move(spec)), m_random(seed) {}
    virtual at::Tensor run(const at::Tensor& input, Mode mode) = 0;

    /// Adds weight and bias of a convolution `name`, drawn evenly from ±1/√(inputs of one output) as PyTorch does.
    void addConvolution(const std::string& name, at::IntArrayRef weightShape, std::int64_t outputs);
    void addBatchNorm(const std::string& name, std::int64_t channels);
    const at::Tensor& tensor(const std::string& name) const;
    /// Batch norm `name` of the state.
    at::Tensor batchNorm(const at::Tensor& input, const std::string& name, Mode mode);
    /// The affine map v → scale·v + shift per channel that batch norm `name` is in evaluation.
    std::pair<at::Tensor, at::Tensor> foldedBatchNorm(const std::string& name) const;

    NetworkSpec m_spec;
    std::vector<NamedTensor> m_state;
    std::map<std::string, std::size_t> m_index;
    std::optional<double> m_momentum = 0.1;
    std::mt19937_64 m_random;
};

/// `input` continued by its last row and column where an edge is under `alignment`; otherwise itself.
at::Tensor paddedToAlignment(const at::Tensor& input, std::int64_t alignment);

/// The core extent (edge of the square) of the blocks in which a network's arithmetic always runs; follows from the network alone.
std::int64_t blockExtent(const Network& network);

} // namespace voxelscribe::nn
