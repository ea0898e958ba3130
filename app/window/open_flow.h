#pragma once

#include "app/window/job_board.h"
#include "app/window/session.h"
#include "widgets/common/message_bar.h"
#include "widgets/panels/start_screen.h"

#include <QObject>
#include <QStringList>

class QWidget;

namespace voxelscribe::window {

/// Every way to open something: dialogs, drops, the sample, recent projects, a moved image.
class OpenFlow : public QObject {
    Q_OBJECT
public:
    OpenFlow(Session& session, JobBoard& jobs, panels::StartScreen& start, common::MessageBar& messages, QWidget* window);

    /// A file, folder, FILE::/data/set or project. A picked member opens its whole series.
    void openPath(const QString& path);
    void askForFile();
    void askForFolder();
    void askForProject();
    void openSample();
    void saveAs();
    /// Looks for recent projects again, on a worker.
    void refreshRecent();

private:
    void ask(const QString& title, bool folder, const std::function<void(const QString&)>& then);
    void onOpened();
    void showNotices(const std::vector<std::string>& notices);
    void onFailed(const QString& message, bool imageMissing, const QString& missingImage);
    void relink(const QString& missingImage);
    void remember(const QString& projectFolder);

    Session& m_session;
    JobBoard& m_jobs;
    panels::StartScreen& m_start;
    common::MessageBar& m_messages;
    QWidget* m_window;
    OpenRequest m_last;
    common::SerialWorker m_reader;
};

} // namespace voxelscribe::window
