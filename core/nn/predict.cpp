#include "core/nn/predict.h"

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/model/normalise.h"

#include <ATen/Parallel.h>
#include <ATen/ops/from_blob.h>
#include <algorithm>
#include <cmath>
#include <future>
#include <numeric>
#include <optional>

namespace voxelscribe::nn {
namespace {

/// What lies between `begin` − halo and `end` + halo, inside 0…size.
std::pair<std::int64_t, std::int64_t> widened(std::int64_t begin, std::int64_t end, std::int64_t halo, std::int64_t size)
{
    const std::int64_t first = std::max<std::int64_t>(0, begin - halo);
    return {first, std::min(size, end + halo) - first};
}

Block blockAt(const Rectangle& core, std::int64_t height, std::int64_t width, std::int64_t halo)
{
    const auto [y, rows] = widened(core.y, core.y + core.height, halo, height);
    const auto [x, columns] = widened(core.x, core.x + core.width, halo, width);
    return {core, {y, x, rows, columns}};
}

std::vector<Block> cut(const Rectangle& part, std::int64_t height, std::int64_t width, std::int64_t edge, std::int64_t halo)
{
    std::vector<Block> blocks;
    for (std::int64_t y = part.y; y < part.y + part.height; y += edge)
        for (std::int64_t x = part.x; x < part.x + part.width; x += edge)
            blocks.push_back(blockAt({y, x, std::min(edge, part.y + part.height - y), std::min(edge, part.x + part.width - x)},
                                     height, width, halo));
    return blocks;
}

/// Samples of one tile, 0…1, ready for the network.
struct Prepared {
    std::vector<float> samples;
    GreyRange range;                  ///< of the slice
};

/// Class, certainty and probabilities of one slice as they are filled block by block.
struct SliceBuffers {
    std::vector<std::uint8_t> classIndex;
    std::vector<std::uint8_t> confidence;
    std::vector<float> probabilities;
};

class Run {
public:
    Run(const Volume& image, const FrozenNetwork& network, const ModelContract& contract, const BlockPlan& plan,
        const PredictSettings& settings, Progress& progress)
        : m_image(image), m_network(network), m_contract(contract), m_plan(plan), m_settings(settings), m_progress(progress),
          m_height(image.extent().y), m_width(image.extent().x), m_classes(std::ssize(contract.classes))
    {
    }

    /// Throws Error(memory) unless the run fits; returns the edge of tiles that do.
    std::int64_t fittingTile(std::int64_t bytesPerPixel) const;
    void predict(std::int64_t tileEdge, SliceSink& sink);

private:
    Prepared prepare(std::int64_t z, const Rectangle& input, const std::optional<GreyRange>& range) const;
    void computeBlock(const Block& block, const Rectangle& tile, std::vector<float>& samples, SliceBuffers& slice) const;
    void classify(const at::Tensor& logits, const Block& block, SliceBuffers& slice) const;
    void classifyPixel(const float* logits, std::int64_t stride, std::int64_t at, SliceBuffers& slice) const;

    const Volume& m_image;
    const FrozenNetwork& m_network;
    const ModelContract& m_contract;
    BlockPlan m_plan;
    const PredictSettings& m_settings;
    Progress& m_progress;
    std::int64_t m_height;
    std::int64_t m_width;
    std::int64_t m_classes;
};

std::int64_t Run::fittingTile(std::int64_t bytesPerPixel) const
{
    const std::int64_t budget = m_settings.memoryBudgetBytes > 0 ? m_settings.memoryBudgetBytes : defaultMemoryBudgetBytes();
    const std::int64_t edge = m_plan.core + 2 * m_plan.halo;
    const std::int64_t block = std::min(edge, m_height) * std::min(edge, m_width) * bytesPerPixel;
    const std::int64_t results = m_height * m_width * (1 + (m_settings.confidence ? 1 : 0) + (m_settings.probabilities ? 4 * m_classes : 0));
    const std::int64_t wholeSlice = m_height * m_width * 4 * (m_contract.normalisation.rule == Normalisation::Rule::slice ? 1 : 0);
    // Two tiles at once: one is computed while the next is read, with its samples as stored and as float32.
    const auto needed = [&](std::int64_t tile) {
        const std::int64_t side = tile + 2 * m_plan.halo;
        return block + results + std::max(wholeSlice, std::min(side, m_height) * std::min(side, m_width) * 20);
    };
    if (needed(m_plan.core) > budget)
        throw Error(ErrorCode::memory, "segmenting slices of " + std::to_string(m_height) + "×" + std::to_string(m_width) + " with this "
                                           + m_contract.network + " needs " + byteSizeText(needed(m_plan.core)) + " of memory, allowed are "
                                           + byteSizeText(budget) + "; allow more (--memory), ask for no probabilities, or use a smaller network");
    if (m_settings.tile > 0)
        return m_settings.tile;
    std::int64_t tile = m_plan.core;
    while (tile < std::max(m_height, m_width) && needed(tile + m_plan.core) <= budget)
        tile += m_plan.core;
    return tile;
}

Prepared Run::prepare(std::int64_t z, const Rectangle& input, const std::optional<GreyRange>& range) const
{
    Prepared prepared;
    prepared.range = range ? *range : greyRange(m_contract.normalisation, m_image, z);
    prepared.samples = readNormalised(m_image, {{z, input.y, input.x}, {1, input.height, input.width}}, prepared.range);
    return prepared;
}

void Run::predict(std::int64_t tileEdge, SliceSink& sink)
{
    const std::vector<Block> tiles = tilesOf(m_height, m_width, m_plan, tileEdge);
    const std::int64_t total = std::ssize(m_settings.slices) * std::ssize(tiles);
    const auto pixels = static_cast<std::size_t>(m_height * m_width);
    SliceBuffers slice{std::vector<std::uint8_t>(pixels), std::vector<std::uint8_t>(m_settings.confidence ? pixels : 0),
                       std::vector<float>(m_settings.probabilities ? pixels * static_cast<std::size_t>(m_classes) : 0)};
    // The next tile is read while this one is computed. The future waits in its destructor, so nothing outlives a cancelled run.
    std::optional<GreyRange> range;
    const auto request = [&](std::int64_t index) {
        const std::int64_t z = m_settings.slices[static_cast<std::size_t>(index / std::ssize(tiles))];
        const Rectangle& input = tiles[static_cast<std::size_t>(index % std::ssize(tiles))].input;
        const auto known = index % std::ssize(tiles) == 0 ? std::nullopt : range;
        return std::async(std::launch::async, [this, z, &input, known] { return prepare(z, input, known); });
    };
    m_progress.update("predict", 0, total);
    std::future<Prepared> next = total > 0 ? request(0) : std::future<Prepared>();
    for (std::int64_t index = 0; index < total; ++index) {
        Prepared prepared = next.get();
        range = prepared.range;
        if (index + 1 < total)
            next = request(index + 1);
        const Block& tile = tiles[static_cast<std::size_t>(index % std::ssize(tiles))];
        for (const Block& block : blocksOf(tile.core, m_height, m_width, m_plan))
            computeBlock(block, tile.input, prepared.samples, slice);
        if (index % std::ssize(tiles) == std::ssize(tiles) - 1)
            sink.take({m_settings.slices[static_cast<std::size_t>(index / std::ssize(tiles))], slice.classIndex, slice.confidence, slice.probabilities});
        m_progress.update("predict", index + 1, total);
    }
}

void Run::computeBlock(const Block& block, const Rectangle& tile, std::vector<float>& samples, SliceBuffers& slice) const
{
    float* first = samples.data() + (block.input.y - tile.y) * tile.width + (block.input.x - tile.x);
    const at::Tensor input = at::from_blob(first, {1, 1, block.input.height, block.input.width},
                                           {tile.height * tile.width, tile.height * tile.width, tile.width, 1}, at::kFloat).contiguous();
    const at::Tensor logits = m_network.logits(input, [this] { m_progress.throwIfCancelled(); });
    classify(logits.narrow(2, block.core.y - block.input.y, block.core.height).narrow(3, block.core.x - block.input.x, block.core.width),
             block, slice);
}

void Run::classify(const at::Tensor& logits, const Block& block, SliceBuffers& slice) const
{
    const float* values = logits.data_ptr<float>();
    const std::int64_t classStride = logits.stride(1);
    const std::int64_t rowStride = logits.stride(2);
    const std::int64_t columnStride = logits.stride(3);
    at::parallel_for(0, block.core.height, 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t y = begin; y < end; ++y)
            for (std::int64_t x = 0; x < block.core.width; ++x)
                classifyPixel(values + y * rowStride + x * columnStride, classStride, (block.core.y + y) * m_width + block.core.x + x, slice);
    });
}

void Run::classifyPixel(const float* logits, std::int64_t stride, std::int64_t at, SliceBuffers& slice) const
{
    std::int64_t best = 0; // the first of equal ones
    for (std::int64_t k = 1; k < m_classes; ++k)
        if (logits[k * stride] > logits[best * stride])
            best = k;
    const auto index = static_cast<std::size_t>(at);
    slice.classIndex[index] = static_cast<std::uint8_t>(best);
    if (slice.confidence.empty() && slice.probabilities.empty())
        return;
    float sum = 0;
    for (std::int64_t k = 0; k < m_classes; ++k)
        sum += std::exp(logits[k * stride] - logits[best * stride]);
    if (!slice.confidence.empty())
        slice.confidence[index] = static_cast<std::uint8_t>(std::lround(255.0F / sum));
    if (!slice.probabilities.empty())
        for (std::int64_t k = 0; k < m_classes; ++k)
            slice.probabilities[static_cast<std::size_t>(k * m_height * m_width + at)] = std::exp(logits[k * stride] - logits[best * stride]) / sum;
}

} // namespace

std::vector<Block> blocksOf(const Rectangle& part, std::int64_t height, std::int64_t width, const BlockPlan& plan)
{
    return cut(part, height, width, plan.core, plan.halo);
}

std::vector<Block> tilesOf(std::int64_t height, std::int64_t width, const BlockPlan& plan, std::int64_t tile)
{
    const std::int64_t edge = tile == 0 ? std::max(height, width) : std::max<std::int64_t>(1, tile / plan.core) * plan.core;
    return cut({0, 0, height, width}, height, width, edge, plan.halo);
}

void predictSlices(const Volume& image, const FrozenNetwork& network, const ModelContract& contract, const BlockPlan& plan,
                   std::int64_t bytesPerPixel, const PredictSettings& settings, SliceSink& sink, Progress& progress)
{
    for (const std::int64_t z : settings.slices)
        if (z < 0 || z >= image.extent().z)
            throw Error(ErrorCode::shape, "slice " + std::to_string(z) + " is outside the image, which has "
                                              + std::to_string(image.extent().z) + " slices (0 to " + std::to_string(image.extent().z - 1) + ")");
    if (contract.inputChannels != 1)
        throw Error(ErrorCode::model, "this version segments images of one channel, the model was made for " + std::to_string(contract.inputChannels));
    Run run(image, network, contract, plan, settings, progress);
    run.predict(run.fittingTile(bytesPerPixel), sink);
}

} // namespace voxelscribe::nn
