#include "app/window/session.h"

#include "core/base/error.h"

#include <algorithm>
#include <tuple>
#include <variant>

namespace voxelscribe::window {

namespace {

using OpenOutcome = std::variant<std::shared_ptr<OpenedStack>, OpenFailure>;

/// The job boundary of opening: every failure becomes words.
OpenOutcome tryOpen(const OpenRequest& request, const std::shared_ptr<ChunkCache>& cache)
{
    try {
        return std::make_shared<OpenedStack>(openStack(request, cache));
    } catch (const OpenFailure& failure) {
        return failure;
    } catch (const std::exception& error) {
        return OpenFailure{error.what(), false, {}};
    }
}

bool keyLess(const Extent& a, const Extent& b)
{
    return std::tie(a.z, a.y, a.x) < std::tie(b.z, b.y, b.x);
}

} // namespace

Session::Session(std::shared_ptr<ChunkCache> cache, QObject* parent)
    : QObject(parent), m_cache(std::move(cache)), m_unsavedChunks(&keyLess)
{
    m_saveAgain.setSingleShot(true);
    m_saveAgain.setInterval(5000);
    connect(&m_saveAgain, &QTimer::timeout, this, &Session::saveAgain);
}

Session::~Session() = default;

void Session::open(const OpenRequest& request)
{
    const int ticket = ++m_openTicket;
    Q_EMIT opening(QString::fromStdString(request.path));
    const auto start = [this, request, ticket] {
        m_loader.post([request, cache = m_cache] { return tryOpen(request, cache); }, this,
                      [this, ticket](OpenOutcome outcome) {
                          if (ticket != m_openTicket)
                              return; // another file was asked for meanwhile
                          if (const auto* failure = std::get_if<OpenFailure>(&outcome))
                              Q_EMIT openFailed(QString::fromStdString(failure->message), failure->imageMissing,
                                                QString::fromStdString(failure->missingImage));
                          else
                              takeOver(std::move(*std::get<0>(outcome)));
                      });
    };
    close();
    // The old project's lock goes first, so that opening the same image again finds it free.
    m_keeper.post([] { return 0; }, this, [start](int) { start(); });
}

void Session::takeOver(OpenedStack stack)
{
    m_open = std::make_unique<OpenedStack>(std::move(stack));
    m_project = std::shared_ptr<project::Project>(std::move(m_open->project));
    m_state = m_project->state();
    m_projectFolder = m_project->folder();
    m_readOnly = m_project->isReadOnly();
    m_classes.restore(m_state.classes, m_state.nextClassId);
    m_removedClasses.clear();
    m_activeClass = m_state.classes.empty() ? 0 : m_state.classes.front().id;
    m_editor = std::make_unique<labels::Editor>(m_open->labels, m_classes, voxelSizeUm());
    m_editor->onChunksChanged = [this](const auto& keys) { saveChunks(keys); };
    Q_EMIT opened();
    Q_EMIT classesChanged();
    Q_EMIT activeClassChanged(m_activeClass);
    Q_EMIT historyChanged();
}

void Session::close()
{
    if (!isOpen())
        return;
    if (m_editor->isStroking())
        endStroke();
    m_editor.reset();
    m_open.reset();
    m_classes = {};
    m_unsavedChunks.clear();
    m_stateUnsaved = false;
    m_projectFolder.clear();
    m_keeper.post([project = std::move(m_project)]() mutable { project.reset(); });
    m_project.reset();
    Q_EMIT closed();
}

bool Session::isReadOnly() const
{
    return m_readOnly;
}

bool Session::isAutosaved() const
{
    return m_projectFolder.parent_path() == project::autosaveFolder();
}

std::optional<VoxelSizeUm> Session::voxelSizeUm() const
{
    if (m_state.voxelSizeUm)
        return m_state.voxelSizeUm;
    return m_open ? m_open->volume->info().voxelSizeUm : std::nullopt;
}

void Session::setActiveClass(std::uint16_t id)
{
    if (id == m_activeClass || m_classes.find(id) == nullptr)
        return;
    m_activeClass = id;
    Q_EMIT activeClassChanged(id);
}

void Session::addClass(const QString& name)
{
    const std::uint16_t id = m_classes.add(name.toStdString()).id;
    saveState();
    Q_EMIT classesChanged();
    setActiveClass(id);
}

void Session::updateClass(const ClassInfo& info)
{
    m_classes.update(info);
    saveState();
    Q_EMIT classesChanged();
}

void Session::removeClass(std::uint16_t id)
{
    const ClassInfo* info = m_classes.find(id);
    if (info == nullptr)
        return;
    if (info->locked) {
        Q_EMIT editRefused(tr("%1 is locked; unlock it first, then remove it.").arg(QString::fromStdString(info->name)));
        return;
    }
    m_removedClasses.push_back(*info);
    const Region dirty = m_editor->clearClass(id);
    m_classes.remove(id);
    saveState();
    Q_EMIT classesChanged();
    changed(dirty);
    if (id == m_activeClass && !classes().empty())
        setActiveClass(classes().front().id);
}

void Session::setVoxelSizeUm(std::optional<VoxelSizeUm> size)
{
    if (size == m_state.voxelSizeUm)
        return;
    m_state.voxelSizeUm = size;
    m_editor->setVoxelSizeUm(voxelSizeUm());
    saveState();
    Q_EMIT voxelSizeChanged();
}

void Session::updateState(const std::function<void(project::ProjectState&)>& change)
{
    if (!isOpen())
        return;
    change(m_state);
    saveState();
}

void Session::beginStroke(Plane plane, std::int64_t slice, double radius, PlanePoint at, bool erase)
{
    labels::Brush brush;
    brush.radius = radius;
    brush.classId = erase ? std::uint16_t{0} : m_activeClass;
    brush.plane = plane;
    brush.slice = slice;
    edit([&] { return m_editor->beginStroke(brush, at); });
}

void Session::extendStroke(PlanePoint to)
{
    if (m_editor && m_editor->isStroking())
        edit([&] { return m_editor->extendStroke(to); });
}

void Session::endStroke()
{
    if (!m_editor || !m_editor->isStroking())
        return;
    m_editor->endStroke();
    Q_EMIT historyChanged();
}

void Session::cancelStroke()
{
    if (m_editor && m_editor->isStroking())
        changed(m_editor->cancelStroke());
}

Region Session::fill(Plane plane, std::int64_t slice, PlanePoint at, bool erase)
{
    labels::Brush brush;
    brush.classId = erase ? std::uint16_t{0} : m_activeClass;
    brush.plane = plane;
    brush.slice = slice;
    const Region dirty = edit([&] { return m_editor->fill(brush, at); });
    Q_EMIT historyChanged();
    return dirty;
}

void Session::clearSlice(Plane plane, std::int64_t slice)
{
    edit([&] { return m_editor->clearSlice(plane, slice); });
    Q_EMIT historyChanged();
}

void Session::undo()
{
    if (!canUndo())
        return;
    changed(m_editor->undo());
    reviveClasses();
    Q_EMIT historyChanged();
}

void Session::redo()
{
    if (!canRedo())
        return;
    changed(m_editor->redo());
    reviveClasses();
    Q_EMIT historyChanged();
}

bool Session::canUndo() const
{
    return m_editor && m_editor->canUndo();
}

bool Session::canRedo() const
{
    return m_editor && m_editor->canRedo();
}

QString Session::undoText() const
{
    return m_editor ? QString::fromStdString(m_editor->undoText()) : QString();
}

QString Session::redoText() const
{
    return m_editor ? QString::fromStdString(m_editor->redoText()) : QString();
}

void Session::afterSaved(std::function<void()> then)
{
    saveAgain();
    m_keeper.post([] { return 0; }, this, [this, then = std::move(then)](int) {
        if (m_unsavedChunks.empty() && !m_stateUnsaved)
            then();
    });
}

void Session::saveAs(const std::filesystem::path& target)
{
    withProject([this, target](project::Project& project) {
        project.moveTo(target);
        const std::filesystem::path folder = project.folder();
        QMetaObject::invokeMethod(
            this,
            [this, folder] {
                m_projectFolder = folder;
                Q_EMIT movedTo(QString::fromStdString(folder.string()));
            },
            Qt::QueuedConnection);
    }, [this](const QString& failure) { reportSave(failure); });
}

void Session::flush()
{
    if (m_editor && m_editor->isStroking())
        endStroke();
    m_keeper.drain();
}

Region Session::edit(const std::function<Region()>& change)
{
    try {
        const Region dirty = change();
        changed(dirty);
        return dirty;
    } catch (const Error& error) {
        Q_EMIT editRefused(QString::fromUtf8(error.what()));
    }
    return {};
}

void Session::changed(const Region& dirty)
{
    if (!dirty.extent.isEmpty())
        Q_EMIT annotationsChanged(dirty);
}

void Session::saveChunks(const std::vector<labels::LabelVolume::ChunkKey>& keys)
{
    // The worker gets a copy of just the changed chunks: painting goes on meanwhile.
    auto part = std::make_shared<labels::LabelVolume>(labels().copyOf(keys));
    withProject([part, keys](project::Project& project) { project.saveAnnotationChunks(*part, keys); },
                [this, keys](const QString& failure) {
                    if (!failure.isEmpty())
                        m_unsavedChunks.insert(keys.begin(), keys.end());
                    reportSave(failure);
                });
}

void Session::saveState()
{
    m_state.classes = m_classes.classes();
    m_state.nextClassId = m_classes.nextId();
    withProject([state = m_state](project::Project& project) { project.saveState(state); },
                [this](const QString& failure) {
                    m_stateUnsaved = !failure.isEmpty();
                    reportSave(failure);
                });
}

void Session::saveAgain()
{
    if (!isOpen())
        return;
    if (std::exchange(m_stateUnsaved, false))
        saveState();
    if (m_unsavedChunks.empty())
        return;
    const std::vector<labels::LabelVolume::ChunkKey> keys(m_unsavedChunks.begin(), m_unsavedChunks.end());
    m_unsavedChunks.clear();
    saveChunks(keys);
}

void Session::reportSave(const QString& failure)
{
    if (failure.isEmpty()) {
        Q_EMIT saved();
        return;
    }
    m_saveAgain.start();
    Q_EMIT saveFailed(failure);
}

void Session::reviveClasses()
{
    bool any = false;
    for (const ClassInfo& removed : m_removedClasses) {
        if (m_classes.find(removed.id) != nullptr || !labels().voxelsOfClass().contains(removed.id))
            continue;
        std::vector<ClassInfo> all = m_classes.classes();
        all.push_back(removed);
        std::ranges::sort(all, {}, &ClassInfo::id);
        m_classes.restore(std::move(all), m_classes.nextId());
        any = true;
    }
    if (!any)
        return;
    saveState();
    Q_EMIT classesChanged();
}

void Session::withProject(std::function<void(project::Project&)> task, std::function<void(const QString&)> done)
{
    if (m_readOnly || !m_project)
        return;
    m_keeper.post(
        [project = m_project, task = std::move(task)] {
            try {
                task(*project);
            } catch (const std::exception& error) {
                return QString::fromUtf8(error.what());
            }
            return QString();
        },
        this, std::move(done));
}

} // namespace voxelscribe::window
