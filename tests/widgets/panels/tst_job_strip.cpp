#include "find.h"
#include "widgets/panels/job_row.h"
#include "widgets/panels/job_strip.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

using namespace voxelscribe;
using namespace voxelscribe::panels;
using namespace voxelscribe::test;

namespace {

JobEntry job(qint64 id, JobState state)
{
    JobEntry made;
    made.id = id;
    made.title = QStringLiteral("Train");
    made.state = state;
    return made;
}

} // namespace

class TestJobStrip : public QObject {
    Q_OBJECT
    static QString status(JobStrip& strip) { return child<QLabel>(strip, "jobStatus")->text(); }

private Q_SLOTS:
    void takesNoRoomWhileEmpty()
    {
        JobStrip strip;
        QVERIFY(strip.isHidden());
        strip.setJob(job(7, JobState::queued));
        QVERIFY(strip.isVisible());
        QCOMPARE(status(strip), QStringLiteral("waiting"));
        strip.removeJob(8);
        QCOMPARE(strip.count(), 1);
        strip.removeJob(7);
        QVERIFY(strip.isHidden());
    }
    void updatesItsLine()
    {
        JobStrip strip;
        strip.setJob(job(7, JobState::queued));
        JobEntry running = job(7, JobState::running);
        running.progress = {QStringLiteral("Training"), 1, 2, 60.0};
        strip.setJob(running);
        QCOMPARE(strip.count(), 1);
        QCOMPARE(status(strip), QStringLiteral("Training · 50 % · about 1 min left"));
        QCOMPARE(strip.findChild<QProgressBar*>()->value(), 500);
        QVERIFY(strip.findChild<JobRow*>()->accessibleName().contains(QStringLiteral("Training")));
    }
    void unknownLengthShowsABusyBar()
    {
        JobStrip strip;
        strip.setJob(job(7, JobState::running));
        QCOMPARE(strip.findChild<QProgressBar*>()->maximum(), 0);
    }
    void cancelAsksOnce()
    {
        JobStrip strip;
        QSignalSpy cancelled(&strip, &JobStrip::cancelRequested);
        strip.setJob(job(7, JobState::running));
        click(child<QToolButton>(strip, "jobCancel"));
        QCOMPARE(cancelled.size(), 1);
        QCOMPARE(cancelled[0][0].toLongLong(), 7);
        strip.setJob(job(7, JobState::cancelling));
        click(child<QToolButton>(strip, "jobCancel"));
        QCOMPARE(cancelled.size(), 1);
    }
    void failureStaysUntilItIsDismissed()
    {
        JobStrip strip;
        QSignalSpy cancelled(&strip, &JobStrip::cancelRequested);
        QSignalSpy dismissed(&strip, &JobStrip::dismissed);
        JobEntry failed = job(7, JobState::failed);
        failed.message = QStringLiteral("The disk is full.");
        failed.details = QStringLiteral("errno 28");
        strip.setJob(failed);
        QCOMPARE(status(strip), QStringLiteral("The disk is full."));
        auto* details = strip.findChild<QPlainTextEdit*>();
        QVERIFY(!details->isVisible());
        click(child<QPushButton>(strip, "jobDetails"));
        QVERIFY(details->isVisible());
        QCOMPARE(details->toPlainText(), QStringLiteral("errno 28"));
        QTest::keyClick(child<QToolButton>(strip, "jobCancel"), Qt::Key_Space);
        QCOMPARE(cancelled.size(), 0);
        QCOMPARE(dismissed.size(), 1);
        QCOMPARE(strip.count(), 0);
    }
    void severalJobsKeepTheirOrder()
    {
        JobStrip strip;
        for (const qint64 id : {3, 1, 2})
            strip.setJob(job(id, JobState::queued));
        strip.setJob(job(1, JobState::paused));
        QCOMPARE(strip.count(), 3);
        const auto rows = strip.findChildren<JobRow*>();
        QCOMPARE(rows[0]->id(), 3);
        QCOMPARE(rows[2]->id(), 2);
    }
};

QTEST_MAIN(TestJobStrip)
#include "tst_job_strip.moc"
