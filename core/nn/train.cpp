#include "core/nn/train.h"

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/model/normalise.h"
#include "core/nn/network.h"
#include "core/nn/teacher.h"
#include "core/nn/train_loop.h"
#include "core/nn/train_normalisation.h"
#include "core/nn/train_start.h"

#include <algorithm>
#include <map>

namespace voxelscribe::nn {
namespace {

using nlohmann::json;

constexpr std::int64_t kFewVoxels = 20;

/// One training from reading to the written file.
class Training {
public:
    Training(const Volume& image, const Volume& annotations, const std::filesystem::path& model, const TrainSettings& settings, Progress& progress)
        : m_image(image), m_annotations(annotations), m_model(model), m_settings(settings), m_progress(progress),
          m_budget(settings.seconds, settings.epochs)
    {
    }

    TrainResult run();

private:
    void notice(const std::string& text) { m_progress.event("notice", {{"text", text}}); }
    void warnOfRareClasses();
    std::vector<ClassInfo> classes() const;
    PlanSettings planSettings() const;
    void readCells();
    Cell readCell(const CellPlace& place, bool labelled);
    ValidationCell readValidationCell(const CellPlace& place);
    std::vector<float> readImage(std::int64_t z, const PixelRectangle& part);
    void askTeacher();
    json validationJson(const LoopResult& result) const;
    ModelContract contract(const LoopResult& result, const json& validation) const;

    const Volume& m_image;
    const Volume& m_annotations;
    std::filesystem::path m_model;
    const TrainSettings& m_settings;
    Progress& m_progress;
    TrainBudget m_budget;
    LabelMap m_map;
    ChosenNormalisation m_normalisation;
    StartingPoint m_start;
    TrainingPlan m_plan;
    TrainingData m_data;
    std::map<std::int64_t, GreyRange> m_ranges; ///< a slice
};

TrainResult Training::run()
{
    m_map = readLabelMap(m_annotations, m_image, m_progress);
    warnOfRareClasses();
    m_start = startingPoint(m_settings, m_map.ids);
    if (!m_start.notice.empty())
        notice(m_start.notice);
    m_normalisation = chooseNormalisation(m_image, m_progress);
    m_plan = planTraining(m_map, m_image.extent(), planSettings());
    if (!m_plan.shortened.empty())
        notice(m_plan.shortened);
    readCells();
    askTeacher();
    const LoopResult result = TrainLoop(*m_start.network, m_data, m_start.parameters, m_settings.seed, m_budget, m_progress).run();
    const json validation = validationJson(result);
    m_start.network->save(m_model, contract(result, validation));
    TrainResult finished;
    finished.network = m_start.network->spec().network;
    finished.seconds = m_budget.elapsed();
    finished.epochs = result.epochs;
    finished.parameters = m_start.network->parameterCount();
    finished.loss = result.loss;
    finished.validation = validation;
    finished.labelledVoxels = m_map.total();
    return finished;
}

void Training::warnOfRareClasses()
{
    for (std::size_t k = 0; k < m_map.ids.size(); ++k)
        if (m_map.counts[k] < kFewVoxels)
            notice("class " + std::to_string(m_map.ids[k]) + " has only " + std::to_string(m_map.counts[k])
                   + " labelled voxels; it will be learnt poorly: paint more of it");
}

std::vector<ClassInfo> Training::classes() const
{
    std::vector<ClassInfo> classes;
    for (const std::uint16_t id : m_map.ids) {
        const auto known = std::find_if(m_settings.classes.begin(), m_settings.classes.end(), [id](const ClassInfo& info) { return info.id == id; });
        classes.push_back(known != m_settings.classes.end() ? *known : ClassInfo{id, "class " + std::to_string(id), defaultClassColour(id)});
    }
    return classes;
}

PlanSettings Training::planSettings() const
{
    const std::int64_t budget = m_settings.memoryBudgetBytes > 0 ? m_settings.memoryBudgetBytes : defaultMemoryBudgetBytes();
    // A cell holds image, labels and opinions; half of the budget is left to the network.
    const std::int64_t bytesOfCell = 384 * 384 * (5 + std::ssize(m_map.ids));
    const std::int64_t most = std::max<std::int64_t>(8, budget / 2 / bytesOfCell);
    PlanSettings settings;
    settings.halo = m_start.network->halo();
    settings.mostLabelled = std::min(settings.mostLabelled, most * 3 / 4);
    settings.mostUnlabelled = std::min(settings.mostUnlabelled, most / 4);
    settings.seed = m_settings.seed;
    return settings;
}

std::vector<float> Training::readImage(std::int64_t z, const PixelRectangle& part)
{
    if (!m_ranges.contains(z))
        m_ranges[z] = greyRange(m_normalisation.rule, m_image, z);
    return readNormalised(m_image, part.region(z), m_ranges.at(z));
}

Cell Training::readCell(const CellPlace& place, bool labelled)
{
    Cell cell{place, readImage(place.z, place.part), {}, {}};
    if (labelled)
        cell.labels = readLabels(m_annotations, m_map, place.z, place.part);
    return cell;
}

ValidationCell Training::readValidationCell(const CellPlace& place)
{
    ValidationCell cell{place, place.part.grown(m_start.network->halo(), m_image.extent().y, m_image.extent().x), {}, {}};
    cell.image = readImage(place.z, cell.input);
    cell.labels = readLabels(m_annotations, m_map, place.z, place.part);
    return cell;
}

void Training::readCells()
{
    const auto total = std::ssize(m_plan.labelled) + std::ssize(m_plan.unlabelled) + std::ssize(m_plan.validation);
    std::int64_t done = 0;
    for (const CellPlace& place : m_plan.labelled) {
        m_progress.update("read", done++, total);
        m_data.cells.push_back(readCell(place, true));
    }
    for (const CellPlace& place : m_plan.unlabelled) {
        m_progress.update("read", done++, total);
        m_data.cells.push_back(readCell(place, false));
    }
    for (const CellPlace& place : m_plan.validation) {
        m_progress.update("read", done++, total);
        m_data.validation.push_back(readValidationCell(place));
    }
}

void Training::askTeacher()
{
    if (m_start.parameters.unlabelledWeight <= 0)
        return;
    TeacherSettings settings{static_cast<int>(m_map.ids.size()), m_start.parameters.trees, m_settings.seed, {}};
    if (m_budget.isTimed()) {
        constexpr double kMostShare = 0.25; // of what reading has left
        const double from = m_budget.elapsed();
        settings.timeUsed = [this, from] { return (m_budget.elapsed() - from) / std::max(0.1, kMostShare * (m_budget.seconds() - from)); };
    }
    m_data.hasOpinions = spreadLabels(m_data.cells, settings, m_progress) > 0;
}

json Training::validationJson(const LoopResult& result) const
{
    if (!result.validation)
        return {{"note", m_plan.note}};
    json iou = json::object();
    for (std::size_t k = 0; k < m_map.ids.size(); ++k)
        if (result.validation->iou[k] >= 0)
            iou[std::to_string(m_map.ids[k])] = result.validation->iou[k];
    return {{"loss", result.validation->loss}, {"meanIoU", result.validation->meanIou}, {"iou", iou},
            {"voxels", result.validation->voxels}, {"bestEpoch", result.keptEpoch}};
}

ModelContract Training::contract(const LoopResult& result, const json& validation) const
{
    ModelContract contract;
    contract.programVersion = VOXELSCRIBE_VERSION;
    contract.dtype = dtypeName(m_image.info().dtype);
    contract.normalisation = m_normalisation.rule;
    contract.voxelSizeUm = m_image.info().voxelSizeUm;
    contract.classes = classes();
    json labelled = json::object();
    for (std::size_t k = 0; k < m_map.ids.size(); ++k)
        labelled[std::to_string(m_map.ids[k])] = m_map.counts[k];
    contract.training = m_settings.provenance;
    contract.training.update({{"labelledVoxels", labelled}, {"annotatedSlices", m_map.slices()}, {"normalisation", m_normalisation.reason},
                              {"settings", toJson(m_start.parameters)}, {"seed", m_settings.seed}, {"seconds", m_budget.elapsed()},
                              {"epochs", result.epochs}, {"loss", result.loss}, {"validation", validation}});
    if (!m_settings.initialModel.empty())
        contract.training["initialModel"] = m_settings.initialModel.string();
    return contract;
}

} // namespace

TrainResult trainModel(const Volume& image, const Volume& annotations, const std::filesystem::path& model, const TrainSettings& settings,
                       Progress& progress)
{
    return Training(image, annotations, model, settings, progress).run();
}

} // namespace voxelscribe::nn
