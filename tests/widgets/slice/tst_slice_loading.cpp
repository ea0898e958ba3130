#include "tests/widgets/slice/synthetic_volume.h"
#include "tests/widgets/slice/view_fixture.h"
#include "widgets/slice/slice_view.h"

#include <QMouseEvent>
#include <QSignalSpy>
#include <set>

using namespace voxelscribe;
using namespace voxelscribe::slice;
using namespace voxelscribe::test;

/// Slow, failing and huge volumes: the view stays awake, shows nothing that is not so, and reads no more than it must.
class TestSliceLoading : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSlowFileBlocksNothing();
    void staleSlicesAreDropped();
    void noPaintingOnThePictureBefore();
    void destructionDoesNotWait();
    void nextVolumeDoesNotWait();
    void firstSliceIsToldOnce();
    void neighboursAreReadAhead();
    void openingReadsTheChosenSliceOnly();
    void hiddenViewsReadNothing();
    void aBadSliceIsToldOthersStayFine();
    void aBadSliceIsTriedAgain();
    void aBadMaskIsToldTheImageStays();
    void hugeVolumesReadWhatShows();
    void hugeSlicesFromAfar();
    void coarserPictureUntilTheFinerComes();
};

/// Grey 10·z everywhere; each read passes `gate`.
static VolumePtr gatedVolume(Gate& gate, const Extent& extent = {20, 6, 9})
{
    return std::make_shared<SyntheticVolume<std::uint8_t>>(extent, DType::uint8, [&gate](auto z, auto y, auto x) {
        if (y == 0 && x == 0)
            gate.pass();
        return static_cast<std::uint8_t>(10 * z);
    });
}

static QColor middle(SliceView& view)
{
    return view.grab().toImage().pixelColor(view.rect().center());
}

void TestSliceLoading::aSlowFileBlocksNothing()
{
    Gate gate;
    SliceView view;
    const GateOpener opener(gate);
    view.setVolume(gatedVolume(gate));
    view.setSlice(5);
    showView(view, {600, 400});
    QCOMPARE(picture(view).pixelColor(300, 200), grey(50));
    QTRY_COMPARE_WITH_TIMEOUT(gate.waiting(), 0, kPatienceMs);
    gate.close();
    view.setSlice(15);
    QTRY_VERIFY_WITH_TIMEOUT(gate.waiting() > 0, kPatienceMs);
    const QImage waiting = view.grab().toImage();
    QCOMPARE(waiting.pixelColor(300, 200), grey(50)); // the picture before stays
    QVERIFY(!view.isComplete());
    QTest::keyClick(&view, Qt::Key_Plus);             // and the hands are free
    QTest::keyClick(&view, Qt::Key_F);
    QCOMPARE(middle(view), grey(50));
    QTRY_VERIFY_WITH_TIMEOUT(view.grab().toImage() != waiting, kPatienceMs); // after a while it says that it loads
    QCOMPARE(middle(view), grey(50));
    gate.open();
    QTRY_COMPARE_WITH_TIMEOUT(middle(view), grey(150), kPatienceMs);
    QVERIFY(view.isComplete());
}

void TestSliceLoading::staleSlicesAreDropped()
{
    Gate gate;
    const GateOpener opener(gate);
    std::set<int> seen;
    SliceView view;
    const auto volume = gatedVolume(gate, {200, 6, 9});
    const auto& counts = static_cast<const SyntheticVolume<std::uint8_t>&>(*volume);
    view.setVolume(volume);
    showView(view, {600, 400});
    picture(view);
    QTRY_COMPARE_WITH_TIMEOUT(gate.waiting(), 0, kPatienceMs);
    gate.close();
    for (int i = 0; i < 60; ++i)
        QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(view.slice(), qint64{60});
    const int before = middle(view).red();
    QVERIFY2(before <= 50, qPrintable(QString::number(before))); // what had been read ahead
    gate.open();
    QTRY_VERIFY_WITH_TIMEOUT((seen.insert(middle(view).red()), view.isComplete()), kPatienceMs);
    seen.insert(middle(view).red());
    QCOMPARE(seen, (std::set<int>{before, (10 * 60) % 256})); // nothing in between has been shown
    int read = 0;
    for (std::int64_t z = 5; z < 55; ++z)
        read += counts.readsOfSlice(z) > 0 ? 1 : 0;
    QVERIFY2(read <= 4, qPrintable(QString::number(read))); // no more than had begun
}

void TestSliceLoading::noPaintingOnThePictureBefore()
{
    Gate gate;
    SliceView view;
    const GateOpener opener(gate);
    view.setVolume(gatedVolume(gate));
    view.setTool(Tool::brush);
    showView(view, {600, 400});
    picture(view);
    QTRY_COMPARE_WITH_TIMEOUT(gate.waiting(), 0, kPatienceMs);
    QSignalSpy began(&view, &SliceView::strokeBegan);
    QSignalSpy refused(&view, &SliceView::paintingRefused);
    gate.close();
    view.setSlice(15);
    QTest::mouseClick(&view, Qt::LeftButton, {}, {300, 200});
    QCOMPARE(began.count(), 0);
    QVERIFY(refused.first().first().toString().contains(QStringLiteral("16")));
    gate.open();
    QTRY_VERIFY_WITH_TIMEOUT(view.isComplete(), kPatienceMs);
    QTest::mouseClick(&view, Qt::LeftButton, {}, {300, 200});
    QCOMPARE(began.count(), 1);
}

void TestSliceLoading::destructionDoesNotWait()
{
    Gate gate;
    const GateOpener opener(gate);
    gate.close();
    {
        SliceView view;
        view.setVolume(gatedVolume(gate));
        showView(view, {600, 400});
        QTRY_VERIFY_WITH_TIMEOUT(gate.waiting() > 0, kPatienceMs);
    }
    QVERIFY(gate.waiting() > 0); // the view is gone, the read still waits
    gate.open();
    QTRY_COMPARE_WITH_TIMEOUT(gate.waiting(), 0, kPatienceMs);
}

void TestSliceLoading::nextVolumeDoesNotWait()
{
    Gate slow;
    SliceView view;
    const GateOpener opener(slow);
    slow.close();
    view.setVolume(gatedVolume(slow));
    showView(view, {600, 400});
    QTRY_VERIFY_WITH_TIMEOUT(slow.waiting() > 0, kPatienceMs);
    Gate open;
    view.setVolume(gatedVolume(open));
    view.setSlice(7);
    QCOMPARE(picture(view).pixelColor(300, 200), grey(70));
    slow.open();
    QTRY_COMPARE_WITH_TIMEOUT(slow.waiting(), 0, kPatienceMs);
    QCoreApplication::processEvents();
    QCOMPARE(middle(view), grey(70)); // nothing of the volume before comes through
}

void TestSliceLoading::firstSliceIsToldOnce()
{
    Gate gate;
    SliceView view;
    const GateOpener opener(gate);
    QSignalSpy first(&view, &SliceView::firstSliceShown);
    gate.close();
    view.setVolume(gatedVolume(gate));
    showView(view, {600, 400});
    QTRY_VERIFY_WITH_TIMEOUT(gate.waiting() > 0, kPatienceMs);
    view.grab();
    QCoreApplication::processEvents();
    QCOMPARE(first.count(), 0); // an empty view is no slice
    gate.open();
    QTRY_COMPARE_WITH_TIMEOUT(first.count(), 1, kPatienceMs);
    QVERIFY(first.first().first().toLongLong() >= 0);
    view.setSlice(4);
    picture(view);
    QCoreApplication::processEvents();
    QCOMPARE(first.count(), 1);
    view.setVolume(gatedVolume(gate));
    QTRY_COMPARE_WITH_TIMEOUT(first.count(), 2, kPatienceMs);
}

void TestSliceLoading::neighboursAreReadAhead()
{
    const auto volume = std::make_shared<SyntheticVolume<std::uint8_t>>(Extent{20, 6, 9}, DType::uint8,
                                                                        [](auto z, auto, auto) { return static_cast<std::uint8_t>(10 * z); });
    SliceView view;
    view.setVolume(volume);
    view.setSlice(10);
    showView(view, {600, 400});
    QTRY_VERIFY_WITH_TIMEOUT(volume->readsOfSlice(11) > 0 && volume->readsOfSlice(9) > 0 && volume->readsOfSlice(12) > 0, kPatienceMs);
    QCOMPARE(volume->readsOfSlice(10), std::int64_t{1});
    QCOMPARE(volume->readsOfSlice(15), std::int64_t{0});
}

void TestSliceLoading::openingReadsTheChosenSliceOnly()
{
    const auto volume = std::make_shared<SyntheticVolume<std::uint8_t>>(Extent{90, 6, 9}, DType::uint8,
                                                                        [](auto, auto, auto) { return std::uint8_t{1}; });
    SliceView view;
    showView(view, {600, 400});
    view.setPlane(Plane::zy);
    view.setVolume(volume);
    QVERIFY(!view.isComplete());
    view.setPlane(Plane::xy);
    view.setSlice(45);
    QTRY_VERIFY_WITH_TIMEOUT(view.isComplete(), kPatienceMs);
    for (const std::int64_t z : {0, 1, 40, 50, 89})
        QCOMPARE(volume->readsOfSlice(z), std::int64_t{0});
}

void TestSliceLoading::hiddenViewsReadNothing()
{
    const auto volume = std::make_shared<SyntheticVolume<std::uint8_t>>(Extent{20, 6, 9}, DType::uint8,
                                                                        [](auto, auto, auto) { return std::uint8_t{1}; });
    SliceView view;
    view.setVolume(volume);
    view.setPlane(Plane::xz);
    view.setSlice(3);
    QCoreApplication::processEvents();
    QCOMPARE(volume->voxelsRead(), std::int64_t{0});
    showView(view, {600, 400});
    QTRY_VERIFY_WITH_TIMEOUT(view.isComplete(), kPatienceMs);
}

void TestSliceLoading::aBadSliceIsToldOthersStayFine()
{
    SliceView view;
    QSignalSpy failed(&view, &SliceView::readFailed);
    view.setVolume(std::make_shared<SyntheticVolume<std::uint8_t>>(Extent{9, 6, 9}, DType::uint8, [](auto z, auto, auto) {
        if (z == 4)
            throw Error(ErrorCode::io, "scan_0004.tif is truncated");
        return static_cast<std::uint8_t>(10 * z);
    }));
    view.setSlice(3);
    showView(view, {600, 400});
    QCOMPARE(picture(view).pixelColor(300, 100), grey(30));
    QCOMPARE(failed.count(), 0); // read ahead, but nobody looks at it
    view.setSlice(4);
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMs);
    QVERIFY(failed.first().first().toString().contains(QStringLiteral("scan_0004.tif is truncated")));
    QVERIFY(failed.first().first().toString().contains(QStringLiteral("lice 4")));
    QVERIFY(picture(view).pixelColor(300, 100) != grey(30)); // the slice before does not stand in for it
    view.setSlice(5);
    QCOMPARE(picture(view).pixelColor(300, 100), grey(50));
    QCOMPARE(picture(view).pixelColor(300, 200), grey(50)); // the message is gone
    QCOMPARE(failed.count(), 1);
}

void TestSliceLoading::aBadSliceIsTriedAgain()
{
    auto works = std::make_shared<std::atomic<bool>>(false);
    SliceView view;
    QSignalSpy failed(&view, &SliceView::readFailed);
    view.setVolume(std::make_shared<SyntheticVolume<std::uint8_t>>(Extent{30, 6, 9}, DType::uint8, [works](auto z, auto, auto) {
        if (z == 0 && !*works)
            throw Error(ErrorCode::io, "the share is away");
        return static_cast<std::uint8_t>(8 * z + 8);
    }));
    showView(view, {600, 400});
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMs);
    *works = true;
    view.setSlice(20);
    picture(view);
    view.setSlice(0);
    QTRY_COMPARE_WITH_TIMEOUT(middle(view), grey(8), kPatienceMs);
    QCOMPARE(failed.count(), 1);
}

void TestSliceLoading::aBadMaskIsToldTheImageStays()
{
    SliceView view;
    QSignalSpy failed(&view, &SliceView::readFailed);
    Gate gate;
    view.setVolume(gatedVolume(gate));
    view.setMask(std::make_shared<SyntheticVolume<std::uint8_t>>(Extent{20, 6, 9}, DType::uint8, [](auto, auto, auto) -> std::uint8_t {
        throw Error(ErrorCode::format, "chunk 3 is no Zarr chunk");
    }));
    view.setSlice(9);
    showView(view, {600, 400});
    QCOMPARE(picture(view).pixelColor(300, 200), grey(90));
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMs);
    QVERIFY(failed.first().first().toString().contains(QStringLiteral("chunk 3 is no Zarr chunk")));
}

static std::uint16_t farValue(std::int64_t z, std::int64_t y, std::int64_t x)
{
    return static_cast<std::uint16_t>((z + y + x) % 251);
}

void TestSliceLoading::hugeVolumesReadWhatShows()
{
    const Extent extent{60000, 50000, 70000}; // 2.1e14 voxels
    const auto volume = std::make_shared<SyntheticVolume<std::uint16_t>>(extent, DType::uint16, farValue, Extent{1, 256, 256});
    SliceView view;
    view.setVolume(volume);
    view.setSlice(59990);
    view.resize(600, 400);
    view.zoomBy(1e6, {300, 200}); // as near as it goes, before anything is read
    view.showPosition({59990, 49990, 69990});
    showView(view, {600, 400});
    QCOMPARE(voxelColour(view, picture(view), 49990, 69990), grey(farValue(59990, 49990, 69990)));
    QSignalSpy moved(&view, &SliceView::pointerMoved);
    QTest::mouseMove(&view, view.widgetPosition({69990.5, 49990.5}).toPoint());
    QTRY_VERIFY_WITH_TIMEOUT(moved.count() > 0, kPatienceMs);
    QVERIFY((moved.last().at(1).value<Extent>() == Extent{59990, 49990, 69990}));
    QCOMPARE(moved.last().at(2).toDouble(), static_cast<double>(farValue(59990, 49990, 69990)));
    QVERIFY(volume->voxelsRead() < 10'000'000);
}

void TestSliceLoading::hugeSlicesFromAfar()
{
    const auto volume = std::make_shared<SyntheticVolume<std::uint8_t>>(Extent{1, 6000, 8000}, DType::uint8, [](auto, auto y, auto x) {
        return static_cast<std::uint8_t>(x >= 4000 ? 200 : y >= 3000 ? 100 : 50);
    });
    SliceView view;
    view.setVolume(volume);
    showView(view, {400, 300});
    const QImage image = picture(view);
    QCOMPARE(image.pixelColor(300, 150), grey(200));
    QCOMPARE(image.pixelColor(100, 250), grey(100));
    QCOMPARE(image.pixelColor(100, 100), grey(50));
    QVERIFY(volume->largestRead() <= std::int64_t{4} << 20);
    // The pointer rests: now its exact value is fetched.
    QSignalSpy moved(&view, &SliceView::pointerMoved);
    const QPoint at = view.widgetPosition({3000, 2000}).toPoint();
    QMouseEvent move(QEvent::MouseMove, QPointF(at), view.mapToGlobal(QPointF(at)), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(&view, &move);
    QTRY_COMPARE_WITH_TIMEOUT(moved.last().at(2).toDouble(), 50.0, kPatienceMs);
}

void TestSliceLoading::coarserPictureUntilTheFinerComes()
{
    Gate gate;
    SliceView view;
    const GateOpener opener(gate);
    view.setVolume(std::make_shared<SyntheticVolume<std::uint8_t>>(Extent{1, 3000, 4000}, DType::uint8, [&gate](auto, auto, auto x) {
        if (x % 512 == 0)
            gate.pass();
        return std::uint8_t{120};
    }, Extent{1, 64, 64}));
    showView(view, {400, 300});
    QCOMPARE(picture(view).pixelColor(200, 150), grey(120));
    gate.close();
    view.zoomBy(20, {200, 150});
    QTRY_VERIFY_WITH_TIMEOUT(gate.waiting() > 0, kPatienceMs);
    QVERIFY(!view.isComplete());
    QCOMPARE(middle(view), grey(120));
    gate.open();
    QCOMPARE(picture(view).pixelColor(200, 150), grey(120));
}

QTEST_MAIN(TestSliceLoading)
#include "tst_slice_loading.moc"
