#include "widgets/slice/view_geometry.h"
#include "widgets/slice/decorations.h"

#include <QtTest/QtTest>
#include <cmath>

using namespace voxelscribe;
using namespace voxelscribe::slice;

class TestViewGeometry : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fitsThePlane_data();
    void fitsThePlane();
    void mapsThereAndBack_data();
    void mapsThereAndBack();
    void zoomKeepsThePointUnderTheCursor();
    void resizeKeepsTheFitUntilZoomed();
    void panNeverLosesThePlane();
    void zoomIsLimited();
    void badAspectIsTakenAsSquare_data();
    void badAspectIsTakenAsSquare();
    void visibleVoxels();
    void levelFollowsDevicePixels_data();
    void levelFollowsDevicePixels();
    void scaleBarIsRound_data();
    void scaleBarIsRound();
    void noScaleBarWithoutALength();
};

static ViewGeometry geometryOf(QSizeF widget, std::int64_t height, std::int64_t width, double vertical = 1, double horizontal = 1)
{
    ViewGeometry geometry;
    geometry.setWidgetSize(widget);
    geometry.setPlane(height, width, vertical, horizontal);
    return geometry;
}

void TestViewGeometry::fitsThePlane_data()
{
    QTest::addColumn<double>("height");
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("vertical");
    QTest::addColumn<double>("horizontal");
    QTest::addColumn<double>("scaleV");
    QTest::addColumn<double>("scaleU");
    QTest::newRow("wide plane in a wider view") << 300.0 << 400.0 << 1.0 << 1.0 << 2.0 << 2.0;
    QTest::newRow("tall plane") << 1200.0 << 100.0 << 1.0 << 1.0 << 0.5 << 0.5;
    QTest::newRow("voxels twice as tall") << 300.0 << 400.0 << 2.0 << 1.0 << 2.0 << 1.0;
    QTest::newRow("voxels four times as wide") << 300.0 << 400.0 << 0.5 << 2.0 << 0.5 << 2.0;
    QTest::newRow("one row") << 1.0 << 800.0 << 1.0 << 1.0 << 1.0 << 1.0;
    QTest::newRow("one voxel") << 1.0 << 1.0 << 1.0 << 1.0 << 128.0 << 128.0;
}

void TestViewGeometry::fitsThePlane()
{
    QFETCH(double, height);
    QFETCH(double, width);
    QFETCH(double, vertical);
    QFETCH(double, horizontal);
    const ViewGeometry geometry
        = geometryOf({800, 600}, static_cast<std::int64_t>(height), static_cast<std::int64_t>(width), vertical, horizontal);
    QTEST(geometry.scaleV(), "scaleV");
    QTEST(geometry.scaleU(), "scaleU");
    const PlanePoint middle = geometry.toImage({400, 300});
    QCOMPARE(middle.u, width / 2);
    QCOMPARE(middle.v, height / 2);
}

void TestViewGeometry::mapsThereAndBack_data()
{
    QTest::addColumn<double>("factor");
    QTest::newRow("fitted") << 1.0;
    QTest::newRow("magnified") << 7.3;
    QTest::newRow("reduced") << 0.61;
}

void TestViewGeometry::mapsThereAndBack()
{
    QFETCH(double, factor);
    ViewGeometry geometry = geometryOf({701, 523}, 300, 5000, 3.7, 1.1);
    geometry.zoomBy(factor, {123, 45});
    for (const PlanePoint point : {PlanePoint{0, 0}, PlanePoint{4999.5, 0.25}, PlanePoint{-3, 412}}) {
        const PlanePoint back = geometry.toImage(geometry.toWidget(point));
        QVERIFY(std::abs(back.u - point.u) < 1e-6);
        QVERIFY(std::abs(back.v - point.v) < 1e-6);
    }
}

void TestViewGeometry::zoomKeepsThePointUnderTheCursor()
{
    ViewGeometry geometry = geometryOf({800, 600}, 3000, 4000, 2, 1);
    const QPointF cursor(200, 350);
    const PlanePoint before = geometry.toImage(cursor);
    geometry.zoomBy(1.25, cursor);
    geometry.zoomBy(3, cursor);
    const PlanePoint after = geometry.toImage(cursor);
    QVERIFY(std::abs(before.u - after.u) < 1e-6);
    QVERIFY(std::abs(before.v - after.v) < 1e-6);
}

void TestViewGeometry::resizeKeepsTheFitUntilZoomed()
{
    ViewGeometry geometry = geometryOf({800, 600}, 300, 400);
    geometry.setWidgetSize({400, 300});
    QCOMPARE(geometry.zoom(), 1.0);
    geometry.zoomBy(2, {200, 150});
    geometry.setWidgetSize({800, 600});
    QCOMPARE(geometry.zoom(), 2.0);
    geometry.fit();
    geometry.setWidgetSize({200, 150});
    QCOMPARE(geometry.zoom(), 0.5);
}

void TestViewGeometry::panNeverLosesThePlane()
{
    ViewGeometry geometry = geometryOf({800, 600}, 300, 400);
    geometry.panBy({1e7, -1e7});
    QVERIFY(!geometry.visibleVoxels().isEmpty());
}

void TestViewGeometry::zoomIsLimited()
{
    ViewGeometry geometry = geometryOf({800, 600}, 30000, 40000);
    geometry.zoomBy(1e9, {1, 1});
    QCOMPARE(geometry.zoom(), 128.0);
    geometry.zoomBy(1e-12, {1, 1});
    QCOMPARE(geometry.zoom(), 0.01); // half of what fits
}

void TestViewGeometry::badAspectIsTakenAsSquare_data()
{
    QTest::addColumn<double>("edge");
    QTest::newRow("zero") << 0.0;
    QTest::newRow("negative") << -1.0;
    QTest::newRow("not a number") << std::nan("");
    QTest::newRow("infinite") << std::numeric_limits<double>::infinity();
}

void TestViewGeometry::badAspectIsTakenAsSquare()
{
    QFETCH(double, edge);
    const ViewGeometry geometry = geometryOf({800, 600}, 300, 400, edge, 1);
    QCOMPARE(geometry.scaleV(), geometry.scaleU());
}

void TestViewGeometry::visibleVoxels()
{
    ViewGeometry geometry = geometryOf({800, 600}, 300, 400);
    QCOMPARE(geometry.visibleVoxels().pixels(), std::int64_t{300 * 400});
    geometry.zoomBy(10, {0, 0}); // 20 widget pixels a voxel, the corner stays
    const PixelRect part = geometry.voxelsIn({0, 0, 50, 30});
    QVERIFY((part == PixelRect{0, 0, 2, 3}));
    QVERIFY(geometry.voxelsIn({-500, -500, 100, 100}).isEmpty());
}

void TestViewGeometry::levelFollowsDevicePixels_data()
{
    QTest::addColumn<double>("zoom");
    QTest::addColumn<double>("ratio");
    QTest::addColumn<int>("level");
    QTest::newRow("magnified") << 3.0 << 1.0 << 0;
    QTest::newRow("pixel for pixel") << 1.0 << 1.0 << 0;
    QTest::newRow("a little less") << 0.51 << 1.0 << 0;
    QTest::newRow("half") << 0.5 << 1.0 << 1;
    QTest::newRow("half, at two device pixels") << 0.5 << 2.0 << 0;
    QTest::newRow("a twentieth") << 0.05 << 1.0 << 4;
    QTest::newRow("a twentieth, at one and a quarter") << 0.05 << 1.25 << 4;
}

void TestViewGeometry::levelFollowsDevicePixels()
{
    QFETCH(double, zoom);
    QFETCH(double, ratio);
    ViewGeometry geometry = geometryOf({1000, 1000}, 100000, 100000);
    geometry.zoomBy(zoom / geometry.zoom(), {0, 0});
    QTEST(geometry.levelFor(ratio), "level");
}

void TestViewGeometry::scaleBarIsRound_data()
{
    QTest::addColumn<double>("micrometresAPixel");
    QTest::addColumn<double>("pixels");
    QTest::addColumn<QString>("text");
    QTest::newRow("nanometres") << 0.004 << 125.0 << "500 nm";
    QTest::newRow("one micrometre") << 0.00625 << 160.0 << QString::fromUtf8("1 µm");
    QTest::newRow("micrometres") << 0.65 << 100.0 / 0.65 << QString::fromUtf8("100 µm");
    QTest::newRow("a millimetre") << 10.0 << 100.0 << "1 mm";
    QTest::newRow("many millimetres") << 1000.0 << 100.0 << "100 mm";
    QTest::newRow("fractions of a nanometre") << 1e-6 << 100.0 << "0.1 nm";
}

void TestViewGeometry::scaleBarIsRound()
{
    QFETCH(double, micrometresAPixel);
    QFETCH(double, pixels);
    QLocale::setDefault(QLocale::c());
    const ScaleBar bar = scaleBarFor(micrometresAPixel, 180);
    QTEST(bar.text, "text");
    QVERIFY2(std::abs(bar.widgetPixels - pixels) < 1e-6, qPrintable(QString::number(bar.widgetPixels)));
}

void TestViewGeometry::noScaleBarWithoutALength()
{
    for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
        QCOMPARE(scaleBarFor(bad, 180).widgetPixels, 0.0);
}

QTEST_GUILESS_MAIN(TestViewGeometry)
#include "tst_view_geometry.moc"
