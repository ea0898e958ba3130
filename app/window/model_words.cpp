#include "app/window/model_words.h"

#include "widgets/common/text.h"

#include <QCoreApplication>

namespace voxelscribe::window {

namespace {

QString words(const char* text)
{
    return QCoreApplication::translate("voxelscribe::window::LoadedModel", text);
}

QString trainedOn(const nlohmann::json& training)
{
    QStringList parts;
    const std::string image = training.value("image", std::string());
    if (!image.empty())
        parts << QString::fromStdString(std::filesystem::path(image).filename().string());
    if (training.contains("labelledVoxels") && training["labelledVoxels"].is_object()) {
        std::int64_t voxels = 0;
        for (const auto& count : training["labelledVoxels"])
            voxels += count.is_number_integer() ? count.get<std::int64_t>() : 0;
        parts << common::formatCounted(voxels, words("labelled voxel"), words("labelled voxels"));
    }
    if (training.contains("seconds") && training["seconds"].is_number())
        parts << common::formatDuration(training["seconds"].get<double>());
    return parts.join(QStringLiteral(", "));
}

} // namespace

LoadedModel readModel(const std::filesystem::path& path, const VolumeInfo* image)
{
    LoadedModel model;
    model.path = path;
    model.contract = readModelContract(path);
    if (image != nullptr) {
        requireFits(model.contract, *image);
        for (const std::string& warning : contractWarnings(model.contract, *image))
            model.info.warnings << QString::fromStdString(warning);
    }
    const nlohmann::json validation = model.contract.training.value("validation", nlohmann::json::object());
    model.info.name = QString::fromStdString(path.filename().string());
    model.info.network = QString::fromStdString(model.contract.network);
    model.info.classes = model.contract.classes;
    model.info.trainedOn = trainedOn(model.contract.training);
    model.info.halo = model.contract.halo;
    model.info.figures = validationWords(validation);
    model.info.note = validationNote(validation);
    return model;
}

QString validationWords(const nlohmann::json& validation)
{
    if (!validation.is_object() || !validation.contains("meanIoU") || !validation["meanIoU"].is_number())
        return {};
    return words("Agreement with your strokes (IoU) %1").arg(validation["meanIoU"].get<double>(), 0, 'f', 2);
}

QString validationNote(const nlohmann::json& validation)
{
    if (validation.is_object() && validation.contains("note") && validation["note"].is_string())
        return QString::fromStdString(validation["note"].get<std::string>());
    return validationWords(validation).isEmpty()
               ? QString()
               : words("Measured on strokes that were held back; strokes lie where it is easy, so check the masks by eye.");
}

} // namespace voxelscribe::window
