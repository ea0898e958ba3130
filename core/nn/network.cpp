#include "core/nn/network.h"

#include "core/base/error.h"
#include "core/nn/networks.h"

#include <ATen/Context.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mkldnn_convolution.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/replication_pad2d.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <cstring>

namespace voxelscribe::nn {
namespace {

constexpr double kBatchNormEpsilon = 1e-5; // PyTorch's

std::vector<std::int64_t> shapeOf(const at::Tensor& tensor) { return tensor.sizes().vec(); }

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    return nlohmann::json(shape).dump();
}

const char* storedType(const at::Tensor& tensor) { return tensor.scalar_type() == at::kLong ? "I64" : "F32"; }

} // namespace

std::unique_ptr<Network> Network::create(const NetworkSpec& spec, std::uint64_t seed)
{
    if (spec.inputChannels < 1 || spec.classes < 2)
        throw Error(ErrorCode::model, "a network needs at least 1 input channel and 2 classes, not " + std::to_string(spec.inputChannels)
                                          + " and " + std::to_string(spec.classes));
    if (spec.network == "msdnet")
        return makeMsdnet(spec, seed);
    if (spec.network == "tunet")
        return makeTunet(spec, seed);
    throw Error(ErrorCode::model, "network \"" + spec.network + "\" is unknown; this version has msdnet and tunet");
}

std::unique_ptr<Network> Network::load(const std::filesystem::path& model)
{
    const ModelContract contract = readModelContract(model);
    return fromContract(contract, readSafetensors(model), model.string());
}

std::unique_ptr<Network> Network::fromContract(const ModelContract& contract, const Safetensors& content, const std::string& where)
{
    auto network = create({contract.network, contract.hyperParameters, contract.inputChannels, static_cast<int>(contract.classes.size())}, 0);
    for (const NamedTensor& own : network->m_state) {
        const auto found = content.tensors.find(own.name);
        if (found == content.tensors.end())
            throw Error(ErrorCode::model, where + ": the weight \"" + own.name + "\" of " + contract.network + " is missing");
        const TensorData& stored = found->second;
        if (stored.dtype != storedType(own.tensor) || stored.shape != shapeOf(own.tensor))
            throw Error(ErrorCode::model, where + ": the weight \"" + own.name + "\" is " + stored.dtype + " " + shapeText(stored.shape)
                                              + ", expected " + storedType(own.tensor) + " " + shapeText(shapeOf(own.tensor)));
        std::memcpy(own.tensor.data_ptr(), stored.bytes.data(), stored.bytes.size());
    }
    for (const auto& [name, data] : content.tensors)
        if (!network->m_index.contains(name))
            throw Error(ErrorCode::model, where + ": the weight \"" + name + "\" belongs to no part of " + contract.network);
    if (contract.halo != network->halo())
        throw Error(ErrorCode::model, where + ": its contract says a halo of " + std::to_string(contract.halo) + " pixels, its network has "
                                          + std::to_string(network->halo()));
    return network;
}

at::Tensor paddedToAlignment(const at::Tensor& input, std::int64_t alignment)
{
    const std::int64_t below = std::max<std::int64_t>(0, alignment - input.size(2));
    const std::int64_t right = std::max<std::int64_t>(0, alignment - input.size(3));
    return below == 0 && right == 0 ? input : at::replication_pad2d(input, {0, right, 0, below});
}

at::Tensor Network::forward(const at::Tensor& input, Mode mode)
{
    if (input.dim() != 4 || input.size(1) != m_spec.inputChannels)
        throw Error(ErrorCode::shape, m_spec.network + " expects N×" + std::to_string(m_spec.inputChannels) + "×y×x, got "
                                          + shapeText(shapeOf(input)));
    return run(paddedToAlignment(input, alignment()), mode).narrow(2, 0, input.size(2)).narrow(3, 0, input.size(3));
}

std::vector<at::Tensor> Network::parameters() const
{
    std::vector<at::Tensor> parameters;
    for (const NamedTensor& named : m_state)
        if (named.trained)
            parameters.push_back(named.tensor);
    return parameters;
}

std::int64_t Network::parameterCount() const
{
    std::int64_t count = 0;
    for (const at::Tensor& tensor : parameters())
        count += tensor.numel();
    return count;
}

std::map<std::string, at::Tensor> Network::copyState() const
{
    std::map<std::string, at::Tensor> copy;
    for (const NamedTensor& named : m_state)
        copy[named.name] = named.tensor.detach().clone();
    return copy;
}

void Network::restoreState(const std::map<std::string, at::Tensor>& state)
{
    const c10::NoGradGuard noGradients;
    for (const NamedTensor& named : m_state) {
        const auto found = state.find(named.name);
        if (found == state.end() || found->second.sizes() != named.tensor.sizes())
            throw Error(ErrorCode::model, "the state to restore has no \"" + named.name + "\" of shape " + shapeText(shapeOf(named.tensor)));
        named.tensor.copy_(found->second);
    }
}

void Network::resetRunningStatistics()
{
    for (const NamedTensor& named : m_state)
        if (!named.trained)
            named.tensor.fill_(named.name.ends_with(".running_var") ? 1 : 0);
}

void Network::describe(ModelContract& contract) const
{
    contract.network = m_spec.network;
    contract.hyperParameters = m_spec.hyperParameters;
    contract.inputChannels = m_spec.inputChannels;
    contract.halo = halo();
    contract.alignment = alignment();
}

void Network::save(const std::filesystem::path& model, ModelContract contract) const
{
    describe(contract);
    if (contract.classes.size() != static_cast<std::size_t>(m_spec.classes))
        throw Error(ErrorCode::model, "the network has " + std::to_string(m_spec.classes) + " outputs, the contract "
                                          + std::to_string(contract.classes.size()) + " classes");
    Safetensors content;
    content.metadata = {{"format", "pt"}, {"voxelscribe", contract.toJson().dump()}};
    for (const NamedTensor& named : m_state) {
        const at::Tensor plain = named.tensor.detach().contiguous();
        const auto* bytes = static_cast<const std::byte*>(plain.data_ptr());
        content.tensors[named.name] = {storedType(plain), shapeOf(plain), std::vector<std::byte>(bytes, bytes + plain.nbytes())};
    }
    writeSafetensors(model, content);
}

void Network::addConvolution(const std::string& name, at::IntArrayRef weightShape, std::int64_t outputs)
{
    const double inputs = static_cast<double>(weightShape[1] * weightShape[2] * weightShape[3]);
    std::uniform_real_distribution<float> draw(static_cast<float>(-1 / std::sqrt(inputs)), static_cast<float>(1 / std::sqrt(inputs)));
    const auto add = [&](const std::string& full, const at::Tensor& tensor) {
        std::generate_n(tensor.data_ptr<float>(), tensor.numel(), [&] { return draw(m_random); });
        tensor.set_requires_grad(true);
        m_index[full] = m_state.size();
        m_state.push_back({full, tensor, true});
    };
    add(name + ".weight", at::empty(weightShape, at::kFloat));
    add(name + ".bias", at::empty({outputs}, at::kFloat));
}

void Network::addBatchNorm(const std::string& name, std::int64_t channels)
{
    const auto add = [&](const std::string& full, const at::Tensor& tensor, bool trained) {
        tensor.set_requires_grad(trained);
        m_index[full] = m_state.size();
        m_state.push_back({full, tensor, trained});
    };
    add(name + ".weight", at::ones({channels}, at::kFloat), true);
    add(name + ".bias", at::zeros({channels}, at::kFloat), true);
    add(name + ".running_mean", at::zeros({channels}, at::kFloat), false);
    add(name + ".running_var", at::ones({channels}, at::kFloat), false);
    add(name + ".num_batches_tracked", at::zeros({}, at::kLong), false);
}

const at::Tensor& Network::tensor(const std::string& name) const
{
    return m_state.at(m_index.at(name)).tensor;
}

at::Tensor Network::batchNorm(const at::Tensor& input, const std::string& name, Mode mode)
{
    double momentum = 0;
    if (mode == Mode::training) {
        auto* batches = tensor(name + ".num_batches_tracked").data_ptr<std::int64_t>();
        *batches += 1;
        momentum = m_momentum.value_or(1.0 / static_cast<double>(*batches));
    }
    return at::batch_norm(input, tensor(name + ".weight"), tensor(name + ".bias"), tensor(name + ".running_mean"),
                          tensor(name + ".running_var"), mode == Mode::training, momentum, kBatchNormEpsilon, false);
}

std::pair<at::Tensor, at::Tensor> Network::foldedBatchNorm(const std::string& name) const
{
    const c10::NoGradGuard noGradients;
    const at::Tensor scale = tensor(name + ".weight").mul(tensor(name + ".running_var").add(kBatchNormEpsilon).rsqrt());
    return {scale, tensor(name + ".bias").sub(tensor(name + ".running_mean").mul(scale))};
}

at::Tensor pointwise(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias)
{
    if (!at::hasMKLDNN())
        return at::conv2d(input, weight, bias);
    return at::mkldnn_convolution(input, weight, bias, {0, 0}, {1, 1}, {1, 1}, 1);
}

nlohmann::json completedParameters(const nlohmann::json& given, const nlohmann::json& defaults, const std::string& network)
{
    nlohmann::json completed = defaults;
    for (const auto& [key, value] : given.items()) {
        if (!defaults.contains(key)) {
            std::string known;
            for (const auto& item : defaults.items())
                known += (known.empty() ? "" : ", ") + item.key();
            throw Error(ErrorCode::model, network + " has no hyper-parameter \"" + key + "\"; it has " + known);
        }
        const auto& standard = defaults.at(key);
        if (standard.is_number() != value.is_number() || standard.is_string() != value.is_string() || standard.is_array() != value.is_array())
            throw Error(ErrorCode::model, network + ": \"" + key + "\" cannot be " + value.dump() + "; for example " + standard.dump());
        completed[key] = value;
    }
    return completed;
}

std::int64_t integerParameter(const nlohmann::json& parameters, const char* key, std::int64_t least, std::int64_t most)
{
    const auto& value = parameters.at(key);
    const double number = value.get<double>();
    if (number != std::floor(number) || number < static_cast<double>(least) || number > static_cast<double>(most))
        throw Error(ErrorCode::model, std::string(key) + " must be a whole number from " + std::to_string(least) + " to "
                                          + std::to_string(most) + ", not " + value.dump());
    return static_cast<std::int64_t>(number);
}

bool usesBatchNorm(const nlohmann::json& parameters)
{
    const auto kind = parameters.at("normalization").get<std::string>();
    if (kind != "batch" && kind != "none")
        throw Error(ErrorCode::model, "normalization must be \"batch\" or \"none\", not \"" + kind + "\"");
    return kind == "batch";
}

std::int64_t blockExtent(const Network& network)
{
    // A block should be wide against its halo, yet small enough that its arrays fit half a gibibyte.
    constexpr std::int64_t kWorkingSetBytes = std::int64_t{768} << 20;
    const std::int64_t halo = network.halo();
    const std::int64_t least = std::max<std::int64_t>(256, 2 * halo);
    std::int64_t core = std::max(least, std::min<std::int64_t>(16 * halo, 1024));
    while (core - 64 >= least && (core + 2 * halo) * (core + 2 * halo) * network.bytesPerPixel() > kWorkingSetBytes)
        core -= 64;
    return (core + network.alignment() - 1) / network.alignment() * network.alignment();
}

} // namespace voxelscribe::nn
