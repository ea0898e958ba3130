#pragma once

#include "app/window/job_board.h"
#include "app/window/run_flow.h"
#include "app/window/session.h"
#include "widgets/common/message_bar.h"

#include <QObject>
#include <QPointer>

namespace voxelscribe::panels {
class ExportDialog;
struct ExportRequest;
} // namespace voxelscribe::panels

namespace voxelscribe::window {

/// Asks where masks go and lets the engine write them.
class ExportFlow : public QObject {
    Q_OBJECT
public:
    ExportFlow(Session& session, RunFlow& run, JobBoard& jobs, common::MessageBar& messages, QWidget* window);

    void open();

private:
    void start(const panels::ExportRequest& request);

    Session& m_session;
    RunFlow& m_run;
    JobBoard& m_jobs;
    common::MessageBar& m_messages;
    QWidget* m_window;
    QPointer<panels::ExportDialog> m_dialog;
    common::SerialWorker m_writer;
};

} // namespace voxelscribe::window
