#include "widgets/panels/learning_curve.h"

#include "widgets/common/text.h"
#include "widgets/common/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <functional>

namespace voxelscribe::panels {

namespace {

struct CurveColours {
    QColor loss;
    QColor validationLoss;
    QColor iou;
};

// Blue, grey-blue and orange stay apart for colour-blind eyes, on light and dark.
CurveColours curveColours(bool dark)
{
    return dark ? CurveColours{QColor(0x7db3f5U), QColor(0xb9c4d0U), QColor(0xf2a65aU)}
                : CurveColours{QColor(0x1d63b8U), QColor(0x6b7885U), QColor(0xc2570cU)};
}

using Value = std::function<std::optional<double>(const EpochPoint&)>;

/// 1, 2 or 5 times a power of ten, at least `value`.
double niceCeiling(double value)
{
    if (!(value > 0))
        return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (value <= factor * power * (1 + 1e-9))
            return factor * power;
    return 10 * power;
}

/// The plot's frame and its scales.
struct Plot {
    QRectF area;
    double firstEpoch = 0;
    double lastEpoch = 1;
    double lossTop = 1;

    double x(int epoch) const { return area.left() + area.width() * (epoch - firstEpoch) / std::max(1.0, lastEpoch - firstEpoch); }
    double lossY(double loss) const { return area.bottom() - area.height() * std::clamp(loss / lossTop, 0.0, 1.0); }
    double iouY(double iou) const { return area.bottom() - area.height() * std::clamp(iou, 0.0, 1.0); }
};

bool drawLine(QPainter& painter, const std::vector<EpochPoint>& points, const Plot& plot, const QPen& pen, const Value& value,
              const std::function<double(double)>& toY)
{
    QPainterPath path;
    QPointF last;
    int count = 0;
    for (const EpochPoint& point : points) {
        const std::optional<double> found = value(point);
        if (!found || !std::isfinite(*found))
            continue;
        last = QPointF(plot.x(point.epoch), toY(*found));
        if (count++ == 0)
            path.moveTo(last);
        else
            path.lineTo(last);
    }
    if (count == 0)
        return false;
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.setPen(Qt::NoPen);
    painter.setBrush(pen.color());
    painter.drawEllipse(last, 2.5, 2.5);
    return true;
}

void drawAxes(QPainter& painter, const Plot& plot, const common::ThemeColours& colours, const CurveColours& curves, bool hasIou)
{
    const QFontMetricsF metrics(painter.font());
    constexpr int kParts = 4;
    for (int i = 0; i <= kParts; ++i) {
        const double share = double(i) / kParts;
        const double y = plot.area.bottom() - plot.area.height() * share;
        painter.setPen(QPen(colours.border, i == 0 ? 1.2 : 0.6));
        painter.drawLine(QPointF(plot.area.left(), y), QPointF(plot.area.right(), y));
        const QRectF left(0, y - metrics.height() / 2, plot.area.left() - 5, metrics.height());
        painter.setPen(curves.loss);
        if (i % 2 == 0)
            painter.drawText(left, Qt::AlignRight | Qt::AlignVCenter, common::formatNumber(plot.lossTop * share));
        const QRectF right(plot.area.right() + 5, left.top(), 40, metrics.height());
        painter.setPen(curves.iou);
        if (hasIou && i % 2 == 0)
            painter.drawText(right, Qt::AlignLeft | Qt::AlignVCenter, common::formatNumber(share));
    }
    painter.setPen(colours.muted);
    const QRectF below(plot.area.left() - 20, plot.area.bottom() + 2, plot.area.width() + 40, metrics.height());
    const QRectF ends = below.adjusted(20, 0, -20, 0);
    painter.drawText(ends, Qt::AlignLeft, common::formatCount(std::llround(plot.firstEpoch)));
    painter.drawText(ends, Qt::AlignRight, common::formatCount(std::llround(plot.lastEpoch)));
    painter.drawText(below, Qt::AlignHCenter, LearningCurve::tr("epoch"));
}

void drawLegend(QPainter& painter, const QRectF& room, const std::vector<std::pair<QPen, QString>>& entries)
{
    const QFontMetricsF metrics(painter.font());
    double x = room.left();
    for (const auto& [pen, text] : entries) {
        painter.setPen(pen);
        painter.drawLine(QPointF(x, room.center().y()), QPointF(x + 14, room.center().y()));
        x += 18;
        painter.drawText(QRectF(x, room.top(), metrics.horizontalAdvance(text) + 2, room.height()), Qt::AlignVCenter, text);
        x += metrics.horizontalAdvance(text) + 14;
    }
}

} // namespace

LearningCurve::LearningCurve(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("learningCurve"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Learning curve"));
    describeLast();
}

void LearningCurve::clear()
{
    m_points.clear();
    describeLast();
    update();
}

void LearningCurve::add(const EpochPoint& point)
{
    m_points.push_back(point);
    describeLast();
    update();
}

QSize LearningCurve::sizeHint() const
{
    return {260, fontMetrics().height() * 9};
}

QSize LearningCurve::minimumSizeHint() const
{
    return {160, fontMetrics().height() * 7};
}

void LearningCurve::describeLast()
{
    QString text = tr("No epoch yet");
    if (!m_points.empty()) {
        const EpochPoint& last = m_points.back();
        text = tr("Epoch %1: loss %2").arg(last.epoch).arg(common::formatNumber(last.loss));
        if (last.validationLoss)
            text += tr(", validation loss %1").arg(common::formatNumber(*last.validationLoss));
        if (last.validationIoU)
            text += tr(", validation IoU %1").arg(common::formatNumber(*last.validationIoU));
    }
    setAccessibleDescription(text);
    setToolTip(text);
}

void LearningCurve::paintEvent(QPaintEvent*)
{
    const common::ThemeColours& colours = common::themeColours(palette());
    const CurveColours curves = curveColours(common::isDark(palette()));
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.88);
    painter.setFont(small);
    if (m_points.empty()) {
        painter.setPen(colours.muted);
        painter.drawText(rect(), Qt::AlignCenter, tr("The curve begins with the first epoch"));
        return;
    }
    double greatest = 0;
    bool hasIou = false;
    for (const EpochPoint& point : m_points) {
        hasIou = hasIou || point.validationIoU.has_value();
        for (const double value : {point.loss, point.validationLoss.value_or(0)})
            if (std::isfinite(value))
                greatest = std::max(greatest, value);
    }
    const double line = QFontMetricsF(small).height();
    Plot plot;
    plot.area = QRectF(rect()).adjusted(40, line + 6, hasIou ? -30 : -8, -line - 4);
    plot.firstEpoch = m_points.front().epoch;
    plot.lastEpoch = std::max(m_points.back().epoch, m_points.front().epoch + 1);
    plot.lossTop = niceCeiling(greatest);
    drawAxes(painter, plot, colours, curves, hasIou);

    const auto lossY = [&plot](double value) { return plot.lossY(value); };
    const auto iouY = [&plot](double value) { return plot.iouY(value); };
    const QPen lossPen(curves.loss, 1.8);
    const QPen validationPen(curves.validationLoss, 1.4, Qt::DashLine);
    const QPen iouPen(curves.iou, 1.8);
    std::vector<std::pair<QPen, QString>> legend;
    if (drawLine(painter, m_points, plot, lossPen, [](const EpochPoint& p) { return std::optional<double>(p.loss); }, lossY))
        legend.emplace_back(lossPen, tr("loss"));
    if (drawLine(painter, m_points, plot, validationPen, [](const EpochPoint& p) { return p.validationLoss; }, lossY))
        legend.emplace_back(validationPen, tr("validation loss"));
    if (drawLine(painter, m_points, plot, iouPen, [](const EpochPoint& p) { return p.validationIoU; }, iouY))
        legend.emplace_back(iouPen, tr("validation IoU"));
    drawLegend(painter, QRectF(4, 0, width(), line), legend);
}

} // namespace voxelscribe::panels
