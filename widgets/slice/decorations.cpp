#include "widgets/slice/decorations.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPalette>
#include <QPen>
#include <algorithm>
#include <cmath>

namespace voxelscribe::slice {

namespace {

const QColor kPlate(20, 20, 20, 190);
const QColor kInk(245, 245, 245);
const QColor kHalo(0, 0, 0, 200);          ///< around light lines, so that they show on light as well
const QColor kCrosshair(255, 220, 90);
constexpr double kMargin = 8;
constexpr double kPadding = 5;

QString number(double value)
{
    return QLocale().toString(value, 'g', 6);
}

} // namespace

QString lengthText(double micrometres)
{
    // A hair of slack: 1000 · 0.001 must not read as "1000 nm".
    if (micrometres < 0.9999)
        return QCoreApplication::translate("SliceView", "%1 nm").arg(number(micrometres * 1e3));
    if (micrometres < 999.9)
        return QCoreApplication::translate("SliceView", "%1 µm").arg(number(micrometres));
    return QCoreApplication::translate("SliceView", "%1 mm").arg(number(micrometres / 1e3));
}

ScaleBar scaleBarFor(double micrometresAPixel, double mostPixels)
{
    const double most = micrometresAPixel * mostPixels;
    if (!std::isfinite(most) || most <= 0)
        return {};
    const double decade = std::pow(10.0, std::floor(std::log10(most)));
    double length = decade;
    for (const double step : {2.0, 5.0})
        if (step * decade <= most)
            length = step * decade;
    return {length, length / micrometresAPixel, lengthText(length)};
}

void drawScaleBar(QPainter& painter, const ScaleBar& bar, QPointF lowerLeft)
{
    if (bar.widgetPixels <= 0)
        return;
    const QFontMetricsF metrics(painter.font());
    const double width = std::max(bar.widgetPixels, metrics.horizontalAdvance(bar.text));
    const double height = metrics.height() + 6;
    const QRectF plate(lowerLeft.x() + kMargin, lowerLeft.y() - kMargin - height - 2 * kPadding, width + 2 * kPadding,
                       height + 2 * kPadding);
    painter.setPen(Qt::NoPen);
    painter.setBrush(kPlate);
    painter.drawRoundedRect(plate, 4, 4);
    painter.setPen(kInk);
    painter.drawText(QRectF(plate.left(), plate.top() + kPadding, plate.width(), metrics.height()), Qt::AlignCenter, bar.text);
    const double left = plate.center().x() - bar.widgetPixels / 2;
    painter.fillRect(QRectF(left, plate.bottom() - kPadding - 3, bar.widgetPixels, 3), kInk);
}

QRectF drawChip(QPainter& painter, const QRectF& area, Qt::Alignment corner, const QString& text)
{
    if (text.isEmpty())
        return {};
    const QFontMetricsF metrics(painter.font());
    const double most = std::max(40.0, area.width() - 2 * (kMargin + kPadding));
    const QString shown = metrics.elidedText(text, Qt::ElideRight, most);
    const QSizeF size(metrics.horizontalAdvance(shown) + 2 * kPadding, metrics.height() + kPadding);
    const double x = corner.testFlag(Qt::AlignRight) ? area.right() - kMargin - size.width() : area.left() + kMargin;
    const double y = corner.testFlag(Qt::AlignBottom) ? area.bottom() - kMargin - size.height() : area.top() + kMargin;
    const QRectF plate(QPointF(x, y), size);
    painter.setPen(Qt::NoPen);
    painter.setBrush(kPlate);
    painter.drawRoundedRect(plate, 4, 4);
    painter.setPen(kInk);
    painter.drawText(plate, Qt::AlignCenter, shown);
    return plate;
}

void drawMessage(QPainter& painter, const QRectF& area, const QString& text, const QPalette& palette)
{
    const double width = std::min(area.width() - 4 * kMargin, 460.0);
    if (text.isEmpty() || width <= 0)
        return;
    const QFontMetricsF metrics(painter.font());
    const int flags = Qt::AlignCenter | Qt::TextWordWrap | Qt::TextWrapAnywhere;
    QRectF box = metrics.boundingRect(QRectF(0, 0, width, 10000), flags, text);
    box.moveCenter(area.center());
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.color(QPalette::Window));
    painter.drawRoundedRect(box.adjusted(-12, -10, 12, 10), 6, 6);
    painter.setPen(palette.color(QPalette::WindowText));
    painter.drawText(box, flags, text);
}

void drawBrushRing(QPainter& painter, QPointF centre, double radius, bool erase)
{
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(kHalo, 3));
    painter.drawEllipse(centre, radius, radius);
    painter.setPen(QPen(Qt::white, 1.2, erase ? Qt::DashLine : Qt::SolidLine));
    painter.drawEllipse(centre, radius, radius);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void drawVoxelMark(QPainter& painter, const QRectF& voxel)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(kHalo, 3));
    painter.drawRect(voxel);
    painter.setPen(QPen(Qt::white, 1));
    painter.drawRect(voxel);
}

void drawCrosshair(QPainter& painter, const QRectF& area, QPointF at, double gap)
{
    const QLineF arms[] = {{area.left(), at.y(), at.x() - gap, at.y()},
                           {at.x() + gap, at.y(), area.right(), at.y()},
                           {at.x(), area.top(), at.x(), at.y() - gap},
                           {at.x(), at.y() + gap, at.x(), area.bottom()}};
    painter.setPen(QPen(kHalo, 3));
    painter.drawLines(arms, 4);
    painter.setPen(QPen(kCrosshair, 1));
    painter.drawLines(arms, 4);
}

void drawFocusRing(QPainter& painter, const QRectF& area, const QPalette& palette)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette.color(QPalette::Highlight), 2));
    painter.drawRect(area.adjusted(1, 1, -1, -1));
}

} // namespace voxelscribe::slice
