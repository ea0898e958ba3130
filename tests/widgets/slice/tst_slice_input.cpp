#include "tests/widgets/slice/synthetic_volume.h"
#include "tests/widgets/slice/view_fixture.h"
#include "widgets/slice/slice_view.h"

#include <QSignalSpy>
#include <QTabletEvent>
#include <QWheelEvent>
#include <cmath>

using namespace voxelscribe;
using namespace voxelscribe::slice;
using namespace voxelscribe::test;

Q_DECLARE_METATYPE(voxelscribe::slice::Tool)

/// Real mouse, wheel and key events; what they emit and do.
class TestSliceInput : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void wheelGoesThroughSlices();
    void fineWheelStepsAddUp();
    void keysGoThroughSlices_data();
    void keysGoThroughSlices();
    void controlWheelZoomsAtTheCursor();
    void keysZoomAndFit();
    void dragsPan_data();
    void dragsPan();
    void shiftWheelIsTheBrushOrManySlices();
    void bracketsChangeTheBrush();
    void strokeInVoxels();
    void strokeInAPlaneAcross();
    void eraserAndAltErase_data();
    void eraserAndAltErase();
    void escapeCancelsTheStroke();
    void strokeEndsWhenTheSliceChanges();
    void wheelDoesNotLeaveARunningStroke();
    void aStrokeWhoseReleaseWasLostEnds();
    void refusesToPaintWithAReason();
    void fillWithinTheImageOnly();
    void pickTakesTheAnnotationBeforeTheMask();
    void rightDragIsWindowAndLevel();
    void doubleClickMaximisesUnlessPainting_data();
    void doubleClickMaximisesUnlessPainting();
    void overlayKeys();
    void lettersNeedTheFocusAndNoModifier();
    void pointerTellsVoxelAndValue();
    void ringShowsTheBrush();
    void tabletPaints();

private:
    QPoint at(double u, double v) const { return m_view->widgetPosition({u, v}).toPoint(); }
    void wheel(int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier, QPointF position = {300, 200})
    {
        QWheelEvent event(position, m_view->mapToGlobal(position), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(m_view.get(), &event);
    }

    std::unique_ptr<SliceView> m_view;
};

static std::uint16_t valueAt(std::int64_t z, std::int64_t y, std::int64_t x)
{
    return static_cast<std::uint16_t>(z * 1000 + y * 60 + x);
}

void TestSliceInput::init()
{
    m_view = std::make_unique<SliceView>();
    m_view->setVolume(std::make_shared<SyntheticVolume<std::uint16_t>>(Extent{40, 40, 60}, DType::uint16, valueAt));
    m_view->setSlice(20);
    showView(*m_view, {600, 400}); // ten widget pixels a voxel
    QTRY_VERIFY_WITH_TIMEOUT(m_view->isComplete(), kPatienceMs);
}

void TestSliceInput::cleanup()
{
    m_view.reset();
}

void TestSliceInput::wheelGoesThroughSlices()
{
    QSignalSpy moved(m_view.get(), &SliceView::sliceChanged);
    wheel(-120); // towards the person: on
    QCOMPARE(m_view->slice(), qint64{21});
    wheel(240);
    QCOMPARE(m_view->slice(), qint64{19});
    wheel(-120 * 1000);
    QCOMPARE(m_view->slice(), qint64{39});
    QCOMPARE(moved.count(), 3);
    QCOMPARE(moved.last().first().toLongLong(), qint64{39});
    wheel(-120); // at the end: nothing more
    QCOMPARE(moved.count(), 3);
}

void TestSliceInput::fineWheelStepsAddUp()
{
    for (int i = 0; i < 7; ++i)
        wheel(-20);
    QCOMPARE(m_view->slice(), qint64{21});
    wheel(20); // the other way starts afresh
    QCOMPARE(m_view->slice(), qint64{21});
}

void TestSliceInput::keysGoThroughSlices_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<qint64>("slice");
    const int none = Qt::NoModifier;
    const int shift = Qt::ShiftModifier;
    QTest::newRow("right") << int(Qt::Key_Right) << none << qint64{21};
    QTest::newRow("down") << int(Qt::Key_Down) << none << qint64{21};
    QTest::newRow("left") << int(Qt::Key_Left) << none << qint64{19};
    QTest::newRow("up") << int(Qt::Key_Up) << none << qint64{19};
    QTest::newRow("page down") << int(Qt::Key_PageDown) << none << qint64{21};
    QTest::newRow("page up") << int(Qt::Key_PageUp) << none << qint64{19};
    QTest::newRow("shift and right") << int(Qt::Key_Right) << shift << qint64{30};
    QTest::newRow("shift and left") << int(Qt::Key_Left) << shift << qint64{10};
    QTest::newRow("home") << int(Qt::Key_Home) << none << qint64{0};
    QTest::newRow("end") << int(Qt::Key_End) << none << qint64{39};
    QTest::newRow("control and right is for others") << int(Qt::Key_Right) << int(Qt::ControlModifier) << qint64{20};
}

void TestSliceInput::keysGoThroughSlices()
{
    QFETCH(int, key);
    QFETCH(int, modifiers);
    QTest::keyClick(m_view.get(), static_cast<Qt::Key>(key), Qt::KeyboardModifiers(modifiers));
    QTEST(static_cast<qint64>(m_view->slice()), "slice");
}

void TestSliceInput::controlWheelZoomsAtTheCursor()
{
    const QPointF cursor(450, 100);
    const PlanePoint before = m_view->imagePosition(cursor);
    const double edge = (m_view->widgetPosition({1, 1}) - m_view->widgetPosition({0, 0})).x();
    wheel(240, Qt::ControlModifier, cursor);
    const PlanePoint after = m_view->imagePosition(cursor);
    QVERIFY(std::abs(before.u - after.u) < 1e-9);
    QVERIFY(std::abs(before.v - after.v) < 1e-9);
    QCOMPARE((m_view->widgetPosition({1, 1}) - m_view->widgetPosition({0, 0})).x(), edge * 1.25 * 1.25);
    QCOMPARE(m_view->slice(), qint64{20});
}

void TestSliceInput::keysZoomAndFit()
{
    const auto edge = [this] { return (m_view->widgetPosition({1, 1}) - m_view->widgetPosition({0, 0})).x(); };
    QTest::keyClick(m_view.get(), Qt::Key_Plus);
    QCOMPARE(edge(), 12.5);
    QTest::keyClick(m_view.get(), Qt::Key_Minus);
    QCOMPARE(edge(), 10.0);
    QTest::keyClick(m_view.get(), Qt::Key_Plus, Qt::ShiftModifier);
    QTest::keyClick(m_view.get(), Qt::Key_F);
    QCOMPARE(edge(), 10.0);
}

void TestSliceInput::dragsPan_data()
{
    QTest::addColumn<Tool>("tool");
    QTest::addColumn<int>("button");
    QTest::addColumn<bool>("space");
    QTest::newRow("left, with the hand") << Tool::navigate << int(Qt::LeftButton) << false;
    QTest::newRow("middle, with the brush") << Tool::brush << int(Qt::MiddleButton) << false;
    QTest::newRow("space and left, with the brush") << Tool::brush << int(Qt::LeftButton) << true;
}

void TestSliceInput::dragsPan()
{
    QFETCH(Tool, tool);
    QFETCH(int, button);
    QFETCH(bool, space);
    QSignalSpy strokes(m_view.get(), &SliceView::strokeBegan);
    m_view->setTool(tool);
    const QPointF before = m_view->widgetPosition({30, 20});
    if (space)
        QTest::keyPress(m_view.get(), Qt::Key_Space);
    const auto which = static_cast<Qt::MouseButton>(button);
    QTest::mousePress(m_view.get(), which, {}, {300, 200});
    QMouseEvent move(QEvent::MouseMove, QPointF(340, 170), m_view->mapToGlobal(QPointF(340, 170)), Qt::NoButton, which, {});
    QCoreApplication::sendEvent(m_view.get(), &move);
    QTest::mouseRelease(m_view.get(), which, {}, {340, 170});
    if (space)
        QTest::keyRelease(m_view.get(), Qt::Key_Space);
    QCOMPARE(m_view->widgetPosition({30, 20}) - before, QPointF(40, -30));
    QCOMPARE(strokes.count(), 0);
    if (tool == Tool::brush) { // and then the brush paints again
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, {300, 200});
        QCOMPARE(strokes.count(), 1);
    }
}

void TestSliceInput::shiftWheelIsTheBrushOrManySlices()
{
    QSignalSpy resized(m_view.get(), &SliceView::brushRadiusDragged);
    wheel(-120, Qt::ShiftModifier);
    QCOMPARE(m_view->slice(), qint64{30});
    m_view->setTool(Tool::eraser);
    m_view->setBrushRadius(10);
    wheel(120, Qt::ShiftModifier);
    QCOMPARE(m_view->brushRadius(), 12.0);
    QCOMPARE(resized.count(), 1);
    QCOMPARE(m_view->slice(), qint64{30});
}

void TestSliceInput::bracketsChangeTheBrush()
{
    m_view->setTool(Tool::brush);
    m_view->setBrushRadius(1);
    QTest::keyClick(m_view.get(), Qt::Key_BracketRight);
    QCOMPARE(m_view->brushRadius(), 1.5);
    for (int i = 0; i < 10; ++i)
        QTest::keyClick(m_view.get(), Qt::Key_BracketLeft);
    QCOMPARE(m_view->brushRadius(), 0.5); // never less than a voxel
}

/// Sends a move as the window system does, with the buttons that are held.
static void moveTo(SliceView& view, const QPoint& to, Qt::MouseButtons held, Qt::KeyboardModifiers modifiers = {})
{
    QMouseEvent move(QEvent::MouseMove, QPointF(to), view.mapToGlobal(QPointF(to)), Qt::NoButton, held, modifiers);
    QCoreApplication::sendEvent(&view, &move);
}

void TestSliceInput::strokeInVoxels()
{
    m_view->setTool(Tool::brush);
    QSignalSpy began(m_view.get(), &SliceView::strokeBegan);
    QSignalSpy extended(m_view.get(), &SliceView::strokeExtended);
    QSignalSpy ended(m_view.get(), &SliceView::strokeEnded);
    QTest::mousePress(m_view.get(), Qt::LeftButton, {}, at(10.5, 20.5));
    QCOMPARE(began.count(), 1);
    const auto start = began.first().first().value<PlanePoint>();
    QCOMPARE(start.u, 10.5);
    QCOMPARE(start.v, 20.5);
    QCOMPARE(began.first().at(1).toBool(), false);
    for (int i = 1; i <= 5; ++i)
        moveTo(*m_view, at(10.5 + i, 20.5), Qt::LeftButton);
    QCOMPARE(extended.count(), 5);
    moveTo(*m_view, {-50, 205}, Qt::LeftButton); // also outside: the editor cuts
    QCOMPARE(extended.last().first().value<PlanePoint>().u, -5.0);
    QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, {-50, 205});
    QCOMPARE(ended.count(), 1);
    moveTo(*m_view, at(30, 30), Qt::NoButton);
    QCOMPARE(extended.count(), 6);
}

void TestSliceInput::strokeInAPlaneAcross()
{
    m_view->setVoxelSizeUm(VoxelSizeUm{3, 1, 1});
    m_view->setPlane(Plane::xz);
    QTRY_VERIFY_WITH_TIMEOUT(m_view->isComplete(), kPatienceMs);
    m_view->setTool(Tool::brush);
    QSignalSpy began(m_view.get(), &SliceView::strokeBegan);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, at(33.5, 12.5));
    const auto start = began.first().first().value<PlanePoint>();
    QVERIFY(std::abs(start.u - 33.5) < 0.5);
    QVERIFY(std::abs(start.v - 12.5) < 0.5);
}

void TestSliceInput::eraserAndAltErase_data()
{
    QTest::addColumn<Tool>("tool");
    QTest::addColumn<bool>("alt");
    QTest::addColumn<bool>("erase");
    QTest::newRow("brush") << Tool::brush << false << false;
    QTest::newRow("brush with Alt") << Tool::brush << true << true;
    QTest::newRow("eraser") << Tool::eraser << false << true;
    QTest::newRow("eraser with Alt") << Tool::eraser << true << true;
}

void TestSliceInput::eraserAndAltErase()
{
    QFETCH(Tool, tool);
    QFETCH(bool, alt);
    m_view->setTool(tool);
    QSignalSpy began(m_view.get(), &SliceView::strokeBegan);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, alt ? Qt::AltModifier : Qt::NoModifier, {300, 200});
    QCOMPARE(began.count(), 1);
    QTEST(began.first().at(1).toBool(), "erase");
}

void TestSliceInput::escapeCancelsTheStroke()
{
    m_view->setTool(Tool::brush);
    QSignalSpy extended(m_view.get(), &SliceView::strokeExtended);
    QSignalSpy ended(m_view.get(), &SliceView::strokeEnded);
    QSignalSpy cancelled(m_view.get(), &SliceView::strokeCancelled);
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QCOMPARE(cancelled.count(), 0);
    QTest::mousePress(m_view.get(), Qt::LeftButton, {}, {300, 200});
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QCOMPARE(cancelled.count(), 1);
    moveTo(*m_view, {350, 200}, Qt::LeftButton);
    QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, {350, 200});
    QCOMPARE(extended.count(), 0);
    QCOMPARE(ended.count(), 0);
}

void TestSliceInput::strokeEndsWhenTheSliceChanges()
{
    m_view->setTool(Tool::brush);
    QStringList order;
    connect(m_view.get(), &SliceView::strokeEnded, this, [&] { order << QStringLiteral("ended in %1").arg(m_view->slice()); });
    connect(m_view.get(), &SliceView::sliceChanged, this, [&] { order << QStringLiteral("moved"); });
    QTest::mousePress(m_view.get(), Qt::LeftButton, {}, {300, 200});
    m_view->setSlice(3);
    QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, {300, 200});
    QCOMPARE(order, QStringList({QStringLiteral("ended in 20"), QStringLiteral("moved")}));
}

void TestSliceInput::wheelDoesNotLeaveARunningStroke()
{
    m_view->setTool(Tool::brush);
    QSignalSpy ended(m_view.get(), &SliceView::strokeEnded);
    QTest::mousePress(m_view.get(), Qt::LeftButton, {}, {300, 200});
    wheel(-120);
    QTest::keyClick(m_view.get(), Qt::Key_Right);
    QCOMPARE(m_view->slice(), qint64{20});
    QCOMPARE(ended.count(), 0);
    m_view->hide();
    QCOMPARE(ended.count(), 1);
}

void TestSliceInput::aStrokeWhoseReleaseWasLostEnds()
{
    m_view->setTool(Tool::brush);
    QSignalSpy began(m_view.get(), &SliceView::strokeBegan);
    QSignalSpy ended(m_view.get(), &SliceView::strokeEnded);
    QTest::mousePress(m_view.get(), Qt::LeftButton, {}, {300, 200});
    moveTo(*m_view, {320, 200}, Qt::NoButton);
    QCOMPARE(ended.count(), 1);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, {300, 200});
    QCOMPARE(began.count(), 2);
    QCOMPARE(ended.count(), 2);
}

void TestSliceInput::refusesToPaintWithAReason()
{
    QSignalSpy began(m_view.get(), &SliceView::strokeBegan);
    QSignalSpy filled(m_view.get(), &SliceView::fillRequested);
    QSignalSpy refused(m_view.get(), &SliceView::paintingRefused);
    m_view->setPaintingEnabled(false, QStringLiteral("read-only project"));
    for (const Tool tool : {Tool::brush, Tool::eraser, Tool::fill}) {
        m_view->setTool(tool);
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, {300, 200});
    }
    QCOMPARE(refused.count(), 3);
    QCOMPARE(refused.first().first().toString(), QStringLiteral("read-only project"));
    QCOMPARE(began.count() + filled.count(), 0);
    m_view->setPaintingEnabled(true);
    m_view->setTool(Tool::brush);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, {300, 200});
    QCOMPARE(began.count(), 1);
}

void TestSliceInput::fillWithinTheImageOnly()
{
    m_view->setTool(Tool::fill);
    m_view->resize(700, 400);
    QSignalSpy filled(m_view.get(), &SliceView::fillRequested);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, {10, 200}); // left of the image
    QCOMPARE(filled.count(), 0);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, Qt::AltModifier, at(7.5, 9.5));
    QCOMPARE(filled.count(), 1);
    QCOMPARE(std::floor(filled.first().first().value<PlanePoint>().u), 7.0);
    QCOMPARE(filled.first().at(1).toBool(), true);
}

void TestSliceInput::pickTakesTheAnnotationBeforeTheMask()
{
    m_view->setAnnotations([](const Region& region, std::span<std::uint16_t> out) {
        std::size_t i = 0;
        for (std::int64_t y = region.origin.y; y < region.end().y; ++y)
            for (std::int64_t x = region.origin.x; x < region.end().x; ++x)
                out[i++] = x == 5 ? 3 : 0;
    });
    m_view->setMask(std::make_shared<SyntheticVolume<std::uint8_t>>(
        Extent{40, 40, 60}, DType::uint8, [](auto, auto, auto x) { return static_cast<std::uint8_t>(x < 10 ? 7 : 0); }));
    m_view->setTool(Tool::pick);
    QSignalSpy picked(m_view.get(), &SliceView::classPicked);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, at(5.5, 20.5));
    QCOMPARE(picked.count(), 1);
    QCOMPARE(picked.first().first().toInt(), 3);
    QTRY_VERIFY_WITH_TIMEOUT((QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, at(6.5, 20.5)), picked.count() > 1), kPatienceMs);
    QCOMPARE(picked.last().first().toInt(), 7);
    const auto before = picked.count();
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, at(30.5, 20.5));
    QCOMPARE(picked.count(), before);
}

void TestSliceInput::rightDragIsWindowAndLevel()
{
    SliceAppearance appearance;
    appearance.contrastLow = 1000;
    appearance.contrastHigh = 2000;
    m_view->setAppearance(appearance);
    QSignalSpy dragged(m_view.get(), &SliceView::contrastDragged);
    QTest::mousePress(m_view.get(), Qt::RightButton, {}, {300, 200});
    moveTo(*m_view, {600, 200}, Qt::RightButton); // half the width: half the window
    QCOMPARE(dragged.last().at(0).toDouble(), 1250.0);
    QCOMPARE(dragged.last().at(1).toDouble(), 1750.0);
    moveTo(*m_view, {300, 0}, Qt::RightButton); // upwards: brighter
    QTest::mouseRelease(m_view.get(), Qt::RightButton, {}, {300, 0});
    QCOMPARE(m_view->appearance().contrastLow, 500.0);
    QCOMPARE(m_view->appearance().contrastHigh, 1500.0);
}

void TestSliceInput::doubleClickMaximisesUnlessPainting_data()
{
    QTest::addColumn<Tool>("tool");
    QTest::addColumn<int>("maximised");
    QTest::addColumn<int>("strokes");
    QTest::newRow("hand") << Tool::navigate << 1 << 0;
    QTest::newRow("picker") << Tool::pick << 1 << 0;
    QTest::newRow("brush") << Tool::brush << 0 << 2;
}

void TestSliceInput::doubleClickMaximisesUnlessPainting()
{
    QFETCH(Tool, tool);
    m_view->setTool(tool);
    QSignalSpy maximised(m_view.get(), &SliceView::maximiseToggled);
    QSignalSpy ended(m_view.get(), &SliceView::strokeEnded);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, {300, 200});
    QMouseEvent press(QEvent::MouseButtonDblClick, QPointF(300, 200), m_view->mapToGlobal(QPointF(300, 200)), Qt::LeftButton,
                      Qt::LeftButton, {});
    QCoreApplication::sendEvent(m_view.get(), &press);
    QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, {300, 200});
    QTEST(static_cast<int>(maximised.count()), "maximised");
    QTEST(static_cast<int>(ended.count()), "strokes");
}

void TestSliceInput::overlayKeys()
{
    QSignalSpy changed(m_view.get(), &SliceView::appearanceChanged);
    QTest::keyClick(m_view.get(), Qt::Key_S);
    QCOMPARE(m_view->appearance().overlayVisible, false);
    QTest::keyClick(m_view.get(), Qt::Key_S);
    QCOMPARE(m_view->appearance().overlayVisible, true);
    QTest::keyClick(m_view.get(), Qt::Key_O);
    QCOMPARE(m_view->appearance().maskOutline, true);
    const double opacity = m_view->appearance().maskOpacity;
    QTest::keyClick(m_view.get(), Qt::Key_D);
    QVERIFY(m_view->appearance().maskOpacity > opacity);
    QTest::keyClick(m_view.get(), Qt::Key_A);
    QTest::keyClick(m_view.get(), Qt::Key_A);
    QVERIFY(m_view->appearance().maskOpacity < opacity);
    for (int i = 0; i < 20; ++i)
        QTest::keyClick(m_view.get(), Qt::Key_A);
    QVERIFY(m_view->appearance().maskOpacity > 0);
    QVERIFY(changed.last().first().value<SliceAppearance>() == m_view->appearance());
}

void TestSliceInput::lettersNeedTheFocusAndNoModifier()
{
    QSignalSpy changed(m_view.get(), &SliceView::appearanceChanged);
    QTest::keyClick(m_view.get(), Qt::Key_S, Qt::ControlModifier);
    QTest::keyClick(m_view.get(), Qt::Key_O, Qt::ShiftModifier);
    QTest::keyClick(m_view.get(), Qt::Key_A, Qt::AltModifier);
    QCOMPARE(changed.count(), 0);
}

void TestSliceInput::pointerTellsVoxelAndValue()
{
    m_view->resize(700, 400);
    QTRY_VERIFY_WITH_TIMEOUT(m_view->isComplete(), kPatienceMs);
    QSignalSpy moved(m_view.get(), &SliceView::pointerMoved);
    moveTo(*m_view, at(12.5, 31.5), Qt::NoButton);
    QList<QVariant> told = moved.last();
    QCOMPARE(told.at(0).toBool(), true);
    QVERIFY((told.at(1).value<Extent>() == Extent{20, 31, 12}));
    QCOMPARE(told.at(2).toDouble(), static_cast<double>(valueAt(20, 31, 12)));
    m_view->setSlice(21); // the pointer rests, the slice moves
    QTRY_COMPARE_WITH_TIMEOUT(moved.last().at(2).toDouble(), static_cast<double>(valueAt(21, 31, 12)), kPatienceMs);
    QVERIFY((moved.last().at(1).value<Extent>() == Extent{21, 31, 12}));
    moveTo(*m_view, {5, 200}, Qt::NoButton); // beside the image
    QCOMPARE(moved.last().at(0).toBool(), false);
    moveTo(*m_view, at(12.5, 31.5), Qt::NoButton);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(m_view.get(), &leave);
    QCOMPARE(moved.last().at(0).toBool(), false);
}

void TestSliceInput::ringShowsTheBrush()
{
    const QPoint centre(300, 200);
    m_view->setTool(Tool::brush);
    m_view->setBrushRadius(8); // 80 widget pixels
    const QImage before = picture(*m_view);
    moveTo(*m_view, centre, Qt::NoButton);
    const QImage ring = picture(*m_view);
    for (const QPoint& on : {QPoint(80, 0), QPoint(-80, 0), QPoint(0, 80), QPoint(0, -80)})
        QVERIFY(ring.pixelColor(centre + on) != before.pixelColor(centre + on));
    for (const QPoint& off : {QPoint(70, 0), QPoint(-90, 0), QPoint(0, 60)})
        QCOMPARE(ring.pixelColor(centre + off), before.pixelColor(centre + off));
    m_view->setTool(Tool::navigate);
    QCOMPARE(picture(*m_view).pixelColor(centre + QPoint(80, 0)), before.pixelColor(centre + QPoint(80, 0)));
}

void TestSliceInput::tabletPaints()
{
    // A pen that nobody handles comes as a mouse: the view must leave its events alone.
    QVERIFY(QCoreApplication::testAttribute(Qt::AA_SynthesizeMouseForUnhandledTabletEvents));
    QTabletEvent pen(QEvent::TabletPress, QPointingDevice::primaryPointingDevice(), {300, 200}, m_view->mapToGlobal(QPointF(300, 200)), 0.5,
                     0, 0, 0, 0, 0, {}, Qt::LeftButton, Qt::LeftButton);
    pen.ignore();
    QCoreApplication::sendEvent(m_view.get(), &pen);
    QVERIFY(!pen.isAccepted());
}

QTEST_MAIN(TestSliceInput)
#include "tst_slice_input.moc"
