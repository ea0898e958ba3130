#pragma once

#include "widgets/panels/job_strip.h"

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace voxelscribe::panels {

/// The line of one job.
class JobRow : public QWidget {
    Q_OBJECT
public:
    explicit JobRow(qint64 id, QWidget* parent = nullptr);
    qint64 id() const { return m_id; }
    void setJob(const JobEntry& job);

Q_SIGNALS:
    void cancelClicked(qint64 id);
    void dismissClicked(qint64 id);

private:
    void showButtons(const JobEntry& job);

    qint64 m_id;
    QLabel* m_title;
    QLabel* m_status;
    QProgressBar* m_bar;
    QPushButton* m_detailsButton;
    QToolButton* m_close;
    QPlainTextEdit* m_details;
    bool m_failed = false;
};

} // namespace voxelscribe::panels
