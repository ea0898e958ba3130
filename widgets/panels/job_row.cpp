#include "widgets/panels/job_row.h"

#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/panels/parts.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace voxelscribe::panels {

namespace {

QString statusText(const JobEntry& job)
{
    switch (job.state) {
    case JobState::queued: return JobRow::tr("waiting");
    case JobState::running: return job.progress.text();
    case JobState::paused: return JobRow::tr("paused for a preview");
    case JobState::cancelling: return JobRow::tr("cancelling…");
    case JobState::failed: break;
    }
    return job.message;
}

} // namespace

JobRow::JobRow(qint64 id, QWidget* parent)
    : QWidget(parent), m_id(id), m_title(new QLabel(this)), m_status(common::makeNote({}, this)),
      m_bar(makeProgressBar({}, this)), m_detailsButton(makeButton({}, tr("Details"), tr("Show the job's last words"), this)),
      m_close(makeToolButton(QStringLiteral("close"), {}, {}, {}, this)), m_details(new QPlainTextEdit(this))
{
    setObjectName(QStringLiteral("job%1").arg(id));
    m_title->setObjectName(QStringLiteral("jobTitle"));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setMinimumWidth(m_title->fontMetrics().averageCharWidth() * 22);
    m_status->setObjectName(QStringLiteral("jobStatus"));
    m_status->setTextFormat(Qt::PlainText);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_bar->setFixedWidth(180);
    m_detailsButton->setObjectName(QStringLiteral("jobDetails"));
    m_detailsButton->setCheckable(true);
    common::setQuiet(m_detailsButton);
    m_close->setObjectName(QStringLiteral("jobCancel"));
    m_close->setIconSize({16, 16});
    m_details->setReadOnly(true);
    m_details->setTabChangesFocus(true);
    m_details->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_details->setFixedHeight(m_details->fontMetrics().lineSpacing() * 7);
    m_details->setAccessibleName(tr("Last words of the job"));
    m_details->hide();
    auto* line = new QHBoxLayout;
    line->setSpacing(12);
    line->addWidget(m_title);
    line->addWidget(m_bar);
    line->addWidget(m_status, 1);
    line->addWidget(m_detailsButton);
    line->addWidget(m_close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(line);
    layout->addWidget(m_details);
    connect(m_detailsButton, &QPushButton::toggled, m_details, &QWidget::setVisible);
    connect(m_close, &QToolButton::clicked, this, [this] {
        if (m_failed)
            Q_EMIT dismissClicked(m_id);
        else
            Q_EMIT cancelClicked(m_id);
    });
}

void JobRow::setJob(const JobEntry& job)
{
    m_failed = job.state == JobState::failed;
    const QString status = statusText(job);
    m_title->setText(job.title);
    m_status->setText(status);
    common::setTone(m_status, m_failed ? "error" : "muted");
    m_bar->setVisible(!m_failed);
    m_bar->setAccessibleName(tr("Progress of %1").arg(job.title));
    if (job.state == JobState::running)
        showPermille(m_bar, job.progress.permille());
    else if (job.state == JobState::queued)
        showPermille(m_bar, 0);
    setAccessibleName(QStringLiteral("%1: %2").arg(job.title, status));
    showButtons(job);
}

void JobRow::showButtons(const JobEntry& job)
{
    if (m_details->toPlainText() != job.details)
        m_details->setPlainText(job.details);
    m_detailsButton->setVisible(m_failed && !job.details.isEmpty());
    if (!m_failed)
        m_details->hide();
    m_close->setEnabled(job.state != JobState::cancelling);
    m_close->setIcon(common::icon(m_failed ? QStringLiteral("close") : QStringLiteral("stop")));
    if (m_failed)
        common::describe(m_close, tr("Dismiss %1").arg(job.title), tr("Dismiss this message"));
    else
        common::describe(m_close, tr("Cancel %1").arg(job.title), tr("Cancel this job"), QStringLiteral("Ctrl+."));
}

} // namespace voxelscribe::panels
