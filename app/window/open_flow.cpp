#include "app/window/open_flow.h"

#include "app/window/engine_commands.h"
#include "core/project/project_list.h"

#include <QDir>
#include <QFileDialog>
#include <QSettings>
#include <QStandardPaths>
#include <algorithm>
#include <chrono>

namespace voxelscribe::window {

namespace fs = std::filesystem;

namespace {

const QString kRecent = QStringLiteral("recentProjects");   // of projects that a person saved somewhere
const QString kFolder = QStringLiteral("lastFolder");
constexpr int kMostRecent = 12;

std::vector<panels::RecentProject> recentProjects(const QStringList& saved)
{
    std::vector<project::ProjectSummary> found;
    try {
        found = project::listProjects(project::autosaveFolder());
    } catch (const std::exception&) {
        found.clear(); // an unreadable folder is nothing to offer; opening by hand says why
    }
    for (const QString& folder : saved) {
        try {
            found.push_back(project::summaryOf(folder.toStdString()));
        } catch (const std::exception&) {
            continue; // moved or removed meanwhile
        }
    }
    std::ranges::sort(found, std::greater<>{}, &project::ProjectSummary::lastChange);
    if (found.size() > kMostRecent)
        found.resize(kMostRecent);
    std::vector<panels::RecentProject> recent;
    for (const project::ProjectSummary& summary : found) {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(summary.lastChange.time_since_epoch()).count();
        recent.push_back({QString::fromStdString(summary.folder.string()), QString::fromStdString(summary.name),
                          QString::fromStdString(summary.imageSource), QDateTime::fromSecsSinceEpoch(seconds), summary.imageMissing});
    }
    return recent;
}

} // namespace

OpenFlow::OpenFlow(Session& session, JobBoard& jobs, panels::StartScreen& start, common::MessageBar& messages, QWidget* window)
    : QObject(window), m_session(session), m_jobs(jobs), m_start(start), m_messages(messages), m_window(window)
{
    connect(&start, &panels::StartScreen::openRequested, this, &OpenFlow::openPath);
    connect(&start, &panels::StartScreen::projectRequested, this, &OpenFlow::openPath);
    connect(&start, &panels::StartScreen::openFileDialogRequested, this, &OpenFlow::askForFile);
    connect(&start, &panels::StartScreen::openFolderDialogRequested, this, &OpenFlow::askForFolder);
    connect(&start, &panels::StartScreen::sampleRequested, this, &OpenFlow::openSample);
    connect(&session, &Session::opening, this, [this](const QString& path) {
        m_messages.clearAll();
        m_start.setBusy(tr("Opening %1…").arg(QDir::toNativeSeparators(path)));
    });
    connect(&session, &Session::opened, this, &OpenFlow::onOpened);
    connect(&session, &Session::openFailed, this, &OpenFlow::onFailed);
    connect(&session, &Session::closed, this, &OpenFlow::refreshRecent);
    connect(&session, &Session::movedTo, this, &OpenFlow::remember);
    refreshRecent();
}

void OpenFlow::openPath(const QString& path)
{
    m_last = {};
    m_last.path = path.toStdString();
    m_last.offerSeries = true;
    m_session.open(m_last);
}

void OpenFlow::ask(const QString& title, bool folder, const std::function<void(const QString&)>& then)
{
    auto* dialog = new QFileDialog(m_window, title, QSettings().value(kFolder).toString());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    dialog->setOption(QFileDialog::ShowDirsOnly, folder);
    if (!folder)
        dialog->setNameFilters({tr("Stacks (*.tif *.tiff *.h5 *.hdf5 *.nxs *.hdf)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [then](const QString& path) {
        QSettings().setValue(kFolder, QFileInfo(path).absolutePath());
        then(path);
    });
    dialog->open();
}

void OpenFlow::askForFile()
{
    ask(tr("Open an image stack"), false, [this](const QString& path) { openPath(path); });
}

void OpenFlow::askForFolder()
{
    ask(tr("Open a folder: a series of TIFF files or a Zarr"), true, [this](const QString& path) { openPath(path); });
}

void OpenFlow::askForProject()
{
    ask(tr("Open a project (a folder NAME.voxelscribe)"), true, [this](const QString& path) { openPath(path); });
}

void OpenFlow::openSample()
{
    const QString folder = QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)).filePath(QStringLiteral("voxelscribe/samples"));
    const QString image = QDir(folder).filePath(QStringLiteral("sample.tif"));
    const auto open = [this, image] {
        m_last = {};
        m_last.path = image.toStdString();
        for (const char* name : {"pore", "grain", "second mineral", "crack"})
            m_last.classes.push_back({0, name});
        m_session.open(m_last);
    };
    m_reader.post([folder, image] { return QFileInfo::exists(image) ? 1 : QDir().mkpath(folder) ? 0 : -1; }, this, [this, folder, image, open](int found) {
        if (found == 1)
            return open();
        if (found < 0)
            return onFailed(tr("Cannot make the folder %1 for the sample; free some space there or check its permissions.").arg(folder), false, {});
        m_start.setBusy(tr("Simulating a tomography stack…"));
        JobHandlers handlers;
        handlers.finished = [open](const QJsonObject&) { open(); };
        handlers.failed = [this](const QString&, const QString& message) { onFailed(message, false, {}); };
        handlers.cancelled = [this] { m_start.setBusy({}); };
        m_jobs.run(tr("Make the sample"), sampleCommand(image), std::move(handlers));
    });
}

void OpenFlow::saveAs()
{
    if (!m_session.isOpen())
        return;
    if (m_jobs.count() > 0) {
        m_messages.post({common::Severity::info, tr("A job is writing into this project; save it elsewhere when the job has ended."), {}, {}, {}, QStringLiteral("saveAs")});
        return;
    }
    auto* dialog = new QFileDialog(m_window, tr("Save project as"), QSettings().value(kFolder).toString());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setDefaultSuffix(QStringLiteral("voxelscribe"));
    dialog->setNameFilter(tr("Projects (*.voxelscribe)"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { m_session.saveAs(path.toStdString()); });
    dialog->open();
}

void OpenFlow::refreshRecent()
{
    m_reader.post([saved = QSettings().value(kRecent).toStringList()] { return recentProjects(saved); }, this,
                  [this](const std::vector<panels::RecentProject>& recent) { m_start.setRecentProjects(recent); });
}

void OpenFlow::onOpened()
{
    m_start.setBusy({});
    const OpenedStack& stack = m_session.stack();
    if (!m_session.isAutosaved())
        remember(QString::fromStdString(m_session.projectFolder().string()));
    if (!stack.pickedMember.empty()) {
        common::Notice notice;
        notice.text = tr("%1 is one of a series of %2 files; the whole series is open.")
                          .arg(QString::fromStdString(stack.pickedMember.filename().string()))
                          .arg(stack.volume->extent().z);
        notice.actionText = tr("Open only this file");
        notice.action = [this, member = stack.pickedMember.string()] {
            m_last = {};
            m_last.path = member;
            m_session.open(m_last);
        };
        m_messages.post(notice);
    }
    showNotices(stack.notices);
    if (m_session.isReadOnly())
        m_messages.post({common::Severity::warning,
                         stack.lockOwner.empty()
                             ? tr("This project cannot be written to, so it is open read-only: you can look, run nothing and paint nothing.")
                             : tr("This project is open in another window (%1), so here it is read-only. Close it there to paint here.")
                                   .arg(QString::fromStdString(stack.lockOwner)),
                         {}, {}, {}, QStringLiteral("readonly")});
}

void OpenFlow::showNotices(const std::vector<std::string>& notices)
{
    if (notices.empty())
        return;
    // One line, however many there are: the image needs the room, and step 1 lists them all.
    QStringList lines;
    for (const std::string& notice : notices)
        lines << QString::fromStdString(notice);
    common::Notice notice{common::Severity::warning, lines.front(), {}, {}, {}, QStringLiteral("opened")};
    if (lines.size() > 1) {
        notice.text = tr("%1 (and %2 more)").arg(lines.front()).arg(lines.size() - 1);
        notice.details = lines.join(QLatin1Char('\n'));
    }
    m_messages.post(notice);
}

void OpenFlow::onFailed(const QString& message, bool imageMissing, const QString& missingImage)
{
    m_start.setBusy({});
    common::Notice notice;
    notice.severity = common::Severity::error;
    notice.text = message;
    notice.key = QStringLiteral("open");
    if (imageMissing) {
        notice.actionText = tr("Show where it is…");
        notice.action = [this, missingImage] { relink(missingImage); };
    }
    m_messages.post(notice);
    refreshRecent();
}

void OpenFlow::relink(const QString& missingImage)
{
    const bool wasFolder = QFileInfo(missingImage).suffix().isEmpty();
    ask(tr("Where is %1 now?").arg(QFileInfo(missingImage).fileName()), wasFolder, [this](const QString& path) {
        m_last.relinkedImage = path.toStdString();
        m_session.open(m_last);
    });
}

void OpenFlow::remember(const QString& projectFolder)
{
    QSettings settings;
    QStringList saved = settings.value(kRecent).toStringList();
    saved.removeAll(projectFolder);
    saved.prepend(projectFolder);
    while (saved.size() > kMostRecent)
        saved.removeLast();
    settings.setValue(kRecent, saved);
}

} // namespace voxelscribe::window
