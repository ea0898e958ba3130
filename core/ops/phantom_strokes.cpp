#include "core/ops/phantom_strokes.h"

#include "core/ops/random_hash.h"

#include <array>
#include <cmath>
#include <map>
#include <set>

namespace voxelscribe::ops {

namespace {

struct Pixel {
    std::int64_t y = 0;
    std::int64_t x = 0;
};

class StrokePainter {
public:
    StrokePainter(std::span<const std::uint8_t> truth, std::int64_t width, const StrokeSpec& spec)
        : m_truth(truth), m_width(width), m_height(static_cast<std::int64_t>(truth.size()) / width), m_spec(spec),
          m_strokes(truth.size(), 0)
    {
    }

    std::vector<std::uint8_t> paint()
    {
        const auto wide = chooseStarts(2);
        const auto narrow = chooseStarts(1);
        for (const auto& [id, starts] : narrow) {
            const auto found = wide.find(id);
            const bool isWide = found != wide.end();
            for (const Pixel& start : isWide ? found->second : starts)
                paintStroke(start, id, isWide ? 2 : 1);
        }
        return std::move(m_strokes);
    }

private:
    using Starts = std::map<std::uint8_t, std::vector<Pixel>>;

    std::uint8_t idAt(std::int64_t y, std::int64_t x) const { return m_truth[static_cast<std::size_t>(y * m_width + x)]; }

    /// Whether everything within `margin` pixels is of the same class and inside the slice.
    bool isInterior(std::int64_t y, std::int64_t x, std::uint8_t id, std::int64_t margin) const
    {
        if (y < margin || x < margin || y + margin >= m_height || x + margin >= m_width)
            return false;
        for (std::int64_t dy = -margin; dy <= margin; ++dy)
            for (std::int64_t dx = -margin; dx <= margin; ++dx)
                if (idAt(y + dy, x + dx) != id)
                    return false;
        return true;
    }

    /// Evenly drawn interior pixels of each class (Vitter's reservoir sampling: one pass, no list of candidates).
    Starts chooseStarts(std::int64_t margin) const
    {
        Starts starts;
        std::map<std::uint8_t, std::uint64_t> seen;
        const auto wanted = static_cast<std::uint64_t>(m_spec.strokesPerClass);
        for (std::int64_t y = margin; y + margin < m_height; ++y)
            for (std::int64_t x = margin; x + margin < m_width; ++x) {
                const std::uint8_t id = idAt(y, x);
                if (id == 0 || !isInterior(y, x, id, margin))
                    continue;
                const std::uint64_t count = ++seen[id];
                const std::uint64_t slot = hashOf(m_spec.seed, margin, y, x) % count;
                if (starts[id].size() < wanted)
                    starts[id].push_back({y, x});
                else if (slot < wanted)
                    starts[id][static_cast<std::size_t>(slot)] = {y, x};
            }
        return starts;
    }

    /// Walks on as straight as the class allows, bending gently, and marks two pixels' width.
    void paintStroke(const Pixel& start, std::uint8_t id, std::int64_t margin)
    {
        constexpr std::array<double, 9> kTurns{0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2, 1.57, -1.57};
        const std::uint64_t hash = hashOf(m_spec.seed + 1, id, start.y, start.x);
        double angle = 6.283185307 * unitDouble(hash);
        const double bend = 0.08 * (unitDouble(hash64(hash)) - 0.5);
        double y = static_cast<double>(start.y);
        double x = static_cast<double>(start.x);
        for (int step = 0; step < m_spec.length; ++step) {
            mark(std::llround(y), std::llround(x), id);
            bool moved = false;
            for (const double turn : kTurns) {
                const double nextY = y + std::sin(angle + turn);
                const double nextX = x + std::cos(angle + turn);
                if (!isInterior(std::llround(nextY), std::llround(nextX), id, margin))
                    continue;
                y = nextY;
                x = nextX;
                angle += turn + bend;
                moved = true;
                break;
            }
            if (!moved)
                break;
        }
    }

    void mark(std::int64_t y, std::int64_t x, std::uint8_t id)
    {
        // The pixels beside an interior one are of its class, one row and column further at least.
        m_strokes[static_cast<std::size_t>(y * m_width + x)] = id;
        m_strokes[static_cast<std::size_t>(y * m_width + x - 1)] = id;
    }

    std::span<const std::uint8_t> m_truth;
    std::int64_t m_width;
    std::int64_t m_height;
    StrokeSpec m_spec;
    std::vector<std::uint8_t> m_strokes;
};

} // namespace

std::vector<std::int64_t> strokeSlices(std::int64_t depth)
{
    const std::set<std::int64_t> slices{depth / 6, depth / 2, depth - 1 - depth / 6};
    return {slices.begin(), slices.end()};
}

std::vector<std::uint8_t> paintStrokes(std::span<const std::uint8_t> truth, std::int64_t width, const StrokeSpec& spec)
{
    return StrokePainter(truth, width, spec).paint();
}

} // namespace voxelscribe::ops
