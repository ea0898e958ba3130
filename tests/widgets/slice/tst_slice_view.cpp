#include "tests/widgets/slice/synthetic_volume.h"
#include "tests/widgets/slice/view_fixture.h"
#include "widgets/slice/slice_view.h"

#include <QSignalSpy>
#include <cmath>

using namespace voxelscribe;
using namespace voxelscribe::slice;
using namespace voxelscribe::test;

Q_DECLARE_METATYPE(voxelscribe::Plane)

static const ClassInfo kQuartz{1, "quartz", 0xd03020, true, false};
static const ClassInfo kPore{2, "pore", 0x2060e0, true, false};

/// A grey for each voxel that tells its position.
static std::uint8_t greyAt(std::int64_t z, std::int64_t y, std::int64_t x)
{
    return static_cast<std::uint8_t>(20 + (z * 50 + y * 31 + x * 17) % 200);
}

static VolumePtr smallVolume(const Extent& extent = {4, 6, 9})
{
    return std::make_shared<SyntheticVolume<std::uint8_t>>(extent, DType::uint8, greyAt);
}

/// What is drawn in these tests: the looks come from what each test sets.
class TestSliceView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void showsTheVoxelsOfEachPlane_data();
    void showsTheVoxelsOfEachPlane();
    void contrastWindow();
    void sixteenBitsAndFloats();
    void anisotropicVoxels();
    void oneRow();
    void zoomedOutIsTheMean();
    void annotationsLieOverTheImage();
    void annotationsInThePlaneAcross();
    void onlyTheDirtyRectangleIsReadAgain();
    void changesOfOtherSlicesReadNothing();
    void hiddenClassesAndUnknownIds();
    void maskUnderAnnotations();
    void maskOutline();
    void maskOutlineOfLargeVoxels();
    void crosshairInEveryPlane();
    void maskGrowsWhileItIsShown();
    void olderMaskIsPaler();
    void maskOfAnotherExtentIsRefused();
    void brokenAnnotationsAreTold();
    void emptyState();
    void keepsPlaneAndToolForTheNextVolume();
    void eachPlaneKeepsItsSlice();
    void positionIsCentred();
    void describesItselfToScreenReaders();
};

void TestSliceView::showsTheVoxelsOfEachPlane_data()
{
    QTest::addColumn<Plane>("plane");
    QTest::addColumn<qint64>("slice");
    QTest::newRow("xy") << Plane::xy << qint64{2};
    QTest::newRow("xz") << Plane::xz << qint64{5};
    QTest::newRow("zy") << Plane::zy << qint64{7};
}

void TestSliceView::showsTheVoxelsOfEachPlane()
{
    QFETCH(Plane, plane);
    QFETCH(qint64, slice);
    SliceView view;
    view.setVolume(smallVolume());
    view.setPlane(plane);
    view.setSlice(slice);
    showView(view, {611, 403});
    const QImage image = picture(view);
    const Extent extent = planeExtent({4, 6, 9}, plane);
    QCOMPARE(view.sliceCount(), extent.z);
    for (std::int64_t v = 0; v < extent.y; ++v)
        for (std::int64_t u = 0; u < extent.x; ++u) {
            if (v * extent.x + u < 2)
                continue; // below the label
            const Extent voxel = planeVoxel(plane, slice, v, u);
            QCOMPARE(voxelColour(view, image, v, u), grey(greyAt(voxel.z, voxel.y, voxel.x)));
        }
}

void TestSliceView::contrastWindow()
{
    SliceView view;
    view.setVolume(std::make_shared<SyntheticVolume<std::int16_t>>(
        Extent{1, 5, 7}, DType::int16, [](auto, auto, auto x) { return static_cast<std::int16_t>(-300 + 100 * x); }));
    SliceAppearance appearance;
    appearance.contrastLow = -200;
    appearance.contrastHigh = 200;
    view.setAppearance(appearance);
    showView(view, {700, 500});
    QImage image = picture(view);
    QCOMPARE(voxelColour(view, image, 3, 0), grey(0));
    QCOMPARE(voxelColour(view, image, 3, 1), grey(0));
    QCOMPARE(voxelColour(view, image, 3, 2), grey(64));
    QCOMPARE(voxelColour(view, image, 3, 5), grey(255));
    appearance.contrastHigh = 300;
    view.setAppearance(appearance);
    image = picture(view);
    QCOMPARE(voxelColour(view, image, 3, 2), grey(51));
    QCOMPARE(voxelColour(view, image, 3, 6), grey(255));
}

void TestSliceView::sixteenBitsAndFloats()
{
    SliceAppearance appearance;
    appearance.contrastHigh = 65535;
    SliceView view;
    view.setAppearance(appearance);
    view.setVolume(std::make_shared<SyntheticVolume<std::uint16_t>>(
        Extent{1, 2, 3}, DType::uint16, [](auto, auto, auto x) { return static_cast<std::uint16_t>(x * 257 * 100); }));
    showView(view, {300, 200});
    QCOMPARE(voxelColour(view, picture(view), 1, 2), grey(200));
    appearance.contrastLow = -1;
    appearance.contrastHigh = 1;
    view.setAppearance(appearance);
    view.setVolume(std::make_shared<SyntheticVolume<float>>(Extent{1, 2, 3}, DType::float32, [](auto, auto, auto x) {
        return x == 0 ? std::nanf("") : x == 1 ? 0.5F : 1e30F;
    }));
    const QImage image = picture(view);
    QCOMPARE(voxelColour(view, image, 1, 0), grey(0));
    QCOMPARE(voxelColour(view, image, 1, 1), grey(191));
    QCOMPARE(voxelColour(view, image, 1, 2), grey(255));
}

void TestSliceView::anisotropicVoxels()
{
    SliceView view;
    view.setVolume(smallVolume());
    view.setVoxelSizeUm(VoxelSizeUm{6, 2, 1}); // z, y, x
    showView(view, {600, 600});
    const auto edges = [&view] {
        const QPointF size = view.widgetPosition({1, 1}) - view.widgetPosition({0, 0});
        return size.y() / size.x();
    };
    QCOMPARE(edges(), 2.0);
    view.setPlane(Plane::xz);
    QCOMPARE(edges(), 6.0);
    view.setPlane(Plane::zy);
    view.setSlice(3);
    QCOMPARE(edges(), 2.0 / 6.0);
    const QImage image = picture(view);
    QCOMPARE(voxelColour(view, image, 4, 3), grey(greyAt(3, 4, 3)));
    // The upper and the lower edge of one voxel show the same grey: nothing blends in.
    const QPointF middle = view.widgetPosition({3.5, 4.5});
    QCOMPARE(image.pixelColor(QPointF(middle.x(), view.widgetPosition({3.5, 4.1}).y()).toPoint()), grey(greyAt(3, 4, 3)));
    QCOMPARE(image.pixelColor(QPointF(middle.x(), view.widgetPosition({3.5, 4.9}).y()).toPoint()), grey(greyAt(3, 4, 3)));
}

void TestSliceView::oneRow()
{
    SliceView view;
    view.setVolume(smallVolume({1, 1, 23}));
    showView(view, {460, 200});
    const QImage image = picture(view);
    for (std::int64_t u = 0; u < 23; ++u)
        QCOMPARE(voxelColour(view, image, 0, u), grey(greyAt(0, 0, u)));
    view.setPlane(Plane::zy); // a single column of one voxel, 23 slices
    QCOMPARE(view.sliceCount(), qint64{23});
    view.setSlice(22);
    QCOMPARE(voxelColour(view, picture(view), 0, 0), grey(greyAt(0, 0, 22)));
}

void TestSliceView::zoomedOutIsTheMean()
{
    SliceView view;
    view.setVolume(std::make_shared<SyntheticVolume<std::uint8_t>>(
        Extent{1, 1600, 2400}, DType::uint8, [](auto, auto y, auto x) { return static_cast<std::uint8_t>((x + y) % 2 == 0 ? 0 : 200); }));
    showView(view, {600, 400});
    const QImage image = picture(view);
    QVERIFY(isNear(image.pixelColor(300, 200), grey(100)));
    QVERIFY(isNear(image.pixelColor(597, 397), grey(100)));
}

/// Ids in memory that a view reads, and a record of what it asked for.
struct Labels {
    Extent extent;
    std::vector<std::uint16_t> ids;
    std::int64_t read = 0;

    explicit Labels(const Extent& size) : extent(size), ids(static_cast<std::size_t>(size.voxels())) {}
    std::uint16_t& at(std::int64_t z, std::int64_t y, std::int64_t x)
    {
        return ids[static_cast<std::size_t>((z * extent.y + y) * extent.x + x)];
    }
    AnnotationReader reader()
    {
        return [this](const Region& region, std::span<std::uint16_t> out) {
            read += region.extent.voxels();
            std::size_t i = 0;
            for (std::int64_t z = region.origin.z; z < region.end().z; ++z)
                for (std::int64_t y = region.origin.y; y < region.end().y; ++y)
                    for (std::int64_t x = region.origin.x; x < region.end().x; ++x)
                        out[i++] = at(z, y, x);
        };
    }
    VolumePtr volume() const { return makeMemoryVolume<std::uint16_t>(extent, ids); }
};

static QColor classColour(const ClassInfo& info)
{
    return QColor::fromRgb(info.colour);
}

void TestSliceView::annotationsLieOverTheImage()
{
    Labels labels({4, 6, 9});
    labels.at(1, 4, 3) = 1;
    labels.at(1, 5, 8) = 2;
    SliceView view;
    view.setClasses({kQuartz, kPore});
    view.setVolume(smallVolume());
    view.setAnnotations(labels.reader());
    view.setSlice(1);
    showView(view, {600, 400});
    const QImage image = picture(view);
    VERIFY_COLOUR(voxelColour(view, image, 4, 3), blended(classColour(kQuartz), grey(greyAt(1, 4, 3)), 0.8));
    VERIFY_COLOUR(voxelColour(view, image, 5, 8), blended(classColour(kPore), grey(greyAt(1, 5, 8)), 0.8));
    QCOMPARE(voxelColour(view, image, 4, 4), grey(greyAt(1, 4, 4)));
    view.setSlice(2);
    QCOMPARE(voxelColour(view, picture(view), 4, 3), grey(greyAt(2, 4, 3)));
}

void TestSliceView::annotationsInThePlaneAcross()
{
    Labels labels({4, 6, 9});
    labels.at(3, 4, 7) = 1;
    SliceView view;
    view.setClasses({kQuartz});
    view.setVolume(smallVolume());
    view.setAnnotations(labels.reader());
    view.setPlane(Plane::zy);
    view.setSlice(7);
    showView(view, {400, 600});
    VERIFY_COLOUR(voxelColour(view, picture(view), 4, 3), blended(classColour(kQuartz), grey(greyAt(3, 4, 7)), 0.8));
}

void TestSliceView::onlyTheDirtyRectangleIsReadAgain()
{
    Labels labels({1, 900, 1100});
    SliceView view;
    view.setClasses({kQuartz});
    view.setVolume(smallVolume(labels.extent));
    view.setAnnotations(labels.reader());
    showView(view, {550, 450});
    view.zoomBy(8, {275, 225});
    picture(view);
    QCoreApplication::processEvents();
    labels.read = 0;
    labels.at(0, 450, 550) = 1;
    view.annotationsChanged({{0, 449, 549}, {1, 3, 4}});
    const QImage image = picture(view);
    VERIFY_COLOUR(voxelColour(view, image, 450, 550), blended(classColour(kQuartz), grey(greyAt(0, 450, 550)), 0.8));
    QCOMPARE(labels.read, std::int64_t{12});
    labels.at(0, 450, 550) = 0;
    view.annotationsChanged({{0, 450, 550}, {1, 1, 1}});
    QCOMPARE(voxelColour(view, picture(view), 450, 550), grey(greyAt(0, 450, 550)));
}

void TestSliceView::changesOfOtherSlicesReadNothing()
{
    Labels labels({4, 6, 9});
    SliceView view;
    view.setVolume(smallVolume());
    view.setAnnotations(labels.reader());
    showView(view, {600, 400});
    picture(view);
    labels.read = 0;
    view.annotationsChanged({{1, 0, 0}, {3, 6, 9}});
    picture(view);
    QCOMPARE(labels.read, std::int64_t{0});
}

void TestSliceView::hiddenClassesAndUnknownIds()
{
    Labels labels({1, 6, 9});
    labels.at(0, 4, 3) = 1;
    labels.at(0, 4, 5) = 77;
    SliceView view;
    ClassInfo hidden = kQuartz;
    hidden.visible = false;
    view.setClasses({hidden, kPore});
    view.setVolume(smallVolume(labels.extent));
    view.setAnnotations(labels.reader());
    showView(view, {600, 400});
    QImage image = picture(view);
    QCOMPARE(voxelColour(view, image, 4, 3), grey(greyAt(0, 4, 3)));
    VERIFY_COLOUR(voxelColour(view, image, 4, 5), blended(QColor::fromRgb(defaultClassColour(77)), grey(greyAt(0, 4, 5)), 0.8));
    view.setClasses({kQuartz, kPore});
    image = picture(view);
    VERIFY_COLOUR(voxelColour(view, image, 4, 3), blended(classColour(kQuartz), grey(greyAt(0, 4, 3)), 0.8));
}

void TestSliceView::maskUnderAnnotations()
{
    Labels labels({4, 6, 9});
    labels.at(2, 4, 4) = 1;
    Labels mask({4, 6, 9});
    mask.at(2, 4, 4) = 2;
    mask.at(2, 4, 5) = 2;
    SliceView view;
    view.setClasses({kQuartz, kPore});
    view.setVolume(smallVolume());
    view.setAnnotations(labels.reader());
    view.setMask(mask.volume());
    view.setSlice(2);
    showView(view, {600, 400});
    SliceAppearance appearance;
    appearance.maskOpacity = 0.5;
    appearance.annotationOpacity = 0.6;
    view.setAppearance(appearance);
    QTRY_VERIFY_WITH_TIMEOUT(isNear(voxelColour(view, picture(view), 4, 5), blended(classColour(kPore), grey(greyAt(2, 4, 5)), 0.5)),
                             kPatienceMs);
    const QColor masked = blended(classColour(kPore), grey(greyAt(2, 4, 4)), 0.5);
    VERIFY_COLOUR(voxelColour(view, picture(view), 4, 4), blended(classColour(kQuartz), masked, 0.6));
    appearance.overlayVisible = false;
    view.setAppearance(appearance);
    QCOMPARE(voxelColour(view, picture(view), 4, 4), grey(greyAt(2, 4, 4)));
    QCOMPARE(voxelColour(view, picture(view), 4, 5), grey(greyAt(2, 4, 5)));
}

void TestSliceView::maskOutline()
{
    // The square lies over the tile border at 512, where an outline must not appear.
    Labels mask({1, 40, 540});
    for (std::int64_t y = 10; y < 30; ++y)
        for (std::int64_t x = 505; x < 520; ++x)
            mask.at(0, y, x) = 2;
    VolumeInfo info;
    info.name = "mask";
    info.dtype = DType::uint16;
    info.extent = mask.extent;
    info.chunk = {1, 40, 64};
    const auto bytes = std::as_bytes(std::span(mask.ids));
    SliceView view;
    view.setClasses({kPore});
    view.setVolume(smallVolume(mask.extent));
    view.setMask(makeMemoryVolume(info, {bytes.begin(), bytes.end()}));
    SliceAppearance appearance;
    appearance.maskOpacity = 1;
    appearance.maskOutline = true;
    view.setAppearance(appearance);
    showView(view, {600, 500});
    view.showPosition({0, 20, 512});
    view.zoomBy(5.0 / (view.widgetPosition({1, 0}) - view.widgetPosition({0, 0})).x(), QPointF(300, 250));
    QTRY_COMPARE_WITH_TIMEOUT(voxelColour(view, picture(view), 20, 505), classColour(kPore), kPatienceMs);
    const QImage image = picture(view);
    for (std::int64_t y = 8; y < 32; ++y)
        for (std::int64_t x = 500; x < 525; ++x) {
            const bool inside = y >= 10 && y < 30 && x >= 505 && x < 520;
            const bool edge = inside && (y == 10 || y == 29 || x == 505 || x == 519);
            QCOMPARE(voxelColour(view, image, y, x), edge ? classColour(kPore) : grey(greyAt(0, y, x)));
        }
}

void TestSliceView::maskOutlineOfLargeVoxels()
{
    Labels mask({1, 6, 9});
    mask.at(0, 3, 4) = 1;
    mask.at(0, 3, 5) = 1;
    mask.at(0, 3, 6) = 2;
    SliceView view;
    view.setClasses({kQuartz, kPore});
    view.setVolume(smallVolume(mask.extent));
    view.setMask(mask.volume());
    SliceAppearance appearance;
    appearance.maskOpacity = 1;
    appearance.maskOutline = true;
    view.setAppearance(appearance);
    showView(view, {900, 600}); // a hundred widget pixels a voxel
    QTRY_COMPARE_WITH_TIMEOUT(picture(view).pixelColor(401, 350), classColour(kQuartz), kPatienceMs);
    const QImage image = picture(view);
    QCOMPARE(image.pixelColor(450, 301), classColour(kQuartz)); // above
    QCOMPARE(image.pixelColor(450, 398), classColour(kQuartz)); // below
    QCOMPARE(image.pixelColor(598, 350), classColour(kQuartz)); // towards the neighbour, each in its own colour
    QCOMPARE(image.pixelColor(601, 350), classColour(kPore));
    QCOMPARE(image.pixelColor(501, 350), grey(greyAt(0, 3, 5))); // nothing between voxels of one class
    QCOMPARE(image.pixelColor(450, 350), grey(greyAt(0, 3, 4)));
    QCOMPARE(image.pixelColor(397, 350), grey(greyAt(0, 3, 3)));
}

void TestSliceView::crosshairInEveryPlane()
{
    SliceView view;
    view.setVolume(smallVolume());
    view.setSlice(2);
    showView(view, {900, 600});
    const QImage before = picture(view);
    view.setCrosshair(Extent{0, 4, 7});
    const QImage image = picture(view);
    QVERIFY(image.pixelColor(100, 450) != before.pixelColor(100, 450)); // along the row
    QVERIFY(image.pixelColor(750, 100) != before.pixelColor(750, 100)); // along the column
    QCOMPARE(image.pixelColor(750, 450), before.pixelColor(750, 450));  // the voxel itself stays free
    view.setCrosshair({});
    QCOMPARE(picture(view), before);
}

void TestSliceView::maskGrowsWhileItIsShown()
{
    auto finished = std::make_shared<std::atomic<bool>>(false);
    const auto mask = std::make_shared<SyntheticVolume<std::uint8_t>>(
        Extent{4, 6, 9}, DType::uint8, [finished](auto z, auto, auto) { return static_cast<std::uint8_t>(*finished && z == 1 ? 1 : 0); });
    SliceView view;
    view.setClasses({kQuartz});
    view.setVolume(smallVolume());
    view.setMask(mask);
    view.setSlice(1);
    SliceAppearance appearance;
    appearance.maskOpacity = 1;
    view.setAppearance(appearance);
    showView(view, {600, 400});
    QCOMPARE(voxelColour(view, picture(view), 4, 4), grey(greyAt(1, 4, 4)));
    QTRY_VERIFY_WITH_TIMEOUT(mask->readsOfSlice(1) > 0, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(mask->readsOfSlice(3) > 0, kPatienceMs); // ahead of the person
    const std::int64_t before = mask->readsOfSlice(1);
    view.maskChanged({{3, 0, 0}, {1, 6, 9}});
    QCOMPARE(voxelColour(view, picture(view), 4, 4), grey(greyAt(1, 4, 4)));
    QCOMPARE(mask->readsOfSlice(1), before);
    *finished = true;
    view.maskChanged({{1, 0, 0}, {1, 6, 9}});
    QTRY_COMPARE_WITH_TIMEOUT(voxelColour(view, picture(view), 4, 4), classColour(kQuartz), kPatienceMs);
}

void TestSliceView::olderMaskIsPaler()
{
    Labels mask({1, 6, 9});
    std::fill(mask.ids.begin(), mask.ids.end(), std::uint16_t{1});
    SliceView view;
    view.setClasses({kQuartz});
    view.setVolume(smallVolume(mask.extent));
    view.setMask(mask.volume());
    SliceAppearance appearance;
    appearance.maskOpacity = 0.8;
    view.setAppearance(appearance);
    showView(view, {600, 400});
    QTRY_VERIFY_WITH_TIMEOUT(isNear(voxelColour(view, picture(view), 4, 4), blended(classColour(kQuartz), grey(greyAt(0, 4, 4)), 0.8)),
                             kPatienceMs);
    view.setMaskNote(QStringLiteral("older than your strokes"));
    VERIFY_COLOUR(voxelColour(view, picture(view), 4, 4), blended(classColour(kQuartz), grey(greyAt(0, 4, 4)), 0.4));
}

void TestSliceView::maskOfAnotherExtentIsRefused()
{
    SliceView view;
    QSignalSpy failed(&view, &SliceView::readFailed);
    view.setVolume(smallVolume());
    showView(view, {600, 400});
    view.setMask(Labels({4, 9, 6}).volume());
    QCOMPARE(failed.count(), 1);
    QVERIFY(failed.first().first().toString().contains(QString::fromUtf8("4×9×6")));
    QVERIFY(failed.first().first().toString().contains(QString::fromUtf8("4×6×9")));
    QCOMPARE(voxelColour(view, picture(view), 4, 4), grey(greyAt(0, 4, 4)));
}

void TestSliceView::brokenAnnotationsAreTold()
{
    SliceView view;
    QSignalSpy failed(&view, &SliceView::readFailed);
    view.setVolume(smallVolume());
    view.setAnnotations([](const Region&, std::span<std::uint16_t>) { throw Error(ErrorCode::shape, "annotations of another stack"); });
    showView(view, {600, 400});
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMs);
    QVERIFY(failed.first().first().toString().contains(QStringLiteral("annotations of another stack")));
    QCOMPARE(voxelColour(view, picture(view), 4, 4), grey(greyAt(0, 4, 4)));
    QCOMPARE(failed.count(), 1);
    view.setAnnotations([](const Region&, std::span<std::uint16_t>) { throw Error(ErrorCode::shape, "annotations of another stack"); });
    view.setTool(Tool::pick);
    QTest::mouseClick(&view, Qt::LeftButton, {}, {300, 200}); // before anything was painted
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 2, kPatienceMs);
}

void TestSliceView::emptyState()
{
    SliceView view;
    showView(view, {600, 400});
    const QImage plain = view.grab().toImage();
    view.setEmptyText(QStringLiteral("Drop a file here"));
    QVERIFY(view.grab().toImage() != plain);
    QCOMPARE(view.sliceCount(), qint64{0});
    view.setSlice(7);
    QCOMPARE(view.slice(), qint64{0});
    view.annotationsChanged({{0, 0, 0}, {5, 5, 5}});
    view.maskChanged({{0, 0, 0}, {5, 5, 5}});
    view.showPosition({1, 2, 3});
    view.fitToView();
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::mouseClick(&view, Qt::LeftButton);
    QCOMPARE(view.slice(), qint64{0});
}

void TestSliceView::keepsPlaneAndToolForTheNextVolume()
{
    SliceView view;
    QSignalSpy moved(&view, &SliceView::sliceChanged);
    view.setPlane(Plane::xz);
    view.setTool(Tool::brush);
    view.setVolume(smallVolume({4, 6, 9}));
    view.setSlice(5);
    QCOMPARE(moved.count(), 1);
    view.setVolume(nullptr);
    QCOMPARE(view.sliceCount(), qint64{0});
    view.setVolume(smallVolume({7, 3, 5}));
    QVERIFY(view.plane() == Plane::xz);
    QVERIFY(view.tool() == Tool::brush);
    QCOMPARE(view.sliceCount(), qint64{3});
    QVERIFY(view.slice() < 3);
}

void TestSliceView::eachPlaneKeepsItsSlice()
{
    SliceView view;
    view.setVolume(smallVolume({8, 40, 90}));
    view.setSlice(2);
    QSignalSpy moved(&view, &SliceView::sliceChanged);
    view.setPlane(Plane::zy);
    QCOMPARE(view.slice(), qint64{45}); // not slice 2, at the rim of another axis
    QCOMPARE(moved.count(), 1);
    view.setSlice(80);
    view.setPlane(Plane::xy);
    QCOMPARE(view.slice(), qint64{2});
    view.setPlane(Plane::zy);
    QCOMPARE(view.slice(), qint64{80});
    view.setVolume(smallVolume({8, 40, 30}));
    view.setPlane(Plane::xz);
    QCOMPARE(view.slice(), qint64{20}); // places of another volume are forgotten
}

void TestSliceView::positionIsCentred()
{
    SliceView view;
    view.setVolume(smallVolume({40, 60, 90}));
    showView(view, {600, 400});
    view.zoomBy(6, {0, 0});
    view.showPosition({12, 33, 44});
    QCOMPARE(view.slice(), qint64{12});
    QCOMPARE(view.widgetPosition({44.5, 33.5}), QPointF(300, 200));
    QCOMPARE(voxelColour(view, picture(view), 33, 44), grey(greyAt(12, 33, 44)));
    view.setPlane(Plane::zy);
    view.showPosition({12, 33, 44});
    QCOMPARE(view.slice(), qint64{44});
    QCOMPARE(view.widgetPosition({12.5, 33.5}), QPointF(300, 200));
}

void TestSliceView::describesItselfToScreenReaders()
{
    SliceView view;
    QCOMPARE(view.accessibleName(), QStringLiteral("Slice view"));
    view.setVolume(smallVolume({40, 60, 90}));
    view.setPlane(Plane::xz);
    view.setSlice(11);
    QCOMPARE(view.accessibleDescription(), QString::fromUtf8("xz · slice 11 (0–59)"));
    QVERIFY(view.focusPolicy() & Qt::TabFocus);
}

QTEST_MAIN(TestSliceView)
#include "tst_slice_view.moc"
