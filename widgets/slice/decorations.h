#pragma once

#include "widgets/slice/view_geometry.h"

#include <QString>
#include <Qt>

class QPainter;
class QPalette;

namespace voxelscribe::slice {

/// A bar of round length for the lower left corner.
struct ScaleBar {
    double micrometres = 0;
    double widgetPixels = 0;
    QString text;             ///< "20 µm"
};

/// The longest of 1, 2, 5, 10… that is at most `mostPixels` wide; empty where there is none.
ScaleBar scaleBarFor(double micrometresAPixel, double mostPixels);
/// "500 nm", "20 µm", "1 mm".
QString lengthText(double micrometres);

void drawScaleBar(QPainter& painter, const ScaleBar& bar, QPointF lowerLeft);
/// Text on a dark plate that is readable over any picture, in a corner of `area`. Returns what it covers.
QRectF drawChip(QPainter& painter, const QRectF& area, Qt::Alignment corner, const QString& text);
/// A calm message in the middle of `area`, wrapped, in the palette's colours.
void drawMessage(QPainter& painter, const QRectF& area, const QString& text, const QPalette& palette);
/// The brush's true size, visible on dark and on light; dashed while erasing.
void drawBrushRing(QPainter& painter, QPointF centre, double radius, bool erase);
/// The outline of the voxel under the pointer, at zooms at which voxels can be told apart.
void drawVoxelMark(QPainter& painter, const QRectF& voxel);
/// Lines through `at` that leave a gap of `gap` around it.
void drawCrosshair(QPainter& painter, const QRectF& area, QPointF at, double gap);
void drawFocusRing(QPainter& painter, const QRectF& area, const QPalette& palette);

} // namespace voxelscribe::slice
