#include "app/window/export_flow.h"

#include "widgets/panels/export_dialog.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

namespace voxelscribe::window {

ExportFlow::ExportFlow(Session& session, RunFlow& run, JobBoard& jobs, common::MessageBar& messages, QWidget* window)
    : QObject(window), m_session(session), m_run(run), m_jobs(jobs), m_messages(messages), m_window(window)
{
}

void ExportFlow::open()
{
    if (!m_session.isOpen() || !m_run.shown() || !m_run.mask())
        return;
    if (m_dialog != nullptr) {
        m_dialog->raise();
        m_dialog->activateWindow();
        return;
    }
    const OpenedStack& stack = m_session.stack();
    panels::ExportSubject subject;
    subject.extent = m_run.mask()->extent();
    subject.dtype = m_run.mask()->info().dtype;
    subject.voxelSizeUm = m_session.voxelSizeUm();
    for (const ClassInfo& info : m_run.shown()->classes) {
        const ClassInfo* own = m_session.findClass(info.id);
        subject.classes.push_back(own != nullptr ? *own : info);
    }
    subject.protectedPaths = {QString::fromStdString(stack.source.path.string()), QString::fromStdString(m_session.projectFolder().string())};
    subject.folder = QString::fromStdString(stack.source.path.parent_path().string());
    subject.baseName = QString::fromStdString(stack.source.path.stem().string()) + QStringLiteral("_masks");
    const auto done = std::ssize(m_run.shown()->slices);
    if (done < subject.extent.z)
        subject.warning = tr("Only %1 of %2 slices are segmented; the rest is 0.").arg(done).arg(subject.extent.z);
    m_dialog = new panels::ExportDialog(subject, m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &panels::ExportDialog::exportRequested, this, &ExportFlow::start);
    m_dialog->show();
}

void ExportFlow::start(const panels::ExportRequest& request)
{
    if (!m_run.shown())
        return;
    ExportChoice choice;
    choice.mask = QString::fromStdString(m_run.shown()->folder.string());
    choice.output = request.path;
    choice.colourTable = request.values == panels::ExportValues::colourTable;
    choice.perClass = request.values == panels::ExportValues::perClass;
    choice.scale255 = request.values == panels::ExportValues::scale255;
    choice.overwrite = request.overwrite;
    JobHandlers handlers;
    handlers.finished = [this, path = request.path](const QJsonObject&) {
        common::Notice notice;
        notice.text = tr("Exported to %1").arg(path);
        notice.actionText = tr("Open folder");
        notice.action = [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).absolutePath())); };
        notice.key = QStringLiteral("export");
        m_messages.post(notice);
    };
    handlers.failed = [this](const QString&, const QString& message) {
        m_messages.post({common::Severity::error, message, {}, {}, {}, QStringLiteral("export")});
    };
    m_messages.clear(QStringLiteral("export"));
    const auto renew = [folder = m_run.shown()->folder, classes = m_session.classes(), size = m_session.voxelSizeUm(),
                        mayWrite = !m_session.isReadOnly()] {
        try {
            if (mayWrite)
                describeResultAnew(folder, classes, size);
        } catch (const std::exception& error) {
            return QString::fromUtf8(error.what());
        }
        return QString();
    };
    // Names, colours and voxel size as they are now, not as they were when the model was trained.
    m_writer.post(renew, this, [this, choice, handlers](const QString& failure) {
        if (!failure.isEmpty())
            m_messages.post({common::Severity::warning, failure, {}, {}, {}, QStringLiteral("export")});
        m_jobs.run(tr("Export to %1").arg(QFileInfo(choice.output).fileName()), exportCommand(choice), handlers);
    });
}

} // namespace voxelscribe::window
