#include "core/labels/brush_shape.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace voxelscribe::labels {

namespace {

/// Large enough for every volume, small enough that arithmetic on indices cannot overflow.
constexpr double kFar = 1e15;

double bounded(double value)
{
    return std::isnan(value) ? 0 : std::clamp(value, -kFar, kFar);
}

std::int64_t floorIndex(double value)
{
    return static_cast<std::int64_t>(std::floor(std::clamp(value, -2 * kFar, 2 * kFar)));
}

} // namespace

void BrushShape::Interval::include(double value)
{
    const bool wasEmpty = isEmpty();
    low = wasEmpty ? value : std::min(low, value);
    high = wasEmpty ? value : std::max(high, value);
}

BrushShape::BrushShape(double radius, Point pixelSize, Point from, Point to)
    : m_radius(std::max(0.0, bounded(radius)))
    , m_pixel(pixelSize)
    , m_from{bounded(from.along), bounded(from.across)}
    , m_to{bounded(to.along), bounded(to.across)}
    , m_alongRadius(m_radius / pixelSize.along)
    , m_acrossRadius(m_radius / pixelSize.across)
{
}

Span BrushShape::lineRange(std::int64_t lines) const
{
    const double first = std::min(m_from.across, m_to.across) - m_acrossRadius;
    const double last = std::max(m_from.across, m_to.across) + m_acrossRadius;
    return {0, std::max<std::int64_t>(0, floorIndex(first)), std::min(lines, floorIndex(last) + 1)};
}

BrushShape::Interval BrushShape::discOn(double across) const
{
    Interval covered;
    const double y = across * m_pixel.across;
    const Point a{m_from.along * m_pixel.along, m_from.across * m_pixel.across};
    const Point b{m_to.along * m_pixel.along, m_to.across * m_pixel.across};
    for (const Point& centre : {a, b}) {
        const double distance = y - centre.across;
        if (const double rest = m_radius * m_radius - distance * distance; rest > 0) {
            covered.include(centre.along - std::sqrt(rest));
            covered.include(centre.along + std::sqrt(rest));
        }
    }
    const double length = std::hypot(b.along - a.along, b.across - a.across);
    if (!(length > 0))
        return covered;
    // Between the discs lies a rectangle: where its edges cross the line, the line enters or leaves it.
    // A line that only touches it covers nothing; half-open edges count a corner on the line once.
    const Point n{-(b.across - a.across) / length * m_radius, (b.along - a.along) / length * m_radius};
    const std::array<Point, 4> corners{Point{a.along + n.along, a.across + n.across}, {b.along + n.along, b.across + n.across},
                                       {b.along - n.along, b.across - n.across}, {a.along - n.along, a.across - n.across}};
    const auto [lowest, highest] = std::ranges::minmax(corners, {}, &Point::across);
    if (y <= lowest.across || y >= highest.across)
        return covered;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point& p = corners[i];
        const Point& q = corners[(i + 1) % corners.size()];
        if ((p.across <= y) != (q.across <= y))
            covered.include(p.along + (y - p.across) / (q.across - p.across) * (q.along - p.along));
    }
    return covered;
}

BrushShape::Interval BrushShape::centreOn(std::int64_t line) const
{
    const auto low = static_cast<double>(line);
    const double high = low + 1;
    const double way = m_to.across - m_from.across;
    Interval covered;
    for (const Point& end : {m_from, m_to})
        if (end.across >= low && end.across < high)
            covered.include(end.along);
    for (const double border : {low, high})
        if ((m_from.across < border) != (m_to.across < border))
            covered.include(m_from.along + (border - m_from.across) / way * (m_to.along - m_from.along));
    return covered;
}

Span BrushShape::span(std::int64_t line, std::int64_t length) const
{
    // Pixel i is covered if its centre i + 0.5 lies strictly inside: low < i + 0.5 < high.
    const auto firstInside = [](double low) { return floorIndex(low - 0.5) + 1; };
    const auto endInside = [](double high) { return -floorIndex(0.5 - high); };
    Span covered{line, length, 0};
    const auto include = [&covered](std::int64_t first, std::int64_t end) {
        covered.first = std::min(covered.first, first);
        covered.end = std::max(covered.end, end);
    };
    if (const Interval disc = discOn(static_cast<double>(line) + 0.5); !disc.isEmpty()) {
        const double low = disc.low / m_pixel.along;
        const double high = disc.high / m_pixel.along;
        if (firstInside(low) < endInside(high))
            include(firstInside(low), endInside(high));
        else if (m_alongRadius < 0.5)
            include(floorIndex((low + high) / 2), floorIndex((low + high) / 2) + 1);
    }
    if (const Interval centre = centreOn(line); !centre.isEmpty()) {
        include(floorIndex(centre.low), floorIndex(centre.high) + 1);
        if (m_acrossRadius < 0.5 && m_alongRadius > 0.5)
            include(firstInside(centre.low - m_alongRadius), endInside(centre.high + m_alongRadius));
    }
    covered.first = std::max<std::int64_t>(0, covered.first);
    covered.end = std::min(length, covered.end);
    return covered.isEmpty() ? Span{line, 0, 0} : covered;
}

std::vector<Span> without(const Span& whole, const Span& hole)
{
    if (whole.isEmpty())
        return {};
    if (hole.isEmpty() || hole.end <= whole.first || hole.first >= whole.end)
        return {whole};
    std::vector<Span> left;
    if (whole.first < hole.first)
        left.push_back({whole.line, whole.first, hole.first});
    if (hole.end < whole.end)
        left.push_back({whole.line, hole.end, whole.end});
    return left;
}

} // namespace voxelscribe::labels
