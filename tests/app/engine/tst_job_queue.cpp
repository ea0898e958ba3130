#include "app/engine/job_queue.h"

#include <QtTest/QtTest>

using namespace voxelscribe;
using engine::JobQueue;
using link::Priority;

namespace {

link::RunRequest job(std::int64_t id, Priority priority = Priority::normal)
{
    return {id, priority, {"info"}};
}

std::int64_t startedBy(JobQueue& queue)
{
    const auto next = queue.nextToStart();
    return next ? next->id : 0;
}

} // namespace

class TestJobQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsOneNormalJobAtATime()
    {
        JobQueue queue;
        queue.add(job(1));
        queue.add(job(2));
        QCOMPARE(startedBy(queue), 1);
        QCOMPARE(startedBy(queue), 0);
        queue.finished(1);
        QCOMPARE(startedBy(queue), 2);
        queue.finished(2);
        QVERIFY(queue.isIdle());
    }

    void pausesForPreviewsAndResumesAfterTheLast()
    {
        JobQueue queue;
        queue.add(job(1));
        QCOMPARE(startedBy(queue), 1);
        queue.add(job(2, Priority::preview));
        queue.add(job(3, Priority::preview));
        QCOMPARE(startedBy(queue), 2);
        QCOMPARE(startedBy(queue), 0);
        QVERIFY(queue.toPause() == 1);
        QVERIFY(!queue.toPause());
        queue.finished(2);
        QVERIFY(!queue.toResume());
        QCOMPARE(startedBy(queue), 3);
        QVERIFY2(!queue.toPause(), "it is paused already");
        queue.finished(3);
        QVERIFY(queue.toResume() == 1);
        QVERIFY(!queue.toResume());
    }

    void startsNoNormalJobBesideAPreview()
    {
        JobQueue queue;
        queue.add(job(1));
        queue.add(job(2, Priority::preview));
        QCOMPARE(startedBy(queue), 2);
        QCOMPARE(startedBy(queue), 0);
        QVERIFY(!queue.toPause());
        queue.finished(2);
        QCOMPARE(startedBy(queue), 1);
    }

    void forgetsAPausedJobThatEnds()
    {
        JobQueue queue;
        queue.add(job(1));
        QCOMPARE(startedBy(queue), 1);
        queue.add(job(2, Priority::preview));
        QCOMPARE(startedBy(queue), 2);
        QVERIFY(queue.toPause() == 1);
        queue.finished(1);
        queue.finished(2);
        QVERIFY(!queue.toResume());
        QVERIFY(queue.isIdle());
    }

    void takesWaitingJobsOut()
    {
        JobQueue queue;
        queue.add(job(1));
        queue.add(job(2));
        queue.add(job(3, Priority::preview));
        QCOMPARE(startedBy(queue), 3);
        QVERIFY(!queue.removeWaiting(3));
        QVERIFY(queue.removeWaiting(1));
        QVERIFY(!queue.removeWaiting(1));
        QVERIFY(!queue.holds(1) && queue.holds(2) && queue.holds(3));
    }
};

QTEST_GUILESS_MAIN(TestJobQueue)
#include "tst_job_queue.moc"
