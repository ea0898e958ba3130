#include "widgets/common/serial_worker.h"

namespace voxelscribe::common {

SerialWorker::SerialWorker() : m_context(new QObject)
{
    m_context->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_context, &QObject::deleteLater);
    m_thread.start();
}

SerialWorker::~SerialWorker()
{
    drain();
    m_thread.quit();
    m_thread.wait();
}

void SerialWorker::post(std::function<void()> task)
{
    QMetaObject::invokeMethod(m_context, std::move(task), Qt::QueuedConnection);
}

void SerialWorker::drain()
{
    QMetaObject::invokeMethod(m_context, [] {}, Qt::BlockingQueuedConnection);
}

} // namespace voxelscribe::common
