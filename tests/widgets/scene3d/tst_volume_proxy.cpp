#include "widgets/scene3d/volume_proxy.h"

#include <QtTest/QtTest>

#include <cmath>
#include <limits>

using namespace voxelscribe;
using scene3d::ProxyGeometry;

class TestVolumeProxy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fits_data();
    void fits();
    void averagesInThePlane();
    void leavesOutNaN();
    void picksTheMiddleLabel();
    void findsTheSlicesOfARange();
    void ordersCoarseToFine();
};

void TestVolumeProxy::fits_data()
{
    QTest::addColumn<qint64>("edge");
    QTest::addColumn<qint64>("step");
    QTest::addColumn<qint64>("proxy");
    QTest::newRow("smaller than the proxy") << qint64{7} << qint64{1} << qint64{7};
    QTest::newRow("just as large") << qint64{192} << qint64{1} << qint64{192};
    QTest::newRow("one voxel larger") << qint64{193} << qint64{2} << qint64{97};
    QTest::newRow("a stack beyond 2^31") << qint64{5'000'000'000} << qint64{26'041'667} << qint64{192};
}

void TestVolumeProxy::fits()
{
    QFETCH(qint64, edge);
    const ProxyGeometry geometry = ProxyGeometry::fit({3, edge, 5}, 192);
    QTEST(qint64(geometry.step.y), "step");
    QTEST(qint64(geometry.extent.y), "proxy");
    QCOMPARE(geometry.extent.z, 3);
    QCOMPARE(geometry.extent.x, 5);
}

void TestVolumeProxy::averagesInThePlane()
{
    const auto volume = makeMemoryVolume<std::uint8_t>({1, 2, 5}, std::vector<std::uint8_t>{0, 10, 20, 30, 100, 20, 30, 40, 50, 200});
    ProxyGeometry geometry{{1, 2, 5}, {1, 2, 2}, {1, 1, 3}};
    const auto slice = scene3d::readImageSlice(*volume, geometry, 0, 0, 255);
    QCOMPARE(slice, (std::vector<std::uint8_t>{15, 35, 150}));
}

void TestVolumeProxy::leavesOutNaN()
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto volume = makeMemoryVolume<float>({1, 1, 4}, std::vector<float>{nan, 0.5F, nan, std::numeric_limits<float>::infinity()});
    const ProxyGeometry geometry{{1, 1, 4}, {1, 1, 2}, {1, 1, 2}};
    const auto slice = scene3d::readImageSlice(*volume, geometry, 0, 0, 1);
    QCOMPARE(slice, (std::vector<std::uint8_t>{127, 0}));
}

void TestVolumeProxy::picksTheMiddleLabel()
{
    const auto mask = makeMemoryVolume<std::uint16_t>({1, 3, 4}, std::vector<std::uint16_t>{1, 1, 1, 1, 1, 7, 7, 9, 1, 1, 1, 1});
    const ProxyGeometry geometry{{1, 3, 4}, {1, 3, 2}, {1, 1, 2}};
    std::vector<std::uint8_t> index(65536, 0);
    index[7] = 2;
    QCOMPARE(scene3d::readLabelSlice(*mask, geometry, 0, index), (std::vector<std::uint8_t>{2, 0}));
}

void TestVolumeProxy::findsTheSlicesOfARange()
{
    const ProxyGeometry geometry = ProxyGeometry::fit({1000, 3, 3}, 100); // every 10th, from 5
    QCOMPARE(geometry.slicesIn(0, 5), std::vector<std::int64_t>{});
    QCOMPARE(geometry.slicesIn(5, 6), (std::vector<std::int64_t>{0}));
    QCOMPARE(geometry.slicesIn(14, 40), (std::vector<std::int64_t>{1, 2, 3}));
    std::int64_t all = 0;
    for (std::int64_t z = 0; z < 1000; ++z)
        all += std::int64_t(geometry.slicesIn(z, z + 1).size());
    QCOMPARE(all, 100);
}

void TestVolumeProxy::ordersCoarseToFine()
{
    auto order = scene3d::coarseToFine(21);
    QCOMPARE(order[0], 0);
    QCOMPARE(order[2], 16);
    std::sort(order.begin(), order.end());
    for (std::size_t k = 0; k < 21; ++k)
        QCOMPARE(order[k], std::int64_t(k));
}

QTEST_GUILESS_MAIN(TestVolumeProxy)
#include "tst_volume_proxy.moc"
