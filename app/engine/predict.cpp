#include "app/engine/arguments.h"
#include "app/engine/command.h"
#include "app/engine/networks.h"
#include "app/engine/predict_store.h"
#include "app/engine/run_identity.h"
#include "app/engine/stream_options.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/open.h"

#include <CLI/Validators.hpp>
#include <algorithm>
#include <charconv>
#include <numeric>

namespace voxelscribe::engine {

using nlohmann::json;

namespace {

/// Reports a resumed run as part of the whole one.
class ResumedProgress : public Progress {
public:
    ResumedProgress(Progress& whole, std::int64_t reused, std::int64_t pending) : m_whole(whole), m_reused(reused), m_pending(pending) {}

    void event(std::string_view name, const json& data) override { m_whole.event(name, data); }
    bool cancelRequested() const override { return m_whole.cancelRequested(); }

protected:
    void report(std::string_view stage, std::int64_t done, std::int64_t total) override
    {
        const std::int64_t reused = m_pending > 0 ? m_reused * (total / m_pending) : 0; // a slice is so many tiles
        m_whole.update(stage, done + reused, total + reused);
    }

private:
    Progress& m_whole;
    std::int64_t m_reused;
    std::int64_t m_pending;
};

/// `from`…`to` − 1, the one in view first and its neighbours next; in order without one.
std::vector<std::int64_t> sliceOrder(const SliceRange& range, std::int64_t first)
{
    std::vector<std::int64_t> order(static_cast<std::size_t>(range.to - range.from));
    std::iota(order.begin(), order.end(), range.from);
    if (first >= range.from && first < range.to)
        std::stable_sort(order.begin(), order.end(), [first](std::int64_t a, std::int64_t b) { return std::abs(a - first) < std::abs(b - first); });
    return order;
}

VoxelSizeUm parseVoxelSize(const std::string& text)
{
    std::vector<double> edges;
    for (const std::string& part : split(text, ',')) {
        double edge = 0;
        const auto [end, fault] = std::from_chars(part.data(), part.data() + part.size(), edge);
        if (fault == std::errc{} && end == part.data() + part.size() && edge > 0)
            edges.push_back(edge);
    }
    if (edges.size() != 3)
        throw CLI::ValidationError("--voxel-size", "\"" + text + "\" is not a voxel size; expected z,y,x in micrometres, for example 2,0.65,0.65");
    return {edges[0], edges[1], edges[2]};
}

class Predict : public Command {
public:
    void declare(CLI::App& app) override
    {
        app.add_option("--image", m_image, "image: file or folder, or FILE::/data/set")->required();
        app.add_option("--model", m_model, "model file (.safetensors)")->required();
        app.add_option("--output", m_output, "mask to write; its format follows from .tif, .h5, .zarr, or / for a TIFF series")->required();
        app.add_option("--slices", m_slices, "slices a:b to segment (b excluded); the output has all slices, the rest stay 0");
        app.add_option("--confidence", m_confidence, "also write the probability of the chosen class, 0 to 255");
        app.add_option("--probabilities", m_probabilities, "also write the probability of every class, float32 (.h5 or .zarr)");
        app.add_option("--tile", m_tile, "edge in pixels of what is read at once; no bit of the result depends on it")->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 30));
        app.add_option("--first", m_first, "slice to segment first, then those around it");
        app.add_option("--voxel-size", m_voxelSize, "z,y,x in micrometres, in place of what the image says");
        app.add_flag("--resume", m_resume, "go on where a run of the same command stopped");
        app.add_flag("--overwrite", m_overwrite, "replace existing outputs");
    }

    json run(const CommonOptions& common, Progress& progress) override
    {
        const auto start = std::chrono::steady_clock::now();
        const io::Source source = io::Source::parse(m_image);
        const std::int64_t budget = memoryBudget(common);
        const VolumePtr image = streamed(io::open(source), budget);
        const ModelContract contract = readModelContract(m_model);
        requireFits(contract, image->info());
        const SliceRange range = parseSliceRange("--slices", m_slices, image->extent().z);
        const StorePlan plan = planFor(*image, contract, range);
        tellWarnings(*image, progress);
        for (const std::string& warning : contractWarnings(contract, image->info()))
            tell(warning, progress);

        const RunIdentity identity(m_model, source, *image, {{"slices", std::to_string(range.from) + ":" + std::to_string(range.to)},
            {"confidence", !m_confidence.empty()}, {"probabilities", !m_probabilities.empty()}});
        PredictStore store(plan, identity, progress);
        nn::Backend& backend = networks(common);
        const auto computing = std::chrono::steady_clock::now();
        segment(backend, *image, image->info().chunk.z > 1 ? budget / 2 : budget, store, progress);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - computing;
        store.finish();
        const std::int64_t plane = image->extent().y * image->extent().x;
        json result = writtenResult(m_output, start, plane * std::ssize(plan.slices));
        result["voxelsPerSecond"] = static_cast<double>(plane * store.computed()) / seconds.count();
        result["chunksComputed"] = store.computed();
        result["chunksReused"] = store.reused();
        result["runId"] = identity.runId();
        return result;
    }

private:
    StorePlan planFor(const Volume& image, const ModelContract& contract, const SliceRange& range) const
    {
        StorePlan plan;
        plan.mask = m_output;
        plan.confidence = m_confidence;
        plan.probabilities = m_probabilities;
        plan.extent = image.extent();
        plan.voxelSizeUm = m_voxelSize.empty() ? image.info().voxelSizeUm : parseVoxelSize(m_voxelSize);
        plan.classes = contract.classes;
        plan.slices = sliceOrder(range, m_first);
        plan.resume = m_resume;
        plan.overwrite = m_overwrite;
        return plan;
    }

    void segment(nn::Backend& backend, const Volume& image, std::int64_t budget, PredictStore& store, Progress& progress) const
    {
        try {
            store.open();
            const std::vector<std::int64_t> missing = store.missing();
            if (store.reused() > 0)
                tell(counted(store.reused(), "slice is", "slices are") + " there already and kept", progress);
            ResumedProgress resumed(progress, store.reused(), std::ssize(missing));
            if (!missing.empty())
                backend.predict(image, m_model, {missing, m_tile, !m_confidence.empty(), !m_probabilities.empty(), budget}, store, resumed);
        } catch (...) {
            store.abandon();
            throw;
        }
    }

    std::string m_image;
    std::string m_model;
    std::string m_output;
    std::string m_slices;
    std::string m_confidence;
    std::string m_probabilities;
    std::int64_t m_tile = 0;
    std::int64_t m_first = -1;
    std::string m_voxelSize;
    bool m_resume = false;
    bool m_overwrite = false;
};

} // namespace

std::unique_ptr<Command> makePredict()
{
    return std::make_unique<Predict>();
}

} // namespace voxelscribe::engine
