#pragma once

#include <QObject>
#include <QPointer>
#include <QThread>
#include <functional>

namespace voxelscribe::common {

/// One thread that does the tasks it is given in order. What it is given must not touch widgets; answers go back with
/// `QMetaObject::invokeMethod` or through `then`.
class SerialWorker {
public:
    SerialWorker();
    ~SerialWorker();
    SerialWorker(const SerialWorker&) = delete;
    SerialWorker& operator=(const SerialWorker&) = delete;

    void post(std::function<void()> task);
    /// Does `task` on the worker, then `answer` with its result on the thread of `receiver`, if that still exists.
    template <typename Task, typename Answer>
    void post(Task task, QObject* receiver, Answer answer);
    /// Blocks until everything posted so far is done.
    void drain();

private:
    QThread m_thread;
    QObject* m_context;
};

template <typename Task, typename Answer>
void SerialWorker::post(Task task, QObject* receiver, Answer answer)
{
    post([task = std::move(task), guard = QPointer<QObject>(receiver), answer = std::move(answer)]() mutable {
        auto result = task();
        if (guard)
            QMetaObject::invokeMethod(
                guard.data(), [result = std::move(result), answer = std::move(answer)]() mutable { answer(std::move(result)); },
                Qt::QueuedConnection);
    });
}

} // namespace voxelscribe::common
