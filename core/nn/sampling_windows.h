#pragma once

#include "core/nn/sampling_plan.h"

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace voxelscribe::nn {

/// A cell with its samples.
struct Cell {
    CellPlace place;
    std::vector<float> image;            ///< 0…1
    std::vector<std::uint8_t> labels;    ///< class index + 1, 0: unlabelled; empty: none
    std::vector<std::uint8_t> opinions;  ///< a plane a class, 255 = certain; empty: none
};

/// Windows of equal size, ready for the network.
struct Batch {
    std::int64_t count = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<float> image;            ///< count·height·width
    std::vector<std::int64_t> labels;    ///< class index, −1: unlabelled
    std::vector<float> opinions;         ///< count·classes·height·width; 0 where a pixel is labelled or nobody has an opinion
};

struct WindowSettings {
    int classes = 2;
    std::int64_t edge = 96;              ///< wanted; never more than the narrowest cell
    std::int64_t alignment = 1;          ///< edges are multiples of it where the image allows
    double augmentation = 1;
    std::uint64_t seed = 1;
};

/// Cuts windows at random: around a labelled pixel of a class drawn evenly, every second one anywhere in cells with opinions; turned and mirrored at
/// random (windows that are not square only mirrored), grey values changed a little.
class WindowSampler {
public:
    /// `cells` must outlive it.
    WindowSampler(const std::vector<Cell>& cells, const WindowSettings& settings);

    /// Fills `batch` with `count` windows; at least the first of them holds a label.
    void draw(std::int64_t count, Batch& batch);
    std::int64_t height() const { return m_height; }
    std::int64_t width() const { return m_width; }
    /// Labelled pixels a class that windows are drawn around.
    const std::vector<std::int64_t>& labelled() const { return m_labelled; }

private:
    struct Point {
        std::int32_t cell;
        std::int32_t pixel;
    };
    struct Corner {
        const Cell* cell;
        std::int64_t y;
        std::int64_t x;
    };

    void chooseExtent();
    void collectPoints();
    Corner cornerAround(const Point& point);
    Corner cornerAnywhere();
    void copyWindow(const Corner& corner, std::int64_t index, Batch& batch);
    std::int64_t below(std::int64_t count) { return static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(count)); }

    const std::vector<Cell>& m_cells;
    WindowSettings m_settings;
    std::int64_t m_height = 0;
    std::int64_t m_width = 0;
    std::mt19937_64 m_random;
    std::vector<std::size_t> m_opinionated;   ///< cells with opinions
    std::vector<std::vector<Point>> m_points; ///< a class that has any
    std::vector<std::int64_t> m_labelled;
};

} // namespace voxelscribe::nn
