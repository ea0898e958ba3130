#include "app/window/main_window.h"

#include "app/window/actions.h"
#include "app/window/export_flow.h"
#include "app/window/guide.h"
#include "app/window/open_flow.h"
#include "app/window/run_flow.h"
#include "app/window/train_flow.h"
#include "app/window/view_flow.h"
#include "core/base/bytes.h"
#include "widgets/common/command_palette.h"
#include "widgets/common/icons.h"
#include "widgets/common/shortcut_sheet.h"
#include "widgets/common/theme.h"
#include "widgets/panels/step_panel.h"

#include <QAction>
#include <QActionGroup>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace voxelscribe::window {

namespace {

/// Sample cache of the views: a share of what is free, within sensible bounds. The slice view takes half as much again,
/// so that browsing any stack stays below a gibibyte.
std::int64_t cacheBytes()
{
    return std::clamp<std::int64_t>(defaultMemoryBudgetBytes() / 4, 128 << 20, 640 << 20);
}

QWidget* column(QWidget* above, QWidget* below)
{
    auto* widget = new QWidget;
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(above);
    layout->addWidget(below, 1);
    return widget;
}

} // namespace

struct MainWindow::Impl {
    Impl(MainWindow& owner, common::Theme& ownTheme, const QString& engineProgram);

    void layOut();
    void addMenus();
    void addMenu(const QString& title, const QStringList& ids);
    void connectActions();
    void connectThemes();
    void connectEngine();
    void on(const QString& id, const std::function<void()>& what);
    void showTitle();
    void showGuidance();
    void suggestStep();
    bool asksBeforeClosing();
    JobFacts facts() const;

    MainWindow& window;
    common::Theme& theme;
    std::int64_t budget = cacheBytes();
    Session session{std::make_shared<ChunkCache>(budget)};
    EngineClient engine;
    common::ActionRegistry actions;

    common::MessageBar* messages = new common::MessageBar;
    panels::StartScreen* start = new panels::StartScreen;
    panels::StepPanel* steps = new panels::StepPanel;
    panels::DataPanel* data = new panels::DataPanel;
    panels::ClassPanel* classes = new panels::ClassPanel;
    panels::TrainPanel* train = new panels::TrainPanel;
    panels::RunPanel* run = new panels::RunPanel;
    panels::CheckPanel* check = new panels::CheckPanel;
    panels::PaintToolBar* toolBar = new panels::PaintToolBar;
    slice::SliceView* slice = new slice::SliceView;
    scene3d::SceneView* scene = new scene3d::SceneView;
    panels::JobStrip* strip = new panels::JobStrip;
    common::HintBar* hints = new common::HintBar;
    QStackedWidget* pages = new QStackedWidget;
    QSplitter* workspace = new QSplitter;
    bool mayClose = false; ///< although a training runs
    common::CommandPalette* palette;
    common::ShortcutSheet* sheet;

    JobBoard jobs{engine, *strip};
    OpenFlow opening{session, jobs, *start, *messages, &window};
    TrainFlow training{session, jobs, *train, *messages};
    RunFlow running{session, training, jobs, *run, *check, *messages};
    ViewFlow views{session, running, {slice, scene, toolBar, classes, data, hints, messages}};
    ExportFlow exporting{session, running, jobs, *messages, &window};
};

MainWindow::Impl::Impl(MainWindow& owner, common::Theme& ownTheme, const QString& engineProgram)
    : window(owner), theme(ownTheme), engine(engineProgram)
{
    layOut();
    palette = new common::CommandPalette(actions, &window);
    sheet = new common::ShortcutSheet(actions, &window);
    sheet->addLines(tr("In the slice view"), ViewFlow::mouseAndKeys());
    slice->setMemoryBudget(budget / 2);
    addAllActions(actions);
    actions.attachToWindow(&window);
    actions.attachToView(slice);
    addMenus();
    connectActions();
    connectThemes();
    connectEngine();
    QObject::connect(&session, &Session::opened, &window, [this] {
        pages->setCurrentWidget(workspace);
        hints->setVisible(true);
        showTitle();
    });
    QObject::connect(&session, &Session::closed, &window, [this] {
        pages->setCurrentWidget(start);
        hints->setVisible(false);
        jobs.forgetFailed();
        showTitle();
        showGuidance();
    });
    // Queued: whatever follows from the same event (model, results, classes) is known then.
    QObject::connect(&session, &Session::opened, &window, [this] { suggestStep(); }, Qt::QueuedConnection);
    QObject::connect(&session, &Session::classesChanged, &window, [this] { showGuidance(); }, Qt::QueuedConnection);
    QObject::connect(&session, &Session::historyChanged, &window, [this] { showGuidance(); }, Qt::QueuedConnection);
    QObject::connect(&session, &Session::voxelSizeChanged, &window, [this] { showGuidance(); }, Qt::QueuedConnection);
    QObject::connect(&training, &TrainFlow::modelChanged, &window, [this] { showGuidance(); });
    QObject::connect(&training, &TrainFlow::runningChanged, &window, [this] {
        messages->clear(QStringLiteral("closing"));
        showGuidance();
    });
    QObject::connect(&running, &RunFlow::runningChanged, &window, [this] { showGuidance(); });
    QObject::connect(&running, &RunFlow::maskChanged, &window, [this] { showGuidance(); });
    QObject::connect(&running, &RunFlow::maskSlicesFinished, &window, [this] { showGuidance(); });
    QObject::connect(&session, &Session::movedTo, &window, [this] { showTitle(); });
    QObject::connect(&session, &Session::saveFailed, &window, [this](const QString& message) {
        messages->post({common::Severity::error, tr("Not saved yet, trying again every few seconds: %1").arg(message), {}, {}, {}, QStringLiteral("save")});
    });
    QObject::connect(&session, &Session::saved, &window, [this] { messages->clear(QStringLiteral("save")); });
    showTitle();
}

void MainWindow::Impl::layOut()
{
    window.setWindowIcon(common::applicationIcon());
    window.setAcceptDrops(true);
    steps->setStepContent(panels::Step::data, data);
    steps->setStepContent(panels::Step::annotate, classes);
    steps->setStepContent(panels::Step::train, train, train->primaryButton());
    steps->setStepContent(panels::Step::run, run, run->primaryButton());
    steps->setStepContent(panels::Step::check, check, check->primaryButton());
    steps->setMinimumWidth(300);
    slice->setAccessibleName(tr("Slice view"));
    workspace->addWidget(steps);
    workspace->addWidget(column(toolBar, slice));
    workspace->addWidget(scene);
    workspace->setStretchFactor(0, 0);
    workspace->setStretchFactor(1, 3);
    workspace->setStretchFactor(2, 2);
    workspace->setSizes({340, 760, 480});
    workspace->setChildrenCollapsible(false);
    pages->addWidget(start);
    pages->addWidget(workspace);
    hints->setVisible(false);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(messages);
    layout->addWidget(pages, 1);
    layout->addWidget(strip);
    layout->addWidget(hints);
    window.setCentralWidget(content);
    constexpr int kFrame = 40; // what the desktop's title bar takes
    window.resize(QSize(1500, 900).boundedTo(window.screen()->availableSize() - QSize(0, kFrame)));
    window.restoreGeometry(QSettings().value(QStringLiteral("geometry")).toByteArray());
}

void MainWindow::Impl::addMenu(const QString& title, const QStringList& ids)
{
    QMenu* menu = window.menuBar()->addMenu(title);
    for (const QString& id : ids)
        if (id.isEmpty())
            menu->addSeparator();
        else
            menu->addAction(actions.action(id));
}

void MainWindow::Impl::addMenus()
{
    namespace a = actions;
    addMenu(tr("&File"), {a::openFile, a::openFolder, a::openProject, a::openSample, {}, a::saveAs, a::exportMasks, {}, a::close, a::quit});
    addMenu(tr("&Edit"), {a::undo, a::redo, {}, a::addClass, a::lockClass, a::clearSlice, {}, a::navigate, a::brush, a::eraser, a::fill, a::pick});
    addMenu(tr("&View"), {a::planeXy, a::planeXz, a::planeZy, {}, a::autoContrast, {}, a::show3d, a::image3d, a::mask3d, a::reset3d, {},
                          a::themeSystem, a::themeLight, a::themeDark});
    addMenu(tr("&Learning"), {a::train, a::loadModel, {}, a::preview, a::runAll, {}, a::cancel});
    addMenu(tr("&Help"), {a::palette, a::shortcuts});
}

void MainWindow::Impl::on(const QString& id, const std::function<void()>& what)
{
    QObject::connect(actions.action(id), &QAction::triggered, &window, what);
}

void MainWindow::Impl::connectActions()
{
    namespace a = actions;
    on(a::openFile, [this] { opening.askForFile(); });
    on(a::openFolder, [this] { opening.askForFolder(); });
    on(a::openProject, [this] { opening.askForProject(); });
    on(a::openSample, [this] { opening.openSample(); });
    on(a::saveAs, [this] { opening.saveAs(); });
    on(a::exportMasks, [this] { exporting.open(); });
    on(a::close, [this] { session.close(); });
    on(a::quit, [this] { window.close(); });
    on(a::undo, [this] { session.undo(); });
    on(a::redo, [this] { session.redo(); });
    on(a::addClass, [this] {
        if (session.isOpen() && !session.isReadOnly())
            session.addClass();
    });
    on(a::lockClass, [this] { views.toggleLock(); });
    on(a::previousClass, [this] { views.stepClass(-1); });
    on(a::nextClass, [this] { views.stepClass(1); });
    for (int number = 1; number <= 9; ++number)
        on(a::chooseClass(number), [this, number] { views.chooseClass(number); });
    on(a::clearSlice, [this] {
        if (session.isOpen() && !session.isReadOnly())
            session.clearSlice(slice->plane(), slice->slice());
    });
    for (const auto& [id, tool] : {std::pair{a::navigate, slice::Tool::navigate}, {a::brush, slice::Tool::brush},
                                   {a::eraser, slice::Tool::eraser}, {a::fill, slice::Tool::fill}, {a::pick, slice::Tool::pick}})
        on(id, [this, chosen = tool] { views.setTool(chosen); });
    for (const auto& [id, plane] : {std::pair{a::planeXy, Plane::xy}, {a::planeXz, Plane::xz}, {a::planeZy, Plane::zy}})
        on(id, [this, chosen = plane] { views.setPlane(chosen); });
    on(a::autoContrast, [this] { views.autoContrast(); });
    on(a::reset3d, [this] { scene->resetView(); });
    for (const QString& id : {a::show3d, a::image3d, a::mask3d})
        actions.action(id)->setChecked(true);
    QObject::connect(actions.action(a::show3d), &QAction::toggled, scene, &QWidget::setVisible);
    QObject::connect(actions.action(a::image3d), &QAction::toggled, scene, &scene3d::SceneView::setImageVisible);
    QObject::connect(actions.action(a::mask3d), &QAction::toggled, scene, &scene3d::SceneView::setMaskVisible);
    on(a::train, [this] { training.train(); });
    on(a::loadModel, [this] { training.askForModel(&window); });
    on(a::preview, [this] { running.preview(); });
    on(a::runAll, [this] { running.runAll(); });
    on(a::cancel, [this] {
        if (const qint64 job = jobs.current(); job != 0)
            jobs.cancel(job);
    });
    on(a::palette, [this] { palette->open(); });
    on(a::shortcuts, [this] { sheet->open(); });
    QObject::connect(check, &panels::CheckPanel::exportRequested, &window, [this] { exporting.open(); });
    QObject::connect(slice, &slice::SliceView::maximiseToggled, &window, [this] {
        const bool maximise = steps->isVisible();
        steps->setVisible(!maximise);
        scene->setVisible(!maximise && actions.action(a::show3d)->isChecked());
    });
}

void MainWindow::Impl::connectThemes()
{
    auto* group = new QActionGroup(&window);
    const QString stored = QSettings().value(QStringLiteral("colours")).toString();
    for (const auto& [id, scheme, name] : {std::tuple{actions::themeSystem, common::ColourScheme::system, "system"},
                                           {actions::themeLight, common::ColourScheme::light, "light"},
                                           {actions::themeDark, common::ColourScheme::dark, "dark"}}) {
        QAction* action = actions.action(id);
        group->addAction(action);
        action->setChecked(scheme == theme.scheme());
        QObject::connect(action, &QAction::triggered, &window, [this, chosen = scheme, word = QString::fromLatin1(name)] {
            theme.setScheme(chosen);
            QSettings().setValue(QStringLiteral("colours"), word);
        });
    }
}

void MainWindow::Impl::connectEngine()
{
    QObject::connect(&engine, &EngineClient::engineMissing, &window, [this](const QString& message) {
        messages->post({common::Severity::error, message, {}, {}, {}, QStringLiteral("engine")});
    });
    QObject::connect(&engine, &EngineClient::engineDied, &window, [this](const QString& lastWords, const QList<qint64>& lost) {
        common::Notice notice;
        notice.severity = common::Severity::error;
        notice.text = lost.isEmpty() ? tr("The engine ended unexpectedly. Your strokes are safe; it starts again with the next job.")
                                     : tr("The engine ended unexpectedly. Your strokes and all finished slices are safe.");
        notice.details = lastWords;
        notice.key = QStringLiteral("engine");
        if (running.isRunning() && !lost.isEmpty()) {
            notice.actionText = tr("Go on from there");
            notice.action = [this] { running.resume(); };
        }
        messages->post(notice);
    });
    QObject::connect(&engine, &EngineClient::engineSilent, &window, [this](const QString& message) {
        common::Notice notice{common::Severity::warning, message, {}, tr("End the engine"), [this] { engine.killEngine(); }, QStringLiteral("silent")};
        messages->post(notice);
    });
    QObject::connect(&engine, &EngineClient::engineHeard, &window, [this] { messages->clear(QStringLiteral("silent")); });
}

void MainWindow::Impl::showTitle()
{
    if (!session.isOpen()) {
        window.setWindowTitle(tr("Voxelscribe"));
        return;
    }
    const QString image = QString::fromStdString(session.stack().source.path.filename().string());
    const QString project = session.isAutosaved() ? QString() : QFileInfo(QString::fromStdString(session.projectFolder().string())).completeBaseName() + QStringLiteral(" – ");
    window.setWindowTitle(tr("%1%2%3 – Voxelscribe").arg(project, image, session.isReadOnly() ? tr(" (read-only)") : QString()));
}

JobFacts MainWindow::Impl::facts() const
{
    JobFacts facts;
    facts.isOpen = session.isOpen();
    if (!facts.isOpen)
        return facts;
    const VolumeInfo& info = session.stack().volume->info();
    facts.data = QStringLiteral("%1 × %2 × %3, %4").arg(info.extent.z).arg(info.extent.y).arg(info.extent.x).arg(QString::fromStdString(std::string(dtypeName(info.dtype))));
    facts.isVoxelSizeKnown = session.voxelSizeUm().has_value();
    for (const auto& [id, voxels] : session.labels().voxelsOfClass()) {
        facts.paintedClasses += voxels > 0 ? 1 : 0;
        facts.paintedVoxels += voxels;
    }
    facts.isTraining = training.isRunning();
    facts.hasModel = training.model().has_value();
    if (facts.hasModel)
        facts.model = QString::fromStdString(training.model()->path.stem().string());
    facts.isRunning = running.isRunning();
    facts.slicesTotal = info.extent.z;
    if (running.shown())
        facts.slicesDone = std::ssize(running.shown()->slices);
    return facts;
}

void MainWindow::Impl::showGuidance()
{
    const Guidance guidance = guide(facts());
    for (int i = 0; i < panels::kStepCount; ++i) {
        const auto step = static_cast<panels::Step>(i);
        const auto& line = guidance.lines[static_cast<std::size_t>(i)];
        const bool isCurrent = step == steps->currentStep() && line.state == panels::StepState::todo;
        steps->setStepState(step, isCurrent ? panels::StepState::current : line.state, line.summary);
        steps->setNextBlocked(step, line.nextBlocked);
    }
    const bool open = session.isOpen();
    const bool writable = open && !session.isReadOnly();
    for (const QString& id : {actions::close, actions::autoContrast})
        actions.action(id)->setEnabled(open);
    for (const QString& id : {actions::saveAs, actions::clearSlice, actions::addClass, actions::lockClass})
        actions.action(id)->setEnabled(writable);
    actions.action(actions::undo)->setEnabled(session.canUndo());
    actions.action(actions::redo)->setEnabled(session.canRedo());
    actions.action(actions::exportMasks)->setEnabled(open && running.shown().has_value());
    actions.action(actions::preview)->setEnabled(writable && training.model().has_value());
    actions.action(actions::runAll)->setEnabled(writable && training.model().has_value() && !running.isRunning());
}

void MainWindow::Impl::suggestStep()
{
    if (session.isOpen())
        steps->setCurrentStep(guide(facts()).suggested);
    showGuidance();
}

bool MainWindow::Impl::asksBeforeClosing()
{
    const QString key = QStringLiteral("closing");
    if (!(training.isRunning() || running.isRunning()) || mayClose || messages->has(key))
        return false;
    const QString text = training.isRunning() ? tr("The training is not finished, and closing ends it without a model.")
                                              : tr("A run is going on, and closing stops it. What is finished is kept, and it can be resumed later.");
    messages->post({common::Severity::warning, text, {}, tr("Close anyway"),
                    [this] {
                        mayClose = true;
                        window.close();
                    },
                    key});
    return true;
}

MainWindow::MainWindow(common::Theme& theme, const QString& engine, QWidget* parent)
    : QMainWindow(parent), m_impl(std::make_unique<Impl>(*this, theme, engine))
{
    connect(m_impl->steps, &panels::StepPanel::stepChosen, this, [this] { m_impl->showGuidance(); });
    m_impl->showGuidance();
}

MainWindow::~MainWindow() = default;

void MainWindow::openPath(const QString& path)
{
    m_impl->opening.openPath(path);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_impl->asksBeforeClosing()) {
        event->ignore();
        return;
    }
    QSettings().setValue(QStringLiteral("geometry"), saveGeometry());
    m_impl->session.flush();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    openPath(event->mimeData()->urls().front().toLocalFile());
}

} // namespace voxelscribe::window
