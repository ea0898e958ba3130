#include "tests/bench/bench_open.h"

#include "app/window/stack_loader.h"
#include "core/base/bytes.h"
#include "widgets/slice/slice_view.h"

#include <QApplication>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <unistd.h>

namespace voxelscribe::bench {

namespace {

/// The window's own rule for its sample cache; half as much again for tiles and pictures.
std::int64_t cacheBytes()
{
    return std::clamp<std::int64_t>(defaultMemoryBudgetBytes() / 4, 128 << 20, 640 << 20);
}

double milliseconds(const QElapsedTimer& timer)
{
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

std::int64_t residentBytes()
{
    std::ifstream statm("/proc/self/statm");
    std::int64_t whole = 0;
    std::int64_t resident = 0;
    statm >> whole >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

void waitUntilComplete(const slice::SliceView& view)
{
    QTimer tick; // so that the loop looks again though nothing else happens
    tick.start(1);
    while (!view.isComplete())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

/// As the window does once a stack is there.
void showMiddle(slice::SliceView& view, const window::OpenedStack& stack)
{
    view.setVolume(stack.volume);
    view.setAnnotations([&stack](const Region& region, std::span<std::uint16_t> out) { stack.labels.read(region, out); });
    slice::SliceAppearance appearance;
    appearance.contrastLow = stack.contrastLow;
    appearance.contrastHigh = stack.contrastHigh;
    view.setAppearance(appearance);
    view.setSlice(stack.volume->extent().z / 2);
    view.fitToView();
}

void dropFile(const QString& path)
{
    const int file = ::open(path.toLocal8Bit().constData(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ::fdatasync(file);
    ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    ::close(file);
}

} // namespace

QJsonObject measureOpening(const QString& path, int slices)
{
    const std::int64_t budget = cacheBytes();
    const auto cache = std::make_shared<ChunkCache>(budget);
    slice::SliceView view;
    view.setMemoryBudget(budget / 2);
    view.resize(1600, 1000);
    view.show();
    QApplication::processEvents();
    const std::int64_t before = residentBytes();

    QElapsedTimer timer;
    timer.start();
    const window::OpenedStack stack = window::openStack({path.toStdString(), false, {}, {}, {}}, cache);
    const double openMs = milliseconds(timer);
    double shownMs = 0;
    QObject::connect(&view, &slice::SliceView::firstSliceShown, &view, [&](qint64) { shownMs = shownMs > 0 ? shownMs : milliseconds(timer); });
    showMiddle(view, stack);
    while (shownMs == 0)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    const std::int64_t first = residentBytes();

    std::mt19937 random(1);
    std::vector<double> times;
    for (int i = 0; i < slices; ++i) {
        timer.start();
        view.setSlice(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(stack.volume->extent().z)));
        waitUntilComplete(view);
        times.push_back(milliseconds(timer));
    }
    std::sort(times.begin(), times.end());
    const Extent& extent = stack.volume->extent();
    return {{"extent", QString::fromStdString(extent.text())},
            {"format", QString::fromStdString(stack.listing.format)},
            {"openMs", openMs},
            {"firstSliceMs", shownMs},
            {"slices", slices},
            {"sliceMsMedian", times.empty() ? 0 : times[times.size() / 2]},
            {"sliceMsMax", times.empty() ? 0 : times.back()},
            {"cacheBudgetBytes", static_cast<qint64>(budget)},
            {"residentBytesBefore", static_cast<qint64>(before)},
            {"residentBytesFirstSlice", static_cast<qint64>(first)},
            {"residentBytes", static_cast<qint64>(residentBytes())},
            {"peakMemoryBytes", static_cast<qint64>(peakMemoryBytes())}};
}

void dropFromPageCache(const QString& path)
{
    if (QFileInfo(path).isFile())
        dropFile(path);
    for (QDirIterator it(path, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); it.hasNext();)
        dropFile(it.next());
}

} // namespace voxelscribe::bench
