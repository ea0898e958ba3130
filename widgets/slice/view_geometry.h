#pragma once

#include "core/volume/plane.h"
#include "widgets/slice/tile_grid.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace voxelscribe::slice {

/// Where a plane lies on the widget: pan, zoom and the physical aspect of its voxels. Widget positions are device-independent pixels.
class ViewGeometry {
public:
    void setWidgetSize(const QSizeF& size);
    /// `height` × `width` voxels, whose edges are as `vertical` to `horizontal`. Fits the plane into the view.
    void setPlane(std::int64_t height, std::int64_t width, double vertical, double horizontal);

    /// Shows the whole plane, and keeps doing so when the widget's size changes, until the person zooms or pans.
    void fit();
    void zoomBy(double factor, QPointF around);
    void panBy(QPointF delta);
    void centreOn(PlanePoint point);

    /// Widget pixels for an edge of the voxel's finer side.
    double zoom() const { return m_zoom; }
    double scaleU() const { return m_zoom * m_aspectU; }
    double scaleV() const { return m_zoom * m_aspectV; }

    QPointF toWidget(PlanePoint point) const;
    PlanePoint toImage(QPointF position) const;
    QRectF toWidget(const PixelRect& voxels) const;
    /// The voxels that show in a part of the widget, cut to the plane.
    PixelRect voxelsIn(const QRectF& part) const;
    PixelRect visibleVoxels() const { return voxelsIn(QRectF(QPointF(0, 0), m_size)); }
    bool contains(PlanePoint point) const;
    /// The coarsest level (a pixel is 2ⁿ voxels) that still has a pixel for each device pixel.
    int levelFor(double devicePixelRatio) const;

private:
    double fittingZoom() const;
    void keepInside();

    QSizeF m_size{1, 1};
    double m_height = 1;
    double m_width = 1;
    double m_aspectU = 1;
    double m_aspectV = 1;
    double m_zoom = 1;
    PlanePoint m_centre{0.5, 0.5};
    bool m_fitted = true;
};

} // namespace voxelscribe::slice
