#include "app/window/train_flow.h"

#include "app/window/engine_commands.h"
#include "core/base/error.h"
#include "widgets/common/text.h"

#include <QAbstractButton>
#include <QDateTime>
#include <QFileDialog>
#include <QJsonDocument>
#include <variant>

namespace voxelscribe::window {

namespace fs = std::filesystem;

namespace {

using ModelOutcome = std::variant<LoadedModel, QString>;

/// The job boundary of loading. A model from elsewhere is copied into the project, so that it stays with its results.
ModelOutcome tryRead(const fs::path& path, const fs::path& modelsFolder, bool copy, const VolumeInfo& image)
{
    try {
        LoadedModel model = readModel(path, &image);
        if (copy && path.parent_path() != modelsFolder) {
            fs::create_directories(modelsFolder);
            const fs::path own = modelsFolder / path.filename();
            if (!fs::exists(own) || fs::file_size(own) != fs::file_size(path))
                fs::copy_file(path, own, fs::copy_options::overwrite_existing);
            model.path = own;
        }
        return model;
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
}

panels::EpochPoint epochPoint(const QJsonObject& data)
{
    panels::EpochPoint point;
    point.epoch = data.value(QStringLiteral("epoch")).toInt();
    point.loss = data.value(QStringLiteral("loss")).toDouble();
    point.seconds = data.value(QStringLiteral("seconds")).toDouble();
    if (const auto loss = data.value(QStringLiteral("validationLoss")); loss.isDouble())
        point.validationLoss = loss.toDouble();
    if (const auto iou = data.value(QStringLiteral("validationIoU")); iou.isDouble())
        point.validationIoU = iou.toDouble();
    return point;
}

nlohmann::json toNlohmann(const QJsonObject& object)
{
    return nlohmann::json::parse(QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString(), nullptr, false);
}

} // namespace

TrainFlow::TrainFlow(Session& session, JobBoard& jobs, panels::TrainPanel& panel, common::MessageBar& messages, QObject* parent)
    : QObject(parent), m_session(session), m_jobs(jobs), m_panel(panel), m_messages(messages)
{
    connect(&panel, &panels::TrainPanel::trainRequested, this, &TrainFlow::start);
    connect(&panel, &panels::TrainPanel::cancelRequested, this, [this] { m_jobs.cancel(m_job); });
    connect(&panel, &panels::TrainPanel::loadModelRequested, this, [this] { askForModel(m_panel.window()); });
    connect(&panel, &panels::TrainPanel::choiceChanged, this, [this](const panels::TrainChoice& choice) {
        m_session.updateState([&](project::ProjectState& state) {
            state.settings["train"] = {{"network", choice.network.toStdString()}, {"seconds", choice.seconds}};
        });
    });
    connect(&session, &Session::opened, this, &TrainFlow::sessionOpened);
    connect(&session, &Session::closed, this, [this] {
        m_model.reset();
        m_panel.setModel(std::nullopt);
    });
    connect(&session, &Session::historyChanged, this, &TrainFlow::showMaterial);
    connect(&session, &Session::classesChanged, this, &TrainFlow::showMaterial);
}

void TrainFlow::train()
{
    if (m_panel.primaryButton()->isEnabled() && !isRunning())
        start(m_panel.choice());
}

void TrainFlow::start(const panels::TrainChoice& choice)
{
    if (!m_session.isOpen() || isRunning())
        return;
    // The engine reads strokes from disk: they must all be there first.
    m_session.afterSaved([this, choice] {
        if (!m_session.isOpen() || isRunning())
            return; // a second click before the strokes were on disk
        const QString name = QStringLiteral("model-%1.safetensors").arg(QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss")));
        TrainChoice wanted;
        wanted.image = QString::fromStdString(m_session.stack().source.text());
        wanted.annotations = QString::fromStdString(m_session.annotationsPath().string());
        wanted.model = QString::fromStdString((m_session.modelsFolder() / name.toStdString()).string());
        wanted.network = choice.network;
        wanted.seconds = choice.seconds;
        if (choice.continueFromModel && m_model)
            wanted.initialModel = QString::fromStdString(m_model->path.string());
        JobHandlers handlers;
        handlers.progress = [this](const common::JobProgress& progress) { m_panel.setProgress(progress); };
        handlers.event = [this](const QString& event, const QJsonObject& data) {
            if (event == QStringLiteral("epoch"))
                m_panel.addEpoch(epochPoint(data));
            else if (event == QStringLiteral("notice"))
                m_messages.post({common::Severity::info, data.value(QStringLiteral("text")).toString(), {}, {}, {}, QStringLiteral("train.notice")});
        };
        handlers.finished = [this, path = wanted.model, project = m_session.projectFolder()](const QJsonObject& result) {
            if (m_session.isOpen() && m_session.projectFolder() == project)
                return onFinished(path, result);
            ended(); // its stack is closed: this model is none of the present one's
            m_panel.setCancelled();
            m_messages.post({common::Severity::info, tr("The training of the stack that was open before is done: its model is %1.").arg(path), {}, {}, {}, {}});
        };
        handlers.failed = [this](const QString& code, const QString& message) {
            ended();
            m_panel.setFailed(code == QStringLiteral("died") ? tr("The engine ended while it was training. Your strokes are safe; train again.") : message);
        };
        handlers.cancelled = [this] {
            ended();
            m_panel.setCancelled();
        };
        m_messages.clear(QStringLiteral("train.notice"));
        m_job = m_jobs.run(tr("Train"), trainCommand(wanted), std::move(handlers));
        m_panel.setStarted();
        Q_EMIT runningChanged();
    });
}

void TrainFlow::onFinished(const QString& path, const QJsonObject& result)
{
    ended();
    const nlohmann::json validation = toNlohmann(result.value(QStringLiteral("validation")).toObject());
    QStringList figures;
    if (const QString agreement = validationWords(validation); !agreement.isEmpty())
        figures << agreement;
    figures << tr("loss %1").arg(result.value(QStringLiteral("loss")).toDouble(), 0, 'g', 3)
            << tr("%1 epochs in %2")
                   .arg(result.value(QStringLiteral("epochs")).toInt())
                   .arg(common::formatDuration(result.value(QStringLiteral("seconds")).toDouble()));
    m_panel.setFinished(figures.join(QStringLiteral(" · ")), validationNote(validation));
    useModel(path.toStdString(), false);
}

void TrainFlow::ended()
{
    m_job = 0;
    Q_EMIT runningChanged();
}

void TrainFlow::askForModel(QWidget* window)
{
    auto* dialog = new QFileDialog(window, tr("Load model"), QString(), tr("Models (*.safetensors);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { loadModel(path.toStdString()); });
    dialog->open();
}

void TrainFlow::loadModel(const fs::path& path)
{
    useModel(path, !m_session.isReadOnly());
}

void TrainFlow::useModel(const fs::path& path, bool copy)
{
    if (!m_session.isOpen())
        return;
    m_reader.post([path, folder = m_session.modelsFolder(), copy, image = m_session.stack().volume->info()] { return tryRead(path, folder, copy, image); },
                  this, [this, project = m_session.projectFolder()](const ModelOutcome& outcome) {
                      if (!m_session.isOpen() || m_session.projectFolder() != project)
                          return;
                      const QString key = QStringLiteral("model");
                      if (const auto* failure = std::get_if<QString>(&outcome)) {
                          m_messages.post({common::Severity::error, *failure, {}, {}, {}, key});
                          return;
                      }
                      m_messages.clear(key);
                      m_model = std::get<LoadedModel>(outcome);
                      m_panel.setModel(m_model->info);
                      const std::string name = m_model->path.filename().string();
                      if (m_session.state().activeModel != name)
                          m_session.updateState([&](project::ProjectState& state) { state.activeModel = name; });
                      Q_EMIT modelChanged();
                  });
}

void TrainFlow::sessionOpened()
{
    m_model.reset();
    m_panel.setModel(std::nullopt);
    m_panel.setBlocked(m_session.isReadOnly() ? tr("This project is open in another window; here it is read-only.") : QString());
    const nlohmann::json settings = m_session.state().settings.value("train", nlohmann::json::object());
    panels::TrainChoice choice = m_panel.choice();
    if (settings.contains("network") && settings["network"].is_string())
        choice.network = QString::fromStdString(settings["network"].get<std::string>());
    if (settings.contains("seconds") && settings["seconds"].is_number())
        choice.seconds = settings["seconds"].get<double>();
    choice.continueFromModel = false;
    m_panel.setChoice(choice);
    showMaterial();
    const std::string active = m_session.state().activeModel;
    if (!active.empty())
        useModel(m_session.modelsFolder() / active, false);
    else
        Q_EMIT modelChanged();
}

void TrainFlow::showMaterial()
{
    if (!m_session.isOpen())
        return;
    const auto& counts = m_session.labels().voxelsOfClass();
    std::vector<panels::LabelledClass> classes;
    for (const ClassInfo& info : m_session.classes()) {
        const auto found = counts.find(info.id);
        classes.push_back({info, found == counts.end() ? 0 : found->second});
    }
    m_panel.setMaterial(classes, std::int64_t(m_session.labels().labelledSlices().size()));
}

} // namespace voxelscribe::window
