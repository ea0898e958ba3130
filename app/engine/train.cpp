#include "app/engine/command.h"
#include "app/engine/networks.h"
#include "app/engine/stream_options.h"
#include "core/base/atomic_file.h"
#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/io/mask_metadata.h"
#include "core/io/open.h"

#include <CLI/Validators.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>

namespace voxelscribe::engine {

using nlohmann::json;

namespace {

/// What a model of usual size takes; a disk with less is full.
constexpr std::int64_t kModelBytes = std::int64_t{16} << 20;

/// "key=value": a number, a list in brackets, true or false, or a word.
std::pair<std::string, json> parseSetting(const std::string& text)
{
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw CLI::ValidationError("--set", "\"" + text + "\" is not a setting; expected key=value, for example depth=3");
    const std::string value = text.substr(equals + 1);
    const json parsed = json::parse(value, nullptr, false);
    return {text.substr(0, equals), parsed.is_discarded() ? json(value) : parsed};
}

/// "ID=NAME".
ClassInfo parseClass(const std::string& text)
{
    ClassInfo info;
    const auto equals = text.find('=');
    const char* end = text.data() + std::min(equals, text.size());
    const auto [at, fault] = std::from_chars(text.data(), end, info.id);
    if (equals == std::string::npos || fault != std::errc{} || at != end || info.id == 0 || equals + 1 == text.size())
        throw CLI::ValidationError("--class", "\"" + text + "\" names no class; expected ID=NAME, for example 2=pore");
    info.name = text.substr(equals + 1);
    info.colour = defaultClassColour(info.id);
    return info;
}

class Train : public Command {
public:
    void declare(CLI::App& app) override
    {
        app.add_option("--image", m_image, "image: file or folder, or FILE::/data/set")->required();
        app.add_option("--annotations", m_annotations, "integer volume of the image's shape: 0 unlabelled, 1... classes")->required();
        app.add_option("--model", m_model, "model file to write (.safetensors)")->required();
        app.add_option("--network", m_network, "msdnet or tunet")->check(CLI::IsMember({"msdnet", "tunet"}));
        app.add_option("--set", m_settings, "key=value: a setting of the network or of its training")->take_all();
        const auto seconds = app.add_option("--seconds", m_seconds, "wall time for everything, from reading to the written file")->check(CLI::PositiveNumber);
        app.add_option("--epochs", m_epochs, "so many epochs instead of a time")->check(CLI::PositiveNumber)->excludes(seconds);
        app.add_option("--init", m_initial, "model to go on from");
        app.add_option("--class", m_names, "ID=NAME: name of a class, where the annotations do not say it")->take_all();
        app.add_flag("--overwrite", m_overwrite, "replace an existing model");
    }

    json run(const CommonOptions& common, Progress& progress) override
    {
        const nn::TrainSettings base = parsedSettings(common);
        requireWritable();
        const std::int64_t budget = memoryBudget(common);
        const VolumePtr image = streamed(io::open(io::Source::parse(m_image)), budget / 2);
        tellWarnings(*image, progress);
        const io::Source annotationSource = io::Source::parse(m_annotations);
        const VolumePtr annotations = streamed(io::open(annotationSource), budget / 2);
        nn::TrainSettings settings = base;
        addClasses(io::readMaskMetadata(annotationSource).classes, settings);
        const nn::TrainResult result = networks(common).train(*image, *annotations, m_model, settings, progress);
        return {{"model", m_model}, {"network", result.network}, {"seconds", result.seconds}, {"epochs", result.epochs},
                {"parameters", result.parameters}, {"loss", result.loss}, {"validation", result.validation},
                {"labelledVoxels", result.labelledVoxels}};
    }

private:
    nn::TrainSettings parsedSettings(const CommonOptions& common) const
    {
        nn::TrainSettings settings;
        settings.network = m_network;
        for (const std::string& text : m_settings) {
            const auto [key, value] = parseSetting(text);
            settings.hyperParameters[key] = value;
        }
        if (m_seconds > 0)
            settings.seconds = m_seconds;
        if (m_epochs > 0)
            settings.epochs = m_epochs;
        settings.seed = common.seed;
        settings.initialModel = m_initial;
        for (const std::string& text : m_names)
            settings.classes.push_back(parseClass(text));
        settings.provenance = {{"image", m_image}, {"annotations", m_annotations}};
        settings.memoryBudgetBytes = memoryBudget(common);
        return settings;
    }

    /// Classes that the annotations name, under those named on the command line.
    static void addClasses(const std::vector<ClassInfo>& known, nn::TrainSettings& settings)
    {
        for (const ClassInfo& info : known) {
            const auto named = std::find_if(settings.classes.begin(), settings.classes.end(), [&](const ClassInfo& own) { return own.id == info.id; });
            if (named == settings.classes.end())
                settings.classes.push_back(info);
            else
                named->colour = info.colour;
        }
    }

    /// A model that cannot be written is told now, not after the training.
    void requireWritable() const
    {
        namespace fs = std::filesystem;
        const fs::path target(m_model);
        if (fs::is_directory(target))
            throw Error(ErrorCode::io, m_model + " is a folder; expected the name of a model file, for example " + (target / "model.safetensors").string());
        if (fs::exists(target) && !m_overwrite)
            throw Error(ErrorCode::io, m_model + " exists; choose another name, or --overwrite to replace it");
        requireDiskSpace(target, kModelBytes);
        const AtomicPath probe(target); // its destructor removes the trial file
        std::ofstream file(probe.temporary());
        if (!file)
            throwSystemError("cannot write a model to", m_model, errno);
    }

    std::string m_image;
    std::string m_annotations;
    std::string m_model;
    std::string m_network;
    std::vector<std::string> m_settings;
    double m_seconds = 0;
    int m_epochs = 0;
    std::string m_initial;
    std::vector<std::string> m_names;
    bool m_overwrite = false;
};

} // namespace

std::unique_ptr<Command> makeTrain()
{
    return std::make_unique<Train>();
}

} // namespace voxelscribe::engine
