#include "app/window/run_flow.h"

#include "core/base/error.h"
#include "core/io/open.h"
#include "widgets/common/text.h"

#include <QDateTime>
#include <algorithm>
#include <variant>

namespace voxelscribe::window {

namespace fs = std::filesystem;

namespace {

const QString kPreview = QStringLiteral("preview.zarr");

struct OpenedResult {
    std::optional<StoredResult> result;
    VolumePtr mask;
    QString failure;
};

/// The job boundary of opening a result.
OpenedResult tryOpenResult(const fs::path& folder)
{
    try {
        return {readResult(folder), io::open(io::Source{folder, {}}), {}};
    } catch (const std::exception& error) {
        return {std::nullopt, nullptr, QString::fromUtf8(error.what())};
    }
}

panels::ResultEntry entryOf(const StoredResult& result)
{
    panels::ResultEntry entry;
    entry.id = QString::fromStdString(result.id);
    entry.when = QDateTime::fromSecsSinceEpoch(result.modifiedSeconds);
    entry.model = QString::fromStdString(result.modelName);
    entry.slicesDone = std::int64_t(result.slices.size());
    entry.slicesTotal = result.to - result.from;
    entry.complete = result.complete;
    return entry;
}

} // namespace

RunFlow::RunFlow(Session& session, TrainFlow& training, JobBoard& jobs, panels::RunPanel& runPanel, panels::CheckPanel& checkPanel,
                 common::MessageBar& messages, QObject* parent)
    : QObject(parent), m_session(session), m_training(training), m_jobs(jobs), m_runPanel(runPanel), m_checkPanel(checkPanel),
      m_messages(messages)
{
    connect(&runPanel, &panels::RunPanel::previewRequested, this, &RunFlow::preview);
    connect(&runPanel, &panels::RunPanel::runRequested, this, &RunFlow::runSlices);
    connect(&runPanel, &panels::RunPanel::resumeRequested, this, &RunFlow::resume);
    connect(&runPanel, &panels::RunPanel::cancelRequested, this, [this] { m_jobs.cancel(m_job); });
    connect(&checkPanel, &panels::CheckPanel::resultChosen, this,
            [this](const QString& id) { showResult(m_session.resultsFolder() / id.toStdString()); });
    connect(&training, &TrainFlow::modelChanged, this, &RunFlow::showModel);
    connect(&training, &TrainFlow::runningChanged, this, &RunFlow::showModel);
    connect(&m_tally, &MaskTally::changed, this, &RunFlow::showShares);
    connect(&session, &Session::opened, this, [this] {
        clear();
        m_runPanel.setSliceCount(m_session.stack().volume->extent().z);
        showModel();
        refreshResults(true);
    });
    connect(&session, &Session::closed, this, &RunFlow::clear);
    connect(&session, &Session::voxelSizeChanged, this, &RunFlow::showShares);
    connect(&session, &Session::classesChanged, this, &RunFlow::showShares);
    connect(&session, &Session::annotationsChanged, this, [this] {
        if (m_olderThanStrokes || !m_mask)
            return;
        m_olderThanStrokes = true;
        showNote();
    });
}

void RunFlow::clear()
{
    m_results.clear();
    m_runPanel.setResumable(std::nullopt);
    m_checkPanel.setResults({}, {});
    take(std::nullopt, nullptr);
}

void RunFlow::setCurrentSlice(std::int64_t z)
{
    m_currentSlice = z;
    m_runPanel.setCurrentSlice(z);
}

void RunFlow::showModel()
{
    if (m_session.isOpen() && m_session.isReadOnly())
        m_runPanel.setModel({}, tr("This project is read-only here, so nothing can be run."));
    else if (m_training.model())
        m_runPanel.setModel(QString::fromStdString(m_training.model()->path.filename().string()));
    else
        m_runPanel.setModel({}, m_training.isRunning() ? tr("The model is still being trained.") : tr("Train a model first, or load one (step 3)."));
}

RunChoice RunFlow::choiceFor(std::int64_t from, std::int64_t to, const QString& name) const
{
    RunChoice choice;
    choice.image = QString::fromStdString(m_session.stack().source.text());
    choice.model = QString::fromStdString(m_training.model()->path.string());
    choice.output = QString::fromStdString((m_session.resultsFolder() / name.toStdString()).string());
    choice.from = from;
    choice.to = to;
    choice.first = m_currentSlice;
    choice.voxelSizeUm = m_session.state().voxelSizeUm;
    return choice;
}

void RunFlow::preview()
{
    if (!m_session.isOpen() || !m_training.model() || m_session.isReadOnly())
        return;
    Run run{choiceFor(m_currentSlice, m_currentSlice + 1, kPreview), true, 0};
    run.choice.overwrite = true;
    begin(std::move(run));
}

void RunFlow::runAll()
{
    if (m_session.isOpen())
        runSlices(0, m_session.stack().volume->extent().z);
}

void RunFlow::runSlices(std::int64_t from, std::int64_t to)
{
    if (!m_session.isOpen() || !m_training.model() || isRunning() || m_session.isReadOnly())
        return;
    const QString name = QStringLiteral("run-%1.zarr").arg(QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss")));
    begin({choiceFor(from, to, name), false, 0});
}

void RunFlow::resume()
{
    const auto open = std::ranges::find_if(m_results, [](const StoredResult& result) { return !result.complete && result.id != kPreview.toStdString(); });
    if (open == m_results.end() || isRunning() || m_session.isReadOnly())
        return;
    Run run;
    run.choice.image = QString::fromStdString(m_session.stack().source.text());
    run.choice.model = QString::fromStdString(open->modelPath);
    run.choice.output = QString::fromStdString(open->folder.string());
    run.choice.from = open->from;
    run.choice.to = open->to;
    run.choice.first = m_currentSlice;
    run.choice.resume = true;
    run.choice.voxelSizeUm = m_session.state().voxelSizeUm;
    begin(std::move(run));
}

void RunFlow::begin(Run run)
{
    const Extent& extent = m_session.stack().volume->extent();
    run.voxels = (run.choice.to - run.choice.from) * extent.y * extent.x;
    JobHandlers handlers;
    handlers.progress = [this, run](const common::JobProgress& progress) { showRunning(run, progress); };
    handlers.event = [this, run](const QString& name, const QJsonObject& data) {
        if (name == QStringLiteral("chunk"))
            onChunk(run, data);
    };
    handlers.finished = [this, run](const QJsonObject&) { onEnded(run, {}); };
    handlers.cancelled = [this, run] {
        if (!run.isPreview)
            m_runPanel.setCancelled();
        onEnded(run, tr("The run was cancelled."));
    };
    handlers.failed = [this, run](const QString& code, const QString& message) {
        const bool died = code == QStringLiteral("died"); // the window tells of the engine's end, once for all its jobs
        if (died && !run.isPreview)
            m_runPanel.setFailed(tr("The engine ended before the run did. The finished slices are kept."));
        else if (!died && run.isPreview)
            m_messages.post({common::Severity::error, message, {}, {}, {}, QStringLiteral("preview")});
        else if (!died)
            m_runPanel.setFailed(message);
        onEnded(run, message);
    };
    m_messages.clear(QStringLiteral("preview"));
    if (run.isPreview) {
        m_jobs.run(tr("Preview of slice %1").arg(run.choice.from), runCommand(run.choice), std::move(handlers), link::Priority::preview);
        return;
    }
    m_running = run;
    m_clock.start();
    m_runPanel.setResumable(std::nullopt);
    m_runPanel.setStarted();
    m_job = m_jobs.run(tr("Run slices %1–%2").arg(run.choice.from).arg(run.choice.to - 1), runCommand(run.choice), std::move(handlers));
    Q_EMIT runningChanged();
}

void RunFlow::showRunning(const Run& run, const common::JobProgress& progress)
{
    if (run.isPreview)
        return;
    const double share = progress.total > 0 ? progress.done / progress.total : 0;
    const double voxels = share * double(run.voxels);
    const double seconds = double(m_clock.elapsed()) / 1000;
    m_runPanel.setProgress(progress, run.choice.resume || seconds < 1 ? 0 : voxels / seconds);
}

void RunFlow::onChunk(const Run& run, const QJsonObject& data)
{
    const fs::path folder = data.value(QStringLiteral("output")).toString().toStdString();
    const qint64 z = data.value(QStringLiteral("slice")).toInteger();
    if (folder.parent_path() != m_session.resultsFolder())
        return; // of a stack that is closed meanwhile
    if (m_shown && m_shown->folder == folder && !(run.isPreview && z != m_shown->from)) {
        m_tally.add(z, z + 1);
        if (std::ranges::find(m_shown->slices, z) == m_shown->slices.end())
            m_shown->slices.push_back(z);
        Q_EMIT maskSlicesFinished(z, z + 1);
    } else if (!m_maskIsOpening) {
        showResult(folder);
    }
}

void RunFlow::onEnded(const Run& run, const QString& interrupted)
{
    if (!run.isPreview) {
        m_job = 0;
        if (interrupted.isEmpty())
            m_runPanel.setFinished(tr("%1 in %2")
                                       .arg(common::formatCounted(run.choice.to - run.choice.from, tr("slice"), tr("slices")),
                                            common::formatDuration(double(m_clock.elapsed()) / 1000)));
        Q_EMIT runningChanged();
    }
    if (!m_session.isOpen())
        return;
    if (interrupted.isEmpty())
        showResult(run.choice.output.toStdString());
    refreshResults(false);
    if (!run.isPreview && interrupted.isEmpty())
        Q_EMIT finishedAll();
}

void RunFlow::showResult(const fs::path& folder)
{
    m_maskIsOpening = true;
    m_reader.post([folder] { return tryOpenResult(folder); }, this, [this](const OpenedResult& opened) {
        m_maskIsOpening = false;
        if (!m_session.isOpen())
            return;
        if (!opened.failure.isEmpty()) {
            m_messages.post({common::Severity::warning, opened.failure, {}, {}, {}, QStringLiteral("result")});
            return;
        }
        if (opened.result->folder.parent_path() != m_session.resultsFolder() || opened.mask->extent() != m_session.stack().volume->extent())
            return;
        take(opened.result, opened.mask);
    });
}

void RunFlow::take(const std::optional<StoredResult>& result, VolumePtr mask)
{
    const bool same = m_shown && result && m_shown->folder == result->folder && result->id != kPreview.toStdString();
    m_shown = result;
    m_checkPanel.setShown(m_shown ? QString::fromStdString(m_shown->id) : QString());
    if (!same) {
        m_mask = std::move(mask);
        m_olderThanStrokes = false;
        m_tally.setMask(m_mask);
        Q_EMIT maskChanged();
    }
    if (m_shown)
        for (const std::int64_t z : m_shown->slices)
            m_tally.add(z, z + 1);
    if (m_shown && !same)
        for (const std::int64_t z : m_shown->slices)
            Q_EMIT maskSlicesFinished(z, z + 1);
    showNote();
    showShares();
}

void RunFlow::refreshResults(bool showNewest)
{
    m_reader.post([folder = m_session.resultsFolder()] { return std::pair(folder, listResults(folder)); }, this,
                  [this, showNewest](const std::pair<fs::path, std::vector<StoredResult>>& found) {
                      if (!m_session.isOpen() || found.first != m_session.resultsFolder())
                          return;
                      m_results = found.second;
                      std::vector<panels::ResultEntry> entries;
                      for (const StoredResult& result : m_results)
                          if (result.id != kPreview.toStdString())
                              entries.push_back(entryOf(result));
                      m_checkPanel.setResults(entries, m_shown ? QString::fromStdString(m_shown->id) : QString());
                      const auto open = std::ranges::find_if(m_results, [](const StoredResult& r) { return !r.complete && r.id != kPreview.toStdString(); });
                      if (open != m_results.end() && !isRunning() && !m_session.isReadOnly())
                          m_runPanel.setResumable(panels::ResumableRun{std::int64_t(open->slices.size()), open->to - open->from, {}});
                      else
                          m_runPanel.setResumable(std::nullopt);
                      if (showNewest && !entries.empty())
                          showResult(m_session.resultsFolder() / entries.front().id.toStdString());
                  });
}

void RunFlow::showShares()
{
    if (!m_session.isOpen() || !m_shown || m_tally.slices() == 0) {
        m_checkPanel.setShares(std::nullopt);
        m_checkPanel.setExportBlocked(tr("Run the model first: there are no masks yet."));
        return;
    }
    const Extent& extent = m_session.stack().volume->extent();
    panels::VolumeShares shares;
    shares.voxels = m_tally.slices() * extent.y * extent.x;
    shares.slicesDone = m_tally.slices();
    shares.slicesTotal = extent.z;
    shares.voxelSizeUm = m_session.voxelSizeUm();
    for (const ClassInfo& info : m_shown->classes) {
        const ClassInfo* own = m_session.findClass(info.id);
        const auto found = m_tally.counts().find(info.id);
        shares.classes.push_back({own != nullptr ? *own : info, found == m_tally.counts().end() ? 0 : found->second, std::nullopt});
    }
    m_checkPanel.setShares(shares);
    m_checkPanel.setExportBlocked({});
}

void RunFlow::showNote()
{
    if (!m_shown)
        m_runPanel.setResultNote({});
    else if (m_olderThanStrokes)
        m_runPanel.setResultNote(tr("The masks shown are older than your newest strokes."));
    else
        m_runPanel.setResultNote({});
}

} // namespace voxelscribe::window
