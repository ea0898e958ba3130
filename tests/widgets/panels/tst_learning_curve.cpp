#include "widgets/panels/learning_curve.h"

#include <QImage>
#include <QtTest/QtTest>
#include <cmath>
#include <limits>

using namespace voxelscribe::panels;

namespace {

const QColor kLoss(0x1d63b8U);
const QColor kIou(0xc2570cU);
constexpr int kLegend = 18; // rows of text above and below the plot
constexpr int kEpochs = 16;

int distance(const QColor& a, const QColor& b)
{
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
}

/// Mean row of the pixels near `colour` in the columns from..to of the plot; -1 where there are none.
double meanRow(const QImage& image, const QColor& colour, int from, int to)
{
    double sum = 0;
    int count = 0;
    for (int x = from; x < to; ++x)
        for (int y = kLegend; y < image.height() - kEpochs; ++y)
            if (distance(image.pixelColor(x, y), colour) < 60) {
                sum += y;
                ++count;
            }
    return count == 0 ? -1 : sum / count;
}

EpochPoint point(int epoch, double loss, std::optional<double> iou = {})
{
    EpochPoint made;
    made.epoch = epoch;
    made.loss = loss;
    made.validationIoU = iou;
    return made;
}

} // namespace

class TestLearningCurve : public QObject {
    Q_OBJECT
    std::unique_ptr<LearningCurve> m_curve;

    QImage picture()
    {
        m_curve->resize(300, 160);
        return m_curve->grab().toImage();
    }

private Q_SLOTS:
    void init()
    {
        m_curve = std::make_unique<LearningCurve>();
        QPalette light;
        light.setColor(QPalette::Window, QColor(0xf3f4f6U));
        m_curve->setPalette(light);
        m_curve->setAutoFillBackground(true);
    }

    void fallingLossFallsAndRisingIouRises()
    {
        for (int i = 1; i <= 30; ++i)
            m_curve->add(point(i, 2.0 / i, 1 - 1.0 / i));
        const QImage image = picture();
        QVERIFY(meanRow(image, kLoss, 45, 80) >= 0);
        QVERIFY(meanRow(image, kLoss, 45, 80) < meanRow(image, kLoss, 220, 255));
        QVERIFY(meanRow(image, kIou, 45, 80) > meanRow(image, kIou, 220, 255));
    }
    void emptyCurveDrawsNoLine()
    {
        const QImage image = picture();
        QCOMPARE(meanRow(image, kLoss, 0, 300), -1.0);
        QVERIFY(m_curve->accessibleDescription().contains(QStringLiteral("No epoch")));
    }
    void onePointIsVisible()
    {
        m_curve->add(point(1, 0.7));
        QVERIFY(meanRow(picture(), kLoss, 36, 290) >= 0);
    }
    void brokenValuesAreLeftOut()
    {
        m_curve->add(point(1, 1.0));
        m_curve->add(point(2, std::nan("")));
        m_curve->add(point(3, std::numeric_limits<double>::infinity()));
        m_curve->add(point(4, 0.5));
        // The scale is that of the good values: the first one stands at the top of the plot.
        const double first = meanRow(picture(), kLoss, 40, 60);
        QVERIFY(first >= 0 && first < 60);
    }
    void onlyBrokenValuesDrawNoLine()
    {
        m_curve->add(point(1, std::nan("")));
        QCOMPARE(meanRow(picture(), kLoss, 42, 290), -1.0);
    }
    void withoutValidationThereIsNoSecondLine()
    {
        for (int i = 1; i <= 10; ++i)
            m_curve->add(point(i, 1.0 / i));
        QCOMPARE(meanRow(picture(), kIou, 0, 300), -1.0);
    }
    void lastEpochIsSpoken()
    {
        EpochPoint last = point(7, 0.25, 0.8125);
        last.validationLoss = 0.5;
        m_curve->add(last);
        QCOMPARE(m_curve->accessibleDescription(), QStringLiteral("Epoch 7: loss 0.25, validation loss 0.5, validation IoU 0.8125"));
        m_curve->clear();
        QVERIFY(m_curve->points().empty());
    }
};

QTEST_MAIN(TestLearningCurve)
#include "tst_learning_curve.moc"
