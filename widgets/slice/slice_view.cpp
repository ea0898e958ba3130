#include "widgets/slice/slice_view.h"

#include "widgets/slice/slice_view_impl.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QWheelEvent>
#include <algorithm>

namespace voxelscribe::slice {

SliceView::SliceView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(*this))
{
    setAccessibleName(tr("Slice view"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    // The right button is for the contrast: no menu of whatever the view lies in may open over it.
    setContextMenuPolicy(Qt::PreventContextMenu);
    setMinimumSize(64, 64);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

SliceView::~SliceView() = default;

QSize SliceView::sizeHint() const
{
    return {640, 480};
}

void SliceView::setVolume(VolumePtr volume)
{
    m_impl->input.finish();
    m_impl->sinceVolume.start();
    m_impl->awaitsFirstSlice = volume != nullptr;
    m_impl->reportedSlice = -1;
    m_impl->placeIn.clear();
    m_impl->picture.setVolume(std::move(volume), m_impl->plane);
    m_impl->resetGeometry(true);
}

void SliceView::setVoxelSizeUm(std::optional<VoxelSizeUm> size)
{
    if (size == m_impl->voxelSize)
        return;
    m_impl->voxelSize = size;
    m_impl->resetGeometry(false);
}

void SliceView::setPlane(Plane plane)
{
    if (plane == m_impl->plane)
        return;
    m_impl->input.finish();
    const std::int64_t before = m_impl->slice;
    if (m_impl->hasPicture())
        m_impl->placeIn[m_impl->plane] = before;
    m_impl->plane = plane;
    m_impl->picture.setVolume(m_impl->picture.volume(), plane);
    if (m_impl->hasPicture()) { // a number of one axis means nothing on another
        const auto left = m_impl->placeIn.find(plane);
        m_impl->slice = left == m_impl->placeIn.end() ? sliceCount() / 2 : left->second;
    }
    m_impl->resetGeometry(true);
    if (m_impl->slice != before)
        Q_EMIT sliceChanged(m_impl->slice);
}

Plane SliceView::plane() const
{
    return m_impl->plane;
}

void SliceView::setSlice(std::int64_t slice)
{
    m_impl->goTo(slice);
}

std::int64_t SliceView::slice() const
{
    return m_impl->slice;
}

std::int64_t SliceView::sliceCount() const
{
    return m_impl->sliceCount();
}

void SliceView::setAppearance(const SliceAppearance& appearance)
{
    m_impl->applyAppearance(appearance);
}

const SliceAppearance& SliceView::appearance() const
{
    return m_impl->appearance;
}

void SliceView::setClasses(std::vector<ClassInfo> classes)
{
    m_impl->picture.setClasses(classes);
    update();
}

void SliceView::setAnnotations(AnnotationReader reader)
{
    m_impl->picture.setAnnotations(std::move(reader));
    update();
}

void SliceView::annotationsChanged(const Region& dirty)
{
    const PixelRect part = m_impl->picture.annotationsChanged(dirty);
    if (!part.isEmpty())
        update(m_impl->geometry.toWidget(part).toAlignedRect().adjusted(-2, -2, 2, 2));
}

void SliceView::setMask(VolumePtr mask)
{
    m_impl->picture.setMask(std::move(mask));
    m_impl->refresh();
}

void SliceView::maskChanged(const Region& dirty)
{
    m_impl->picture.maskChanged(dirty);
    m_impl->refresh();
}

void SliceView::setMaskNote(const QString& note)
{
    m_impl->maskNote = note;
    update();
}

void SliceView::setTool(Tool tool)
{
    m_impl->input.setTool(tool);
}

Tool SliceView::tool() const
{
    return m_impl->input.tool();
}

void SliceView::setBrushRadius(double radiusPixels)
{
    m_impl->brushRadius = radiusPixels;
    m_impl->updatePointerMarks();
}

double SliceView::brushRadius() const
{
    return m_impl->brushRadius;
}

void SliceView::setPaintingEnabled(bool enabled, const QString& why)
{
    if (!enabled)
        m_impl->input.finish();
    m_impl->paintingEnabled = enabled;
    m_impl->paintingRefusal = why;
    m_impl->handsChanged();
}

void SliceView::setCrosshair(std::optional<Extent> voxel)
{
    if (voxel == m_impl->crosshair)
        return;
    m_impl->crosshair = voxel;
    update();
}

void SliceView::setMemoryBudget(std::int64_t bytes)
{
    m_impl->picture.setMemoryBudget(bytes);
}

void SliceView::fitToView()
{
    m_impl->fit();
}

void SliceView::zoomBy(double factor, QPointF around)
{
    m_impl->zoom(factor, around);
}

void SliceView::showPosition(const Extent& voxel)
{
    const Extent position = planeExtent(voxel, m_impl->plane); // a position turns into the plane as an extent does
    m_impl->goTo(position.z);
    m_impl->geometry.centreOn({static_cast<double>(position.x) + 0.5, static_cast<double>(position.y) + 0.5});
    m_impl->refresh();
}

PlanePoint SliceView::imagePosition(QPointF widgetPosition) const
{
    return m_impl->geometry.toImage(widgetPosition);
}

QPointF SliceView::widgetPosition(PlanePoint imagePosition) const
{
    return m_impl->geometry.toWidget(imagePosition);
}

void SliceView::setEmptyText(const QString& text)
{
    m_impl->emptyText = text;
    update();
}

bool SliceView::isComplete() const
{
    return m_impl->picture.isComplete();
}

bool SliceView::event(QEvent* event)
{
    return m_impl->handle(*event) || QWidget::event(event);
}

bool SliceView::Impl::handle(QEvent& event)
{
    switch (event.type()) {
    case QEvent::Paint: paint(static_cast<QPaintEvent&>(event)); return true;
    case QEvent::MouseButtonPress: return input.press(static_cast<QMouseEvent&>(event));
    case QEvent::MouseMove: return input.move(static_cast<QMouseEvent&>(event));
    case QEvent::MouseButtonRelease: return input.release(static_cast<QMouseEvent&>(event));
    case QEvent::MouseButtonDblClick: return input.doubleClick(static_cast<QMouseEvent&>(event));
    case QEvent::Wheel: return input.wheel(static_cast<QWheelEvent&>(event));
    case QEvent::KeyPress: return input.keyPress(static_cast<QKeyEvent&>(event));
    case QEvent::KeyRelease: return input.keyRelease(static_cast<QKeyEvent&>(event));
    case QEvent::ShortcutOverride:
        // Esc ends the running stroke before it closes or cancels anything else.
        if (!input.isStroking() || static_cast<QKeyEvent&>(event).key() != Qt::Key_Escape)
            return false;
        event.accept();
        return true;
    case QEvent::Leave: hover({}); return false;
    case QEvent::Hide:
        input.finish();
        refresh();
        return false;
    case QEvent::FocusOut: input.focusLost(); view.update(); return false;
    case QEvent::FocusIn:
    case QEvent::PaletteChange:
    case QEvent::FontChange: view.update(); return false;
    case QEvent::Resize:
        geometry.setWidgetSize(view.size());
        refresh();
        return false;
    case QEvent::ScreenChangeInternal:
    case QEvent::Show: refresh(); return false;
    default: return false;
    }
}

} // namespace voxelscribe::slice
