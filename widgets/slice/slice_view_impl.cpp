#include "widgets/slice/slice_view_impl.h"

#include <algorithm>
#include <cmath>

namespace voxelscribe::slice {

namespace {

constexpr int kBusyMs = 150;
constexpr int kProbeMs = 120;
constexpr double kLeastBrush = 0.5;
constexpr double kLargestBrush = 2000;
constexpr double kBrushStep = 1.2;
constexpr double kLeastOpacity = 0.05;

Qt::CursorShape cursorFor(const SliceInput& input, bool hasPicture)
{
    if (!hasPicture)
        return Qt::ArrowCursor;
    if (input.isPanning())
        return Qt::ClosedHandCursor;
    if (input.isPanReady())
        return Qt::OpenHandCursor;
    return input.tool() == Tool::pick ? Qt::PointingHandCursor : Qt::CrossCursor;
}

} // namespace

SliceView::Impl::Impl(SliceView& owner) : view(owner), input(*this)
{
    QObject::connect(&picture, &SlicePicture::changed, &view, [this] { refresh(); });
    QObject::connect(&picture, &SlicePicture::annotationsFailed, &view, &SliceView::readFailed);
    busyTimer.setSingleShot(true);
    busyTimer.setInterval(kBusyMs);
    probeTimer.setSingleShot(true);
    probeTimer.setInterval(kProbeMs);
    QObject::connect(&probeTimer, &QTimer::timeout, &view, [this] { refresh(); });
    QObject::connect(&busyTimer, &QTimer::timeout, &view, [this] {
        isBusyShown = picture.isLoading();
        refresh(); // a mask that takes its time no longer holds back its slice
    });
}

void SliceView::Impl::goTo(std::int64_t wanted)
{
    const std::int64_t count = sliceCount();
    const std::int64_t target = std::clamp<std::int64_t>(wanted, 0, std::max<std::int64_t>(0, count - 1));
    if (target == slice || count == 0)
        return;
    input.finish();
    slice = target;
    view.setAccessibleDescription(orientationText());
    refresh();
    Q_EMIT view.sliceChanged(slice);
}

void SliceView::Impl::resetGeometry(bool soon)
{
    const Extent extent = picture.planeExtent();
    const VoxelSizeUm size = planeVoxelSize(voxelSize.value_or(VoxelSizeUm{}), plane);
    geometry.setWidgetSize(view.size());
    geometry.setPlane(extent.y, extent.x, size.y, size.x);
    const std::int64_t last = std::max<std::int64_t>(0, extent.z - 1);
    const bool moved = slice > last;
    slice = std::min(slice, last);
    view.setAccessibleDescription(hasPicture() ? orientationText() : QString());
    handsChanged();
    if (soon)
        QMetaObject::invokeMethod(&view, [this] { refresh(); }, Qt::QueuedConnection);
    else
        refresh();
    view.update();
    if (moved)
        Q_EMIT view.sliceChanged(slice);
}

void SliceView::Impl::refresh()
{
    if (!view.isVisible()) { // a hidden view reads nothing: another orientation may mean the whole stack
        picture.rest();
        return;
    }
    picture.request(slice, geometry, view.devicePixelRatioF());
    if (!picture.isLoading()) {
        busyTimer.stop();
        isBusyShown = false;
    } else if (!busyTimer.isActive() && !isBusyShown) {
        busyTimer.start();
    }
    reportFailures();
    if (pointer)
        tellPointer();
    view.update();
}

void SliceView::Impl::reportFailures()
{
    const QString failure = messageText();
    if (failure != reportedImageFailure || (!failure.isEmpty() && slice != reportedSlice)) {
        reportedImageFailure = failure;
        reportedSlice = slice;
        if (!failure.isEmpty())
            Q_EMIT view.readFailed(failure);
    }
    if (picture.maskFailure() != reportedMaskFailure) {
        reportedMaskFailure = picture.maskFailure();
        if (!reportedMaskFailure.isEmpty())
            Q_EMIT view.readFailed(SliceView::tr("Mask not shown: %1").arg(reportedMaskFailure));
    }
}

void SliceView::Impl::applyAppearance(const SliceAppearance& changed)
{
    if (changed == appearance)
        return;
    const bool overlaySwitched = changed.overlayVisible != appearance.overlayVisible;
    appearance = changed;
    picture.setAppearance(appearance);
    if (overlaySwitched)
        refresh();
    view.update();
}

void SliceView::Impl::tellByKey(const SliceAppearance& changed)
{
    if (changed == appearance)
        return;
    applyAppearance(changed);
    Q_EMIT view.appearanceChanged(appearance);
}

void SliceView::Impl::zoom(double factor, std::optional<QPointF> around)
{
    geometry.zoomBy(factor, around.value_or(QRectF(view.rect()).center()));
    refresh();
}

void SliceView::Impl::pan(QPointF delta)
{
    geometry.panBy(delta);
    refresh();
}

void SliceView::Impl::fit()
{
    geometry.fit();
    refresh();
}

void SliceView::Impl::beginContrast()
{
    contrastStart = appearance;
}

/// To the right the window narrows (more contrast), upwards the picture brightens; the whole view's size is a factor of four,
/// or one window.
void SliceView::Impl::dragContrast(QPointF delta)
{
    const double width = contrastStart.contrastHigh - contrastStart.contrastLow;
    const double level = (contrastStart.contrastHigh + contrastStart.contrastLow) / 2;
    const double newWidth = width * std::pow(4.0, -delta.x() / std::max(1, view.width()));
    const double newLevel = level + delta.y() / std::max(1, view.height()) * width;
    SliceAppearance changed = appearance;
    changed.contrastLow = newLevel - newWidth / 2;
    changed.contrastHigh = newLevel + newWidth / 2;
    if (changed == appearance)
        return;
    applyAppearance(changed);
    Q_EMIT view.contrastDragged(changed.contrastLow, changed.contrastHigh);
}

void SliceView::Impl::growBrush(double steps)
{
    const double halves = std::round(brushRadius * std::pow(kBrushStep, steps) * 2) / 2;
    const double grown = halves == brushRadius ? brushRadius + (steps > 0 ? 0.5 : -0.5) : halves;
    const double radius = std::clamp(grown, kLeastBrush, kLargestBrush);
    if (radius == brushRadius)
        return;
    brushRadius = radius;
    updatePointerMarks();
    Q_EMIT view.brushRadiusDragged(brushRadius);
}

/// Nobody should paint on a picture that is not the slice being painted.
bool SliceView::Impl::canPaint()
{
    QString why;
    if (!paintingEnabled)
        why = paintingRefusal;
    else if (picture.shownSlice() != slice)
        why = SliceView::tr("Slice %1 is still being read").arg(slice + 1);
    else
        return true;
    Q_EMIT view.paintingRefused(why);
    return false;
}

bool SliceView::Impl::beginStroke(QPointF at, bool erase)
{
    if (!canPaint())
        return false;
    Q_EMIT view.strokeBegan(geometry.toImage(at), erase);
    return true;
}

void SliceView::Impl::extendStroke(QPointF to)
{
    Q_EMIT view.strokeExtended(geometry.toImage(to));
}

void SliceView::Impl::endStroke()
{
    Q_EMIT view.strokeEnded();
}

void SliceView::Impl::cancelStroke()
{
    Q_EMIT view.strokeCancelled();
}

void SliceView::Impl::fillAt(QPointF at, bool erase)
{
    const PlanePoint point = geometry.toImage(at);
    if (canPaint() && geometry.contains(point))
        Q_EMIT view.fillRequested(point, erase);
}

void SliceView::Impl::pickAt(QPointF at)
{
    const PlanePoint point = geometry.toImage(at);
    if (!geometry.contains(point))
        return;
    const auto v = static_cast<std::int64_t>(point.v);
    const auto u = static_cast<std::int64_t>(point.u);
    const std::uint16_t annotation = picture.annotationAt(v, u);
    const std::uint16_t id = annotation != 0 ? annotation : picture.maskAt(v, u);
    if (id != 0)
        Q_EMIT view.classPicked(id);
}

void SliceView::Impl::hover(std::optional<QPointF> at)
{
    pointer = at;
    updatePointerMarks();
    tellPointer();
    const PlanePoint point = at ? geometry.toImage(*at) : PlanePoint{-1, -1};
    if (!geometry.contains(point)) {
        picture.setProbe({});
        probeTimer.stop();
        return;
    }
    const PixelRect voxel{static_cast<std::int64_t>(point.v), static_cast<std::int64_t>(point.u), 1, 1};
    picture.setProbe(voxel);
    if (std::isnan(picture.valueAt(voxel.v, voxel.u)))
        probeTimer.start();
}

void SliceView::Impl::updatePointerMarks()
{
    const QRectF marks = pointerMarks();
    view.update(markedArea.toAlignedRect());
    view.update(marks.toAlignedRect());
    markedArea = marks;
}

void SliceView::Impl::tellPointer()
{
    const PlanePoint at = pointer ? geometry.toImage(*pointer) : PlanePoint{-1, -1};
    if (!hasPicture() || !geometry.contains(at)) {
        Q_EMIT view.pointerMoved(false, {}, std::nan(""), 0, 0);
        return;
    }
    const auto v = static_cast<std::int64_t>(at.v);
    const auto u = static_cast<std::int64_t>(at.u);
    Q_EMIT view.pointerMoved(true, planeVoxel(plane, picture.shownSlice(), v, u), picture.valueAt(v, u), picture.annotationAt(v, u),
                             picture.maskAt(v, u));
}

void SliceView::Impl::toggleOverlay()
{
    SliceAppearance changed = appearance;
    changed.overlayVisible = !changed.overlayVisible;
    tellByKey(changed);
}

void SliceView::Impl::changeOpacity(double by)
{
    SliceAppearance changed = appearance;
    changed.annotationOpacity = std::clamp(changed.annotationOpacity + by, kLeastOpacity, 1.0);
    changed.maskOpacity = std::clamp(changed.maskOpacity + by, kLeastOpacity, 1.0);
    tellByKey(changed);
}

void SliceView::Impl::toggleOutline()
{
    SliceAppearance changed = appearance;
    changed.maskOutline = !changed.maskOutline;
    tellByKey(changed);
}

void SliceView::Impl::maximise()
{
    Q_EMIT view.maximiseToggled();
}

void SliceView::Impl::handsChanged()
{
    const Qt::CursorShape shape = cursorFor(input, hasPicture());
    if (view.cursor().shape() != shape)
        view.setCursor(shape);
    updatePointerMarks();
}

} // namespace voxelscribe::slice
