#pragma once

#include "core/labels/plane_lines.h"

#include <cstdint>
#include <vector>

namespace voxelscribe::labels {

/// What a round brush covers on its way from one point of a slice to the next, in pixels of PlaneLines: all pixels whose
/// centre lies within the disc somewhere on the way, and all that the disc's centre passes through (so there are no gaps).
/// A disc thinner than a pixel is a bar one pixel thick: on very flat voxels the brush keeps its width.
class BrushShape {
public:
    using Point = PlaneLines::Point;

    /// `radius` in units of `pixelSize`, whose finer entry is 1.
    BrushShape(double radius, Point pixelSize, Point from, Point to);

    /// The lines that may be covered, first … end−1, clipped to 0 … `lines`−1.
    Span lineRange(std::int64_t lines) const;
    /// The covered pixels of `line`, clipped to 0 … `length`−1. One span: the shape is convex.
    Span span(std::int64_t line, std::int64_t length) const;
    /// Thinner than a pixel in some direction: what a resting brush covers may then differ from what the moving one did.
    bool isThin() const { return m_alongRadius < 0.5 || m_acrossRadius < 0.5; }

private:
    struct Interval {
        double low = 1;
        double high = 0;
        bool isEmpty() const { return low > high; }
        void include(double value);
    };
    /// The swept disc on the middle of a line, in units of length.
    Interval discOn(double across) const;
    /// The way of the centre within a line, in pixels.
    Interval centreOn(std::int64_t line) const;

    double m_radius;
    Point m_pixel;
    Point m_from;
    Point m_to;
    double m_alongRadius;      ///< in pixels
    double m_acrossRadius;     ///< in pixels
};

/// `whole` without `hole`: what is left of it in front and behind.
std::vector<Span> without(const Span& whole, const Span& hole);

} // namespace voxelscribe::labels
