#include "widgets/scene3d/scene_view.h"

#include <QSignalSpy>
#include <QtTest/QtTest>

#include <cmath>

using namespace voxelscribe;

namespace {

constexpr Extent kExtent{40, 48, 56};

/// A ball of class `id` in the middle, class 1 around it.
std::vector<std::uint8_t> ball(std::uint8_t id, double radius)
{
    std::vector<std::uint8_t> ids;
    for (std::int64_t z = 0; z < kExtent.z; ++z)
        for (std::int64_t y = 0; y < kExtent.y; ++y)
            for (std::int64_t x = 0; x < kExtent.x; ++x)
                ids.push_back(std::hypot(double(z) - 20, double(y) - 24, double(x) - 28) < radius ? id : std::uint8_t{1});
    return ids;
}

/// Pixels whose hue is near that of `colour` and that are colourful enough to be no grey.
int pixelsOfHue(const QImage& picture, Rgb colour)
{
    const int hue = QColor::fromRgb(colour).hsvHue();
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) {
            const QColor pixel = picture.pixelColor(x, y);
            const int apart = std::abs(pixel.hsvHue() - hue);
            if (pixel.hsvSaturation() > 110 && pixel.value() > 60 && std::min(apart, 360 - apart) < 14)
                ++count;
        }
    return count;
}

const std::vector<ClassInfo> kClasses{{1, "matrix", 0x56b4e9}, {5, "ball", 0xd55e00}};

} // namespace

class TestSceneView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsMaskInClassColours();
    void growsSliceBySlice();
    void hidesInvisibleClasses();
    void showsTheImageAsAVolume();
    void showsEmptyState();
    void survivesASingleSlice();
};

void TestSceneView::showsMaskInClassColours()
{
    scene3d::SceneView view;
    view.resize(480, 360);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.setClasses(kClasses);
    view.setVolume(makeMemoryVolume<std::uint8_t>(kExtent, ball(200, 12)), VoxelSizeUm{2, 1, 1});
    QCOMPARE(pixelsOfHue(view.grabScene(), 0xd55e00), 0);
    view.setMask(makeMemoryVolume<std::uint8_t>(kExtent, ball(5, 12)));
    view.maskSlicesChanged(0, kExtent.z);
    QTRY_VERIFY_WITH_TIMEOUT(pixelsOfHue(view.grabScene(), 0xd55e00) > 800, 30000);
    view.setMask(nullptr);
    QTRY_COMPARE_WITH_TIMEOUT(pixelsOfHue(view.grabScene(), 0xd55e00), 0, 30000);
}

void TestSceneView::growsSliceBySlice()
{
    scene3d::SceneView view;
    view.resize(480, 360);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.setClasses(kClasses);
    view.setVolume(makeMemoryVolume<std::uint8_t>(kExtent, ball(90, 12)), std::nullopt);
    view.setSlicePlane(Plane::xy, kExtent.z - 1); // behind the ball
    view.setMask(makeMemoryVolume<std::uint8_t>(kExtent, ball(5, 14)));
    view.maskSlicesChanged(14, 18);
    QTRY_VERIFY_WITH_TIMEOUT(pixelsOfHue(view.grabScene(), 0xd55e00) > 20, 30000);
    const int part = pixelsOfHue(view.grabScene(), 0xd55e00);
    view.maskSlicesChanged(0, kExtent.z);
    QTRY_VERIFY_WITH_TIMEOUT(pixelsOfHue(view.grabScene(), 0xd55e00) > part + 200, 30000);
}

void TestSceneView::hidesInvisibleClasses()
{
    scene3d::SceneView view;
    view.resize(480, 360);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    std::vector<ClassInfo> classes = kClasses;
    view.setClasses(classes);
    view.setVolume(makeMemoryVolume<std::uint8_t>(kExtent, ball(90, 12)), std::nullopt);
    view.setMask(makeMemoryVolume<std::uint8_t>(kExtent, ball(5, 12)));
    view.maskSlicesChanged(0, kExtent.z);
    QTRY_VERIFY_WITH_TIMEOUT(pixelsOfHue(view.grabScene(), 0xd55e00) > 500, 30000);
    classes[1].visible = false;
    view.setClasses(classes);
    QTRY_COMPARE_WITH_TIMEOUT(pixelsOfHue(view.grabScene(), 0xd55e00), 0, 30000);
}

void TestSceneView::showsTheImageAsAVolume()
{
    scene3d::SceneView view;
    view.resize(480, 360);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.setVolume(makeMemoryVolume<std::uint8_t>(kExtent, ball(255, 15)), std::nullopt);
    view.setSlicePlane(Plane::xy, kExtent.z - 1); // behind the ball
    QSignalSpy updated(&view, &scene3d::SceneView::updated);
    const auto middle = [&view] {
        const QImage picture = view.grabScene();
        return picture.pixelColor(picture.width() / 2, picture.height() / 2).value();
    };
    QTRY_VERIFY_WITH_TIMEOUT(updated.count() > 3, 30000);
    view.setImageVisible(false);
    const int without = middle();
    view.setImageVisible(true);
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(middle() - without) > 20, 30000);
}

void TestSceneView::showsEmptyState()
{
    scene3d::SceneView view;
    view.resize(300, 200);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QVERIFY(view.grabScene().isNull());
    view.maskSlicesChanged(0, 10); // nothing to change: no harm
    view.setSlicePlane(Plane::xz, 3);
    view.resetView();
}

void TestSceneView::survivesASingleSlice()
{
    scene3d::SceneView view;
    view.resize(300, 200);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.setClasses(kClasses);
    view.setVolume(makeMemoryVolume<std::uint8_t>({1, 5, 9}, std::vector<std::uint8_t>(45, 180)), std::nullopt);
    view.setSlicePlane(Plane::zy, 100);
    QTRY_VERIFY(!view.grabScene().isNull());
}

QTEST_MAIN(TestSceneView)
#include "tst_scene_view.moc"
