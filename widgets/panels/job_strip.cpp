#include "widgets/panels/job_strip.h"

#include "widgets/panels/job_row.h"

#include <QVBoxLayout>
#include <algorithm>
#include <vector>

namespace voxelscribe::panels {

struct JobStrip::Impl {
    QVBoxLayout* layout = nullptr;
    std::vector<JobRow*> rows;

    JobRow* find(qint64 id) const
    {
        const auto found = std::find_if(rows.begin(), rows.end(), [id](const JobRow* row) { return row->id() == id; });
        return found == rows.end() ? nullptr : *found;
    }
};

JobStrip::JobStrip(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("jobStrip"));
    setAccessibleName(tr("Jobs"));
    m_impl->layout = new QVBoxLayout(this);
    m_impl->layout->setContentsMargins(10, 4, 6, 4);
    m_impl->layout->setSpacing(2);
    hide();
}

JobStrip::~JobStrip() = default;

void JobStrip::setJob(const JobEntry& job)
{
    JobRow* row = m_impl->find(job.id);
    if (row == nullptr) {
        row = new JobRow(job.id, this);
        connect(row, &JobRow::cancelClicked, this, &JobStrip::cancelRequested);
        connect(row, &JobRow::dismissClicked, this, [this](qint64 id) {
            removeJob(id);
            Q_EMIT dismissed(id);
        });
        m_impl->rows.push_back(row);
        m_impl->layout->addWidget(row);
    }
    row->setJob(job);
    show();
}

void JobStrip::removeJob(qint64 id)
{
    JobRow* row = m_impl->find(id);
    if (row == nullptr)
        return;
    m_impl->rows.erase(std::find(m_impl->rows.begin(), m_impl->rows.end(), row));
    m_impl->layout->removeWidget(row);
    row->hide();
    // Not at once: its own button may be what removed it.
    row->deleteLater();
    setVisible(!m_impl->rows.empty());
}

int JobStrip::count() const
{
    return static_cast<int>(m_impl->rows.size());
}

} // namespace voxelscribe::panels
