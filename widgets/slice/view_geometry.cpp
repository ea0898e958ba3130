#include "widgets/slice/view_geometry.h"

#include <algorithm>
#include <cmath>

namespace voxelscribe::slice {

namespace {

constexpr double kMaxZoom = 128;       ///< widget pixels a voxel
constexpr double kMinOfFit = 0.5;      ///< the plane never gets smaller than half of what fits
constexpr int kMaxLevel = 20;

double positiveOr(double value, double otherwise)
{
    return std::isfinite(value) && value > 0 ? value : otherwise;
}

} // namespace

void ViewGeometry::setWidgetSize(const QSizeF& size)
{
    m_size = size.expandedTo(QSizeF(1, 1));
    if (m_fitted)
        fit();
}

void ViewGeometry::setPlane(std::int64_t height, std::int64_t width, double vertical, double horizontal)
{
    m_height = static_cast<double>(std::max<std::int64_t>(height, 1));
    m_width = static_cast<double>(std::max<std::int64_t>(width, 1));
    const double v = positiveOr(vertical, 1);
    const double u = positiveOr(horizontal, 1);
    m_aspectV = v / std::min(u, v);
    m_aspectU = u / std::min(u, v);
    fit();
}

double ViewGeometry::fittingZoom() const
{
    return std::min({m_size.width() / (m_width * m_aspectU), m_size.height() / (m_height * m_aspectV), kMaxZoom});
}

void ViewGeometry::fit()
{
    m_zoom = fittingZoom();
    m_centre = {m_width / 2, m_height / 2};
    m_fitted = true;
}

void ViewGeometry::zoomBy(double factor, QPointF around)
{
    const PlanePoint kept = toImage(around);
    m_zoom = std::clamp(m_zoom * factor, std::min(1.0, fittingZoom() * kMinOfFit), kMaxZoom);
    const PlanePoint moved = toImage(around);
    m_centre.u += kept.u - moved.u;
    m_centre.v += kept.v - moved.v;
    keepInside();
}

void ViewGeometry::panBy(QPointF delta)
{
    m_centre.u -= delta.x() / scaleU();
    m_centre.v -= delta.y() / scaleV();
    keepInside();
}

void ViewGeometry::centreOn(PlanePoint point)
{
    m_centre = point;
    keepInside();
}

void ViewGeometry::keepInside()
{
    m_fitted = false;
    m_centre.u = std::clamp(m_centre.u, 0.0, m_width);
    m_centre.v = std::clamp(m_centre.v, 0.0, m_height);
}

QPointF ViewGeometry::toWidget(PlanePoint point) const
{
    return {m_size.width() / 2 + (point.u - m_centre.u) * scaleU(), m_size.height() / 2 + (point.v - m_centre.v) * scaleV()};
}

PlanePoint ViewGeometry::toImage(QPointF position) const
{
    return {m_centre.u + (position.x() - m_size.width() / 2) / scaleU(), m_centre.v + (position.y() - m_size.height() / 2) / scaleV()};
}

QRectF ViewGeometry::toWidget(const PixelRect& voxels) const
{
    return {toWidget(PlanePoint{static_cast<double>(voxels.u), static_cast<double>(voxels.v)}),
            toWidget(PlanePoint{static_cast<double>(voxels.uEnd()), static_cast<double>(voxels.vEnd())})};
}

PixelRect ViewGeometry::voxelsIn(const QRectF& part) const
{
    const PlanePoint first = toImage(part.topLeft());
    const PlanePoint last = toImage(part.bottomRight());
    const auto v0 = static_cast<std::int64_t>(std::floor(std::clamp(first.v, 0.0, m_height)));
    const auto u0 = static_cast<std::int64_t>(std::floor(std::clamp(first.u, 0.0, m_width)));
    const auto v1 = static_cast<std::int64_t>(std::ceil(std::clamp(last.v, 0.0, m_height)));
    const auto u1 = static_cast<std::int64_t>(std::ceil(std::clamp(last.u, 0.0, m_width)));
    return {v0, u0, v1 - v0, u1 - u0};
}

bool ViewGeometry::contains(PlanePoint point) const
{
    return point.u >= 0 && point.v >= 0 && point.u < m_width && point.v < m_height;
}

int ViewGeometry::levelFor(double devicePixelRatio) const
{
    const double devicePixels = std::max(scaleU(), scaleV()) * devicePixelRatio;
    return devicePixels >= 1 ? 0 : std::min(kMaxLevel, static_cast<int>(std::floor(-std::log2(devicePixels) + 1e-9)));
}

} // namespace voxelscribe::slice
