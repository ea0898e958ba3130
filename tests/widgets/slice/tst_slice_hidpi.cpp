#include "tests/widgets/slice/synthetic_volume.h"
#include "tests/widgets/slice/view_fixture.h"
#include "widgets/slice/slice_view.h"

#include <QApplication>
#include <QMouseEvent>
#include <QSignalSpy>

using namespace voxelscribe;
using namespace voxelscribe::slice;
using namespace voxelscribe::test;

static std::uint8_t greyAt(std::int64_t, std::int64_t y, std::int64_t x)
{
    return static_cast<std::uint8_t>(20 + (y * 31 + x * 17) % 200);
}

static VolumePtr volumeOf(const Extent& extent)
{
    return std::make_shared<SyntheticVolume<std::uint8_t>>(extent, DType::uint8, greyAt);
}

/// On a screen of one and a half device pixels a point.
class TestSliceHiDpi : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void voxelsFallWhereThePointerFindsThem();
    void devicePixelsAreUsed();
    void onlyTheDirtyPartChanges();
    void strokesAreInVoxels();
};

void TestSliceHiDpi::voxelsFallWhereThePointerFindsThem()
{
    SliceView view;
    view.setVolume(volumeOf({1, 6, 9}));
    showView(view, {611, 403});
    const QImage image = picture(view);
    QCOMPARE(image.devicePixelRatio(), 1.5);
    for (std::int64_t v = 1; v < 6; ++v)
        for (std::int64_t u = 0; u < 9; ++u)
            QCOMPARE(voxelColour(view, image, v, u), grey(greyAt(0, v, u)));
}

void TestSliceHiDpi::devicePixelsAreUsed()
{
    // 600 voxels on 400 points are 600 device pixels: each voxel has its own.
    SliceView view;
    view.setVolume(volumeOf({1, 450, 600}));
    showView(view, {400, 300});
    const QImage image = picture(view);
    QCOMPARE(image.size(), QSize(600, 450));
    for (int x = 200; x < 400; ++x)
        QCOMPARE(image.pixelColor(x, 225), grey(greyAt(0, 225, x)));
}

void TestSliceHiDpi::onlyTheDirtyPartChanges()
{
    std::uint16_t id = 0;
    SliceView view;
    view.setClasses({{1, "quartz", 0xff0000, true, false}});
    view.setVolume(volumeOf({1, 30, 40}));
    view.setAnnotations([&id](const Region& region, std::span<std::uint16_t> out) {
        std::size_t i = 0;
        for (std::int64_t y = region.origin.y; y < region.end().y; ++y)
            for (std::int64_t x = region.origin.x; x < region.end().x; ++x)
                out[i++] = x == 21 && y == 14 ? id : 0;
    });
    showView(view, {411, 307});
    const QImage before = picture(view);
    id = 1;
    view.annotationsChanged({{0, 14, 21}, {1, 1, 1}});
    const QImage after = picture(view);
    VERIFY_COLOUR(voxelColour(view, after, 14, 21), blended(QColor(255, 0, 0), grey(greyAt(0, 14, 21)), 0.8));
    QCOMPARE(voxelColour(view, after, 14, 20), voxelColour(view, before, 14, 20));
    QCOMPARE(voxelColour(view, after, 13, 21), voxelColour(view, before, 13, 21));
}

void TestSliceHiDpi::strokesAreInVoxels()
{
    SliceView view;
    view.setVolume(volumeOf({1, 30, 40}));
    view.setTool(Tool::brush);
    showView(view, {400, 300});
    picture(view);
    QSignalSpy began(&view, &SliceView::strokeBegan);
    QTest::mouseClick(&view, Qt::LeftButton, {}, {215, 145});
    QCOMPARE(began.first().first().value<PlanePoint>().u, 21.5);
    QCOMPARE(began.first().first().value<PlanePoint>().v, 14.5);
}

int main(int argc, char** argv)
{
    qputenv("QT_SCALE_FACTOR", "1.5");
    QGuiApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
    const QApplication application(argc, argv);
    TestSliceHiDpi test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_slice_hidpi.moc"
