#include "core/model/model_contract.h"

#include "core/base/error.h"
#include "core/model/safetensors.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace voxelscribe {
namespace {

constexpr const char* kMetadataKey = "voxelscribe";

/// A field of the contract. @throws Error(model) naming it.
template <typename T>
T field(const nlohmann::json& json, const char* name, const std::string& where)
{
    if (!json.is_object() || !json.contains(name))
        throw Error(ErrorCode::model, where + ": the model's contract has no \"" + name + "\"");
    try {
        return json.at(name).get<T>();
    } catch (const nlohmann::json::exception&) {
        throw Error(ErrorCode::model, where + ": \"" + name + "\" of the model's contract is of the wrong kind: " + json.at(name).dump().substr(0, 80));
    }
}

nlohmann::json normalisationJson(const Normalisation& rule)
{
    return {{"rule", rule.rule == Normalisation::Rule::slice ? "slice" : "volume"}, {"low", rule.low}, {"high", rule.high},
            {"lowFraction", rule.lowFraction}, {"highFraction", rule.highFraction}};
}

Normalisation parseNormalisation(const nlohmann::json& json, const std::string& where)
{
    Normalisation result;
    const auto rule = field<std::string>(json, "rule", where);
    if (rule != "slice" && rule != "volume")
        throw Error(ErrorCode::model, where + ": normalisation rule \"" + rule + "\" is unknown; this version knows volume and slice");
    result.rule = rule == "slice" ? Normalisation::Rule::slice : Normalisation::Rule::volume;
    result.low = field<double>(json, "low", where);
    result.high = field<double>(json, "high", where);
    result.lowFraction = field<double>(json, "lowFraction", where);
    result.highFraction = field<double>(json, "highFraction", where);
    if (!(0 <= result.lowFraction && result.lowFraction < result.highFraction && result.highFraction <= 1))
        throw Error(ErrorCode::model, where + ": the percentiles of the normalisation are not 0 <= low < high <= 1");
    return result;
}

std::vector<ClassInfo> parseClasses(const nlohmann::json& json, const std::string& where)
{
    std::vector<ClassInfo> classes;
    try {
        classes = field<std::vector<ClassInfo>>(json, "classes", where);
    } catch (const Error& error) {
        throw Error(ErrorCode::model, where + ": the classes of the model's contract cannot be read: " + error.what());
    }
    std::set<std::uint16_t> ids;
    for (const ClassInfo& info : classes)
        if (info.id == 0 || !ids.insert(info.id).second)
            throw Error(ErrorCode::model, where + ": class id " + std::to_string(info.id) + " of the model is 0 or stands there twice");
    if (classes.size() < 2 || classes.size() > 256)
        throw Error(ErrorCode::model, where + ": a model has 2 to 256 classes, this one " + std::to_string(classes.size()));
    return classes;
}

std::int64_t imageChannels(const VolumeInfo& image)
{
    std::int64_t channels = 1;
    for (std::size_t i = 0; i < image.axes.size() && i < image.shape.size(); ++i)
        if (image.axes[i] == 'c')
            channels *= image.shape[i];
    return channels;
}

std::string voxelText(const VoxelSizeUm& size)
{
    char text[96];
    std::snprintf(text, sizeof text, "%g × %g × %g µm", size.z, size.y, size.x);
    return text;
}

bool differs(double a, double b) { return std::abs(a - b) > 0.1 * std::max(std::abs(a), std::abs(b)); }

} // namespace

nlohmann::json ModelContract::toJson() const
{
    nlohmann::json json{{"formatVersion", formatVersion}, {"programVersion", programVersion}, {"network", network},
        {"hyperParameters", hyperParameters}, {"inputChannels", inputChannels}, {"axes", axes}, {"dtype", dtype},
        {"normalisation", normalisationJson(normalisation)}, {"voxelSizeUm", nullptr}, {"halo", halo}, {"alignment", alignment},
        {"classes", classes}, {"training", training}};
    if (voxelSizeUm)
        json["voxelSizeUm"] = {voxelSizeUm->z, voxelSizeUm->y, voxelSizeUm->x};
    return json;
}

ModelContract ModelContract::fromJson(const nlohmann::json& json, const std::string& where)
{
    ModelContract contract;
    contract.formatVersion = field<int>(json, "formatVersion", where);
    if (contract.formatVersion > kFormatVersion)
        throw Error(ErrorCode::model, where + ": the model has format version " + std::to_string(contract.formatVersion)
                                          + ", this program reads up to " + std::to_string(kFormatVersion)
                                          + "; it was written by a newer Voxelscribe (" + json.value("programVersion", "unknown version")
                                          + "): update this one");
    contract.programVersion = field<std::string>(json, "programVersion", where);
    contract.network = field<std::string>(json, "network", where);
    contract.hyperParameters = field<nlohmann::json>(json, "hyperParameters", where);
    contract.inputChannels = field<int>(json, "inputChannels", where);
    contract.axes = field<std::string>(json, "axes", where);
    contract.dtype = field<std::string>(json, "dtype", where);
    contract.normalisation = parseNormalisation(field<nlohmann::json>(json, "normalisation", where), where);
    if (json.contains("voxelSizeUm") && !json.at("voxelSizeUm").is_null()) {
        const auto size = field<std::vector<double>>(json, "voxelSizeUm", where);
        if (size.size() != 3)
            throw Error(ErrorCode::model, where + ": \"voxelSizeUm\" of the model's contract needs three numbers");
        contract.voxelSizeUm = VoxelSizeUm{size[0], size[1], size[2]};
    }
    contract.halo = field<std::int64_t>(json, "halo", where);
    contract.alignment = field<std::int64_t>(json, "alignment", where);
    contract.classes = parseClasses(json, where);
    contract.training = json.value("training", nlohmann::json::object());
    if (contract.inputChannels < 1 || contract.halo < 0 || contract.alignment < 1)
        throw Error(ErrorCode::model, where + ": inputChannels, halo or alignment of the model's contract is out of range");
    return contract;
}

ModelContract readModelContract(const std::filesystem::path& path)
{
    const auto metadata = readSafetensorsMetadata(path);
    const auto found = metadata.find(kMetadataKey);
    if (found == metadata.end())
        throw Error(ErrorCode::model, path.string() + " holds arrays but no Voxelscribe contract (metadata \"voxelscribe\"): "
                                          "it was written by another program; train a model here or convert it");
    const nlohmann::json json = nlohmann::json::parse(found->second, nullptr, false);
    if (json.is_discarded())
        throw Error(ErrorCode::model, path.string() + ": the model's contract is not JSON; the file is damaged");
    return ModelContract::fromJson(json, path.string());
}

void requireFits(const ModelContract& contract, const VolumeInfo& image)
{
    if (contract.axes != "yx")
        throw Error(ErrorCode::model, "the model works on axes \"" + contract.axes + "\", this version on single slices (\"yx\")");
    const std::int64_t channels = imageChannels(image);
    if (contract.inputChannels != channels)
        throw Error(ErrorCode::model, "the model was made for images of " + std::to_string(contract.inputChannels) + " channels, "
                                          + image.name + " has " + std::to_string(channels) + "; use a model trained on such images");
}

std::vector<std::string> contractWarnings(const ModelContract& contract, const VolumeInfo& image)
{
    std::vector<std::string> warnings;
    const std::string dtype(dtypeName(image.dtype));
    if (!contract.dtype.empty() && contract.dtype != dtype)
        warnings.push_back("The model was trained on " + contract.dtype + " images, this one is " + dtype
                           + (contract.normalisation.rule == Normalisation::Rule::volume
                                  ? ": its frozen grey range may not fit." : ": grey values are scaled slice by slice."));
    if (contract.voxelSizeUm && image.voxelSizeUm
        && (differs(contract.voxelSizeUm->y, image.voxelSizeUm->y) || differs(contract.voxelSizeUm->x, image.voxelSizeUm->x)))
        warnings.push_back("The model was trained at a voxel size of " + voxelText(*contract.voxelSizeUm) + ", this image has "
                           + voxelText(*image.voxelSizeUm) + ": structures look larger or smaller to it.");
    return warnings;
}

} // namespace voxelscribe
