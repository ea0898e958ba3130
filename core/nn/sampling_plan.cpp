#include "core/nn/sampling_plan.h"

#include "core/base/text.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>

namespace voxelscribe::nn {
namespace {

constexpr std::int64_t kCellEdge = 256;
constexpr std::int64_t kCellMargin = 16;
constexpr std::int64_t kMostValidationCells = 8;

using Counts = std::vector<std::int64_t>;

/// Validation as it was chosen: its parts, and what of their slices remains for training (absent: nothing).
struct Withheld {
    std::vector<CellPlace> parts;
    std::map<std::int64_t, std::optional<PixelRectangle>> remaining;
};

bool keepsShare(const Counts& all, const Counts& lost, double share)
{
    for (std::size_t k = 0; k < all.size(); ++k)
        if (static_cast<double>(all[k] - lost[k]) < share * static_cast<double>(all[k]))
            return false;
    return true;
}

std::int64_t least(const Counts& counts) { return *std::min_element(counts.begin(), counts.end()); }

/// Classes with enough voxels for a score to mean something.
std::int64_t wellCovered(const Counts& counts)
{
    return std::count_if(counts.begin(), counts.end(), [](std::int64_t count) { return count >= 20; });
}

std::optional<Withheld> wholeSlices(const LabelMap& map, const PixelRectangle& whole)
{
    const auto slices = map.slices();
    if (slices.size() < 4)
        return std::nullopt;
    Withheld withheld;
    Counts lost(map.ids.size());
    for (std::size_t i = 2; i < slices.size() && withheld.parts.size() < kMostValidationCells; i += 5) {
        const Counts counts = map.countsIn(slices[i], whole);
        std::transform(lost.begin(), lost.end(), counts.begin(), lost.begin(), std::plus<>());
        withheld.parts.push_back({slices[i], whole});
        withheld.remaining[slices[i]] = std::nullopt;
    }
    return wellCovered(lost) >= 2 && keepsShare(map.counts, lost, 0.6) ? std::optional(withheld) : std::nullopt;
}

/// Strips along the four borders of a slice, a number of label blocks wide, with what remains beyond the gap.
struct Strip {
    PixelRectangle part;
    PixelRectangle remaining;
};

std::vector<Strip> stripsOf(const PixelRectangle& whole, std::int64_t gap)
{
    std::vector<Strip> strips;
    const auto addAlong = [&](std::int64_t edge, auto make) {
        for (std::int64_t thickness = LabelMap::kBlock; thickness <= edge / 4; thickness += LabelMap::kBlock) {
            const std::int64_t last = (edge - thickness) / LabelMap::kBlock * LabelMap::kBlock;
            strips.push_back({make(0, thickness), make(thickness + gap, edge - thickness - gap)});
            strips.push_back({make(last, edge - last), make(0, last - gap)});
        }
    };
    addAlong(whole.height, [&](std::int64_t from, std::int64_t length) { return PixelRectangle{from, 0, length, whole.width}; });
    addAlong(whole.width, [&](std::int64_t from, std::int64_t length) { return PixelRectangle{0, from, whole.height, length}; });
    return strips;
}

std::optional<Withheld> borderStrip(const LabelMap& map, const PixelRectangle& whole, std::int64_t gap)
{
    constexpr std::int64_t kLeastInAll = 2000;
    constexpr std::int64_t kMany = 20000;
    if (map.total() < kLeastInAll)
        return std::nullopt;
    // All classes must be in the strip; where labels abound, a strip without the rarest ones is better than none.
    const auto wanted = std::ssize(map.ids);
    std::optional<Withheld> best;
    std::pair<std::int64_t, std::int64_t> bestRank{map.total() < kMany ? wanted : 2, 0};
    for (const std::int64_t z : map.slices())
        for (const Strip& strip : stripsOf(whole, gap)) {
            const Counts inside = map.countsIn(z, strip.part);
            const Counts lost = map.countsIn(z, strip.part.grown(gap, whole.height, whole.width));
            const std::pair rank{wellCovered(inside), least(inside)};
            if (strip.remaining.isEmpty() || rank <= bestRank || !keepsShare(map.counts, lost, 0.85))
                continue;
            bestRank = rank;
            best = Withheld{{{z, strip.part}}, {{z, strip.remaining}}};
        }
    return best;
}

std::vector<CellPlace> validationCells(const LabelMap& map, const Withheld& withheld)
{
    std::vector<std::pair<std::int64_t, CellPlace>> found;
    for (const CellPlace& place : withheld.parts)
        for (const PixelRectangle& cell : cellsOf(place.part)) {
            const Counts counts = map.countsIn(place.z, cell);
            if (const auto labels = std::accumulate(counts.begin(), counts.end(), std::int64_t{0}); labels > 0)
                found.emplace_back(labels, CellPlace{place.z, cell});
        }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<CellPlace> cells;
    for (std::size_t i = 0; i < found.size() && i < kMostValidationCells; ++i)
        cells.push_back(found[i].second);
    return cells;
}

/// Labelled cells, thinned to `most`: in turn for each class, rarest first, the cell with most of it.
std::vector<CellPlace> thinned(std::vector<CellPlace> cells, const LabelMap& map, std::int64_t most)
{
    if (std::ssize(cells) <= most)
        return cells;
    std::vector<Counts> counts;
    for (const CellPlace& cell : cells)
        counts.push_back(map.countsIn(cell.z, cell.part));
    std::vector<std::size_t> classes(map.ids.size());
    std::iota(classes.begin(), classes.end(), 0);
    std::stable_sort(classes.begin(), classes.end(), [&](std::size_t a, std::size_t b) { return map.counts[a] < map.counts[b]; });
    std::set<std::size_t> chosen;
    while (std::ssize(chosen) < most)
        for (const std::size_t k : classes) {
            std::optional<std::size_t> best;
            for (std::size_t i = 0; i < cells.size(); ++i)
                if (!chosen.contains(i) && (!best || counts[i][k] > counts[*best][k]))
                    best = i;
            if (best && std::ssize(chosen) < most)
                chosen.insert(*best);
        }
    std::vector<CellPlace> kept;
    for (const std::size_t i : chosen)
        kept.push_back(cells[i]);
    return kept;
}

class Planner {
public:
    Planner(const LabelMap& map, const Extent& extent, const PlanSettings& settings)
        : m_map(map), m_depth(extent.z), m_whole{0, 0, extent.y, extent.x}, m_settings(settings), m_random(settings.seed)
    {
    }

    TrainingPlan plan();

private:
    std::vector<PixelRectangle> trainingCells(std::int64_t z) const
    {
        const auto found = m_withheld.remaining.find(z);
        if (found == m_withheld.remaining.end())
            return cellsOf(m_whole);
        return found->second ? cellsOf(*found->second) : std::vector<PixelRectangle>{};
    }

    void chooseValidation(TrainingPlan& plan);
    void addLabelled(TrainingPlan& plan) const;
    void addUnlabelled(TrainingPlan& plan);

    const LabelMap& m_map;
    std::int64_t m_depth;
    PixelRectangle m_whole;
    PlanSettings m_settings;
    std::mt19937_64 m_random;
    Withheld m_withheld;
};

void Planner::chooseValidation(TrainingPlan& plan)
{
    auto chosen = wholeSlices(m_map, m_whole);
    if (!chosen)
        chosen = borderStrip(m_map, m_whole, m_settings.halo);
    if (chosen) {
        m_withheld = *chosen;
        plan.validation = validationCells(m_map, m_withheld);
    } else
        plan.note = "too few labels (" + counted(m_map.total(), "voxel", "voxels") + " in " + counted(std::ssize(m_map.slices()), "slice", "slices")
                    + ") to withhold a part " + std::to_string(m_settings.halo) + " pixels away from the rest: all of them were trained on, and nothing was validated";
}

void Planner::addLabelled(TrainingPlan& plan) const
{
    std::vector<CellPlace> cells;
    for (const std::int64_t z : m_map.slices())
        for (const PixelRectangle& cell : trainingCells(z))
            if (const Counts counts = m_map.countsIn(z, cell); std::any_of(counts.begin(), counts.end(), [](std::int64_t n) { return n > 0; }))
                cells.push_back({z, cell});
    plan.labelled = thinned(cells, m_map, m_settings.mostLabelled);
    if (plan.labelled.size() < cells.size())
        plan.shortened = "labels lie in " + std::to_string(cells.size()) + " squares of " + std::to_string(kCellEdge) + " pixels; the "
                         + std::to_string(plan.labelled.size()) + " with most of the rare classes are trained on";
}

void Planner::addUnlabelled(TrainingPlan& plan)
{
    const std::int64_t slices = std::min(m_depth, m_settings.mostUnlabelled);
    std::vector<std::vector<CellPlace>> bySlice;
    for (std::int64_t i = 0; i < slices; ++i) {
        const std::int64_t z = slices == 1 ? m_depth / 2 : i * (m_depth - 1) / (slices - 1);
        auto& cells = bySlice.emplace_back();
        for (const PixelRectangle& part : trainingCells(z))
            if (const CellPlace cell{z, part}; std::find(plan.labelled.begin(), plan.labelled.end(), cell) == plan.labelled.end())
                cells.push_back(cell);
        std::shuffle(cells.begin(), cells.end(), m_random);
    }
    // One of each slice, then a second of each…
    for (std::size_t round = 0; std::ssize(plan.unlabelled) < m_settings.mostUnlabelled; ++round) {
        const auto before = plan.unlabelled.size();
        for (const auto& cells : bySlice)
            if (round < cells.size() && std::ssize(plan.unlabelled) < m_settings.mostUnlabelled)
                plan.unlabelled.push_back(cells[round]);
        if (plan.unlabelled.size() == before)
            break;
    }
}

TrainingPlan Planner::plan()
{
    TrainingPlan plan;
    chooseValidation(plan);
    addLabelled(plan);
    addUnlabelled(plan);
    return plan;
}

} // namespace

std::vector<PixelRectangle> cellsOf(const PixelRectangle& whole)
{
    const std::int64_t rows = std::max<std::int64_t>(1, (whole.height + kCellEdge / 2) / kCellEdge);
    const std::int64_t columns = std::max<std::int64_t>(1, (whole.width + kCellEdge / 2) / kCellEdge);
    std::vector<PixelRectangle> cells;
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
            const std::int64_t top = whole.y + whole.height * i / rows;
            const std::int64_t left = whole.x + whole.width * j / columns;
            const PixelRectangle own{top, left, whole.y + whole.height * (i + 1) / rows - top, whole.x + whole.width * (j + 1) / columns - left};
            cells.push_back(PixelRectangle{own.y - kCellMargin, own.x - kCellMargin, own.height + 2 * kCellMargin, own.width + 2 * kCellMargin}
                                .intersected(whole));
        }
    return cells;
}

TrainingPlan planTraining(const LabelMap& map, const Extent& extent, const PlanSettings& settings)
{
    return Planner(map, extent, settings).plan();
}

} // namespace voxelscribe::nn
