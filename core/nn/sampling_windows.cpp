#include "core/nn/sampling_windows.h"

#include "core/nn/augment.h"

#include <algorithm>

namespace voxelscribe::nn {
namespace {

constexpr std::int64_t kMostPointsOfClass = 200000;

} // namespace

WindowSampler::WindowSampler(const std::vector<Cell>& cells, const WindowSettings& settings)
    : m_cells(cells), m_settings(settings), m_random(settings.seed)
{
    chooseExtent();
    collectPoints();
    for (std::size_t c = 0; c < cells.size(); ++c)
        if (!cells[c].opinions.empty())
            m_opinionated.push_back(c);
}

void WindowSampler::chooseExtent()
{
    m_height = m_settings.edge;
    m_width = m_settings.edge;
    for (const Cell& cell : m_cells) {
        m_height = std::min(m_height, cell.place.part.height);
        m_width = std::min(m_width, cell.place.part.width);
    }
    // Square windows can be turned; that is given up only where one edge of the image is far too short for it.
    constexpr std::int64_t kLeastSquare = 48;
    if (std::min(m_height, m_width) >= kLeastSquare)
        m_height = m_width = std::min(m_height, m_width);
    const auto aligned = [this](std::int64_t edge) { return edge >= m_settings.alignment ? edge - edge % m_settings.alignment : edge; };
    m_height = aligned(m_height);
    m_width = aligned(m_width);
}

void WindowSampler::collectPoints()
{
    std::vector<std::vector<Point>> points(static_cast<std::size_t>(m_settings.classes));
    m_labelled.assign(points.size(), 0);
    for (std::size_t c = 0; c < m_cells.size(); ++c)
        for (std::size_t i = 0; i < m_cells[c].labels.size(); ++i) {
            const std::uint8_t label = m_cells[c].labels[i];
            if (label == 0)
                continue;
            const Point point{static_cast<std::int32_t>(c), static_cast<std::int32_t>(i)};
            auto& own = points[label - 1U];
            const std::int64_t seen = m_labelled[label - 1U]++;
            if (seen < kMostPointsOfClass)
                own.push_back(point);
            else if (const std::int64_t slot = below(seen + 1); slot < kMostPointsOfClass) // each seen one stays with the same chance
                own[static_cast<std::size_t>(slot)] = point;
        }
    for (auto& own : points)
        if (!own.empty())
            m_points.push_back(std::move(own));
}

WindowSampler::Corner WindowSampler::cornerAround(const Point& point)
{
    const Cell& cell = m_cells[static_cast<std::size_t>(point.cell)];
    const PixelRectangle& part = cell.place.part;
    const std::int64_t y = point.pixel / part.width - below(m_height);
    const std::int64_t x = point.pixel % part.width - below(m_width);
    return {&cell, std::clamp<std::int64_t>(y, 0, part.height - m_height), std::clamp<std::int64_t>(x, 0, part.width - m_width)};
}

WindowSampler::Corner WindowSampler::cornerAnywhere()
{
    const Cell& cell = m_cells[m_opinionated[static_cast<std::size_t>(below(std::ssize(m_opinionated)))]];
    return {&cell, below(cell.place.part.height - m_height + 1), below(cell.place.part.width - m_width + 1)};
}

void WindowSampler::draw(std::int64_t count, Batch& batch)
{
    const std::int64_t pixels = m_height * m_width;
    batch.count = count;
    batch.height = m_height;
    batch.width = m_width;
    batch.image.resize(static_cast<std::size_t>(count * pixels));
    batch.labels.resize(static_cast<std::size_t>(count * pixels));
    batch.opinions.assign(static_cast<std::size_t>(count * m_settings.classes * pixels), 0.0F);
    for (std::int64_t i = 0; i < count; ++i) {
        if (i % 2 == 0 || m_opinionated.empty()) {
            const auto& points = m_points[static_cast<std::size_t>(below(std::ssize(m_points)))];
            copyWindow(cornerAround(points[static_cast<std::size_t>(below(std::ssize(points)))]), i, batch);
        } else
            copyWindow(cornerAnywhere(), i, batch);
        changeGrey({batch.image.data() + i * pixels, static_cast<std::size_t>(pixels)}, m_height, m_width, m_settings.augmentation, m_random);
    }
}

void WindowSampler::copyWindow(const Corner& corner, std::int64_t index, Batch& batch)
{
    const Cell& cell = *corner.cell;
    const std::int64_t cellWidth = cell.place.part.width;
    const std::int64_t cellPixels = cell.place.part.pixels();
    const std::int64_t pixels = m_height * m_width;
    const Symmetry symmetry = Symmetry::numbered(static_cast<unsigned>(below(8)), m_height == m_width);
    for (std::int64_t y = 0; y < m_height; ++y)
        for (std::int64_t x = 0; x < m_width; ++x) {
            const auto [fromY, fromX] = symmetry.source(y, x, m_height, m_width);
            const auto from = static_cast<std::size_t>((corner.y + fromY) * cellWidth + corner.x + fromX);
            const std::int64_t at = y * m_width + x;
            const int label = cell.labels.empty() ? 0 : cell.labels[from];
            batch.image[static_cast<std::size_t>(index * pixels + at)] = cell.image[from];
            batch.labels[static_cast<std::size_t>(index * pixels + at)] = label - 1;
            if (label != 0 || cell.opinions.empty())
                continue;
            for (std::int64_t k = 0; k < m_settings.classes; ++k)
                batch.opinions[static_cast<std::size_t>((index * m_settings.classes + k) * pixels + at)] =
                    static_cast<float>(cell.opinions[static_cast<std::size_t>(k * cellPixels) + from]) / 255.0F;
        }
}

} // namespace voxelscribe::nn
