#include "app/engine/command.h"
#include "app/engine/networks.h"
#include "app/engine/stream_options.h"
#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/io/open.h"
#include "core/model/model_contract.h"

#include <CLI/Validators.hpp>
#include <algorithm>
#include <cmath>

namespace voxelscribe::engine {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// Takes what a network makes of a small image of noise: whether it is finite.
class FiniteCheck : public nn::SliceSink {
public:
    explicit FiniteCheck(fs::path model) : m_model(std::move(model)) {}
    void take(const nn::SliceResult& result) override
    {
        if (!std::all_of(result.probabilities.begin(), result.probabilities.end(), [](float p) { return std::isfinite(p); }))
            throw Error(ErrorCode::model, m_model.string() + ": its weights give results that are no numbers; train it again");
    }

private:
    fs::path m_model;
};

json shown(const fs::path& model)
{
    json result = readModelContract(model).toJson();
    result["model"] = model.string();
    result["bytes"] = fs::file_size(model);
    result["sha256"] = sha256OfFile(model);
    return result;
}

std::string lineOf(const json& entry)
{
    if (entry.contains("problem"))
        return entry.at("model").get<std::string>() + ": " + entry.at("problem").get<std::string>();
    std::string classes;
    for (const auto& info : entry.at("classes"))
        classes += (classes.empty() ? "" : ", ") + std::to_string(info.at("id").get<int>()) + " " + info.at("name").get<std::string>();
    return entry.at("model").get<std::string>() + ": " + entry.at("network").get<std::string>() + " for " + entry.at("dtype").get<std::string>()
           + " images, classes " + classes;
}

class Models : public Command {
public:
    void declare(CLI::App& app) override
    {
        app.add_option("ACTION", m_action, "show: the contract of a model; verify: also load its weights and, with --image, check that it fits; list: the models in a folder")
            ->required()->check(CLI::IsMember({"show", "verify", "list"}));
        app.add_option("PATH", m_path, "model file, or for list a folder")->required();
        app.add_option("--image", m_image, "image that the model is to be used on");
    }

    bool emitsEvents() const override { return false; }

    json run(const CommonOptions& common, Progress& progress) override
    {
        if (m_action == "list")
            return list();
        json result = shown(m_path);
        if (m_action == "verify")
            verify(common, progress, result);
        return result;
    }

    std::string text(const json& result) const override
    {
        if (!result.contains("models"))
            return lineOf(result) + "\n" + result.dump(2) + "\n";
        std::string lines;
        for (const auto& entry : result.at("models"))
            lines += lineOf(entry) + "\n";
        return lines.empty() ? "no models in " + m_path + "\n" : lines;
    }

private:
    json list() const
    {
        if (!fs::is_directory(m_path))
            throw Error(ErrorCode::io, m_path + " is not a folder; models list expects one, models show a file");
        std::vector<fs::path> files;
        for (const fs::directory_entry& entry : fs::directory_iterator(m_path))
            if (entry.path().extension() == ".safetensors")
                files.push_back(entry.path());
        std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) { return naturalLess(a.filename().string(), b.filename().string()); });
        json models = json::array();
        for (const fs::path& file : files)
            try {
                models.push_back(shown(file));
            } catch (const Error& error) {
                models.push_back({{"model", file.string()}, {"problem", error.what()}});
            }
        return {{"models", models}};
    }

    void verify(const CommonOptions& common, Progress& progress, json& result) const
    {
        const ModelContract contract = readModelContract(m_path);
        result["warnings"] = json::array();
        if (!m_image.empty()) {
            const VolumePtr image = io::open(io::Source::parse(m_image));
            requireFits(contract, image->info());
            result["warnings"] = contractWarnings(contract, image->info());
        }
        if (contract.inputChannels == 1) {
            std::vector<float> noise(33 * 47);
            std::uint32_t state = 1;
            for (float& v : noise) {
                state = state * 1664525U + 1013904223U; // any values will do
                v = static_cast<float>(contract.normalisation.low + (contract.normalisation.high - contract.normalisation.low) * (state >> 8U) / 16777216.0);
            }
            FiniteCheck check(m_path);
            networks(common).predict(*makeMemoryVolume<float>({1, 33, 47}, noise), m_path, {{0}, 0, false, true, memoryBudget(common)}, check, progress);
        }
        result["verified"] = true;
    }

    std::string m_action;
    std::string m_path;
    std::string m_image;
};

} // namespace

std::unique_ptr<Command> makeModels()
{
    return std::make_unique<Models>();
}

} // namespace voxelscribe::engine
