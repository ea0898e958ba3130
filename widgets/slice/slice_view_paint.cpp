#include "widgets/slice/slice_view_impl.h"

#include "widgets/slice/decorations.h"

#include <QPaintEvent>
#include <QPainter>
#include <algorithm>

namespace voxelscribe::slice {

namespace {

/// Neutral, so that it tints no judgement of greys, whatever the palette.
const QColor kSurround(38, 38, 38);
constexpr double kVoxelMarkZoom = 8;
constexpr double kLongestScaleBar = 180;

const char* planeName(Plane plane)
{
    switch (plane) {
    case Plane::xz: return "xz";
    case Plane::zy: return "zy";
    case Plane::xy: break;
    }
    return "xy";
}

} // namespace

void SliceView::Impl::paint(const QPaintEvent& event)
{
    QPainter painter(&view);
    if (!hasPicture()) {
        painter.fillRect(event.rect(), view.palette().color(QPalette::Window));
        drawMessage(painter, view.rect(), emptyText, view.palette());
    } else {
        painter.fillRect(event.rect(), kSurround);
        if (picture.paint(painter, geometry, event.rect(), !maskNote.isEmpty()))
            QMetaObject::invokeMethod(&view, [this] { view.update(); }, Qt::QueuedConnection);
        paintMarks(painter);
        paintChips(painter);
        if (awaitsFirstSlice && picture.isComplete() && picture.imageFailure().isEmpty()) {
            awaitsFirstSlice = false;
            const qint64 milliseconds = sinceVolume.elapsed();
            QMetaObject::invokeMethod(&view, [this, milliseconds] { Q_EMIT view.firstSliceShown(milliseconds); }, Qt::QueuedConnection);
        }
    }
    if (view.hasFocus())
        drawFocusRing(painter, view.rect(), view.palette());
}

bool SliceView::Impl::showsRing() const
{
    return pointer && input.paints() && paintingEnabled && !input.isPanReady() && !input.isPanning();
}

void SliceView::Impl::paintMarks(QPainter& painter) const
{
    if (crosshair) {
        const Extent position = planeExtent(*crosshair, plane);
        const double gap = std::max(12.0, std::max(geometry.scaleU(), geometry.scaleV()));
        drawCrosshair(painter, view.rect(),
                      geometry.toWidget(PlanePoint{static_cast<double>(position.x) + 0.5, static_cast<double>(position.y) + 0.5}), gap);
    }
    if (!pointer)
        return;
    const PlanePoint at = geometry.toImage(*pointer);
    if (std::min(geometry.scaleU(), geometry.scaleV()) >= kVoxelMarkZoom && geometry.contains(at))
        drawVoxelMark(painter, geometry.toWidget(PixelRect{static_cast<std::int64_t>(at.v), static_cast<std::int64_t>(at.u), 1, 1}));
    if (showsRing())
        drawBrushRing(painter, *pointer, brushRadius * geometry.zoom(), input.isErasing());
}

QRectF SliceView::Impl::pointerMarks() const
{
    if (!pointer)
        return {};
    const double reach = std::max({showsRing() ? brushRadius * geometry.zoom() : 0.0, geometry.scaleU(), geometry.scaleV()}) + 3;
    return {pointer->x() - reach, pointer->y() - reach, 2 * reach, 2 * reach};
}

QString SliceView::Impl::orientationText() const
{
    // Counted from 0, as under the pointer, in the steps and on the command line.
    return SliceView::tr("%1 · slice %2 (0–%3)").arg(QLatin1String(planeName(plane))).arg(slice).arg(sliceCount() - 1);
}

void SliceView::Impl::paintChips(QPainter& painter) const
{
    QRectF area = view.rect();
    const QRectF label = drawChip(painter, area, Qt::AlignLeft | Qt::AlignTop, orientationText());
    QRectF right = area;
    right.setLeft(label.right());
    if (isBusyShown)
        drawChip(painter, right, Qt::AlignRight | Qt::AlignTop,
                 picture.shownSlice() == slice ? SliceView::tr("Loading…")
                                               : SliceView::tr("Loading… slice %1 is shown").arg(picture.shownSlice()));
    area.setTop(label.bottom() - 2);
    const QString& failure = picture.maskFailure();
    const QString note = failure.isEmpty() ? maskNote : SliceView::tr("Mask not shown: %1").arg(failure);
    if (appearance.overlayVisible)
        drawChip(painter, area, Qt::AlignLeft | Qt::AlignTop, note);
    else
        drawChip(painter, area, Qt::AlignLeft | Qt::AlignTop, SliceView::tr("Overlay hidden"));
    if (voxelSize) {
        const VoxelSizeUm size = planeVoxelSize(*voxelSize, plane);
        drawScaleBar(painter, scaleBarFor(size.x / geometry.scaleU(), std::min(kLongestScaleBar, view.width() / 3.0)),
                     QRectF(view.rect()).bottomLeft());
    }
    drawMessage(painter, view.rect(), messageText(), view.palette());
}

QString SliceView::Impl::messageText() const
{
    const QString& failure = picture.imageFailure();
    return failure.isEmpty() ? QString() : SliceView::tr("Slice %1 cannot be read: %2").arg(slice).arg(failure);
}

} // namespace voxelscribe::slice
