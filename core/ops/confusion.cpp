#include "core/ops/confusion.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <type_traits>
#include <unordered_map>

namespace voxelscribe::ops {

std::int64_t Confusion::scored() const
{
    return std::accumulate(m_counts.begin(), m_counts.end(), std::int64_t{0},
                           [](std::int64_t sum, const auto& entry) { return sum + entry.second; });
}

std::vector<Confusion::ClassScore> Confusion::scores() const
{
    struct Sums {
        std::int64_t inTruth = 0;
        std::int64_t inPrediction = 0;
        std::int64_t inBoth = 0;
    };
    std::map<std::int64_t, Sums> sums;
    for (const auto& [ids, count] : m_counts) {
        sums[ids.first].inTruth += count;
        sums[ids.second].inPrediction += count;
        if (ids.first == ids.second)
            sums[ids.first].inBoth += count;
    }
    std::vector<ClassScore> scores;
    for (const auto& [id, sum] : sums) {
        if (sum.inTruth == 0)
            continue;
        const auto both = static_cast<double>(sum.inBoth);
        const auto each = static_cast<double>(sum.inTruth + sum.inPrediction);
        scores.push_back({id, both / (each - both), 2 * both / each});
    }
    return scores;
}

double Confusion::meanIoU() const
{
    const std::vector<ClassScore> all = scores();
    double sum = 0;
    for (const ClassScore& score : all)
        sum += score.iou;
    return all.empty() ? 0 : sum / static_cast<double>(all.size());
}

double Confusion::accuracy() const
{
    std::int64_t right = 0;
    for (const auto& [ids, count] : m_counts)
        right += ids.first == ids.second ? count : 0;
    const std::int64_t all = scored();
    return all == 0 ? 0 : static_cast<double>(right) / static_cast<double>(all);
}

namespace {

/// Reads whole slices in their own type, and gives them as ids row by row.
class IdReader {
public:
    IdReader(const Volume& volume, const char* role) : m_volume(volume), m_role(role) {}

    void readSlice(const Region& region)
    {
        m_width = static_cast<std::size_t>(region.extent.x);
        m_samples.resize(static_cast<std::size_t>(region.extent.voxels()) * dtypeSize(m_volume.info().dtype));
        m_volume.read(region, m_samples);
    }

    void row(std::int64_t y, std::span<std::int64_t> ids) const
    {
        visitDType(m_volume.info().dtype, [&](auto sample) {
            using T = decltype(sample);
            const T* from = reinterpret_cast<const T*>(m_samples.data()) + static_cast<std::size_t>(y) * m_width;
            for (std::size_t x = 0; x < m_width; ++x) {
                if constexpr (std::is_floating_point_v<T>)
                    requireWhole(static_cast<double>(from[x]));
                ids[x] = static_cast<std::int64_t>(from[x]);
            }
        });
    }

private:
    void requireWhole(double value) const
    {
        if (std::floor(value) == value && std::abs(value) < 9e15)
            return;
        throw Error(ErrorCode::format, "the " + std::string(m_role) + " " + m_volume.info().name + " holds the value " + std::to_string(value)
                                           + "; expected whole numbers, the ids of classes: is this the right file?");
    }

    const Volume& m_volume;
    const char* m_role;
    std::size_t m_width = 0;
    std::vector<std::byte> m_samples;
};

/// Counts pairs of ids: small ones in a table, others in a hash map.
class PairCounter {
public:
    PairCounter() : m_table(kSmall * kSmall, 0) {}

    void add(std::int64_t truth, std::int64_t prediction)
    {
        if (truth >= 0 && truth < kSmall && prediction >= 0 && prediction < kSmall)
            ++m_table[static_cast<std::size_t>(truth * kSmall + prediction)];
        else
            ++m_others[truth][prediction];
    }

    Confusion confusion() const
    {
        Confusion confusion;
        for (std::int64_t truth = 0; truth < kSmall; ++truth)
            for (std::int64_t prediction = 0; prediction < kSmall; ++prediction)
                if (const std::int64_t count = m_table[static_cast<std::size_t>(truth * kSmall + prediction)]; count > 0)
                    confusion.add(truth, prediction, count);
        for (const auto& [truth, row] : m_others)
            for (const auto& [prediction, count] : row)
                confusion.add(truth, prediction, count);
        return confusion;
    }

private:
    static constexpr std::int64_t kSmall = 256;
    std::vector<std::int64_t> m_table;
    std::unordered_map<std::int64_t, std::unordered_map<std::int64_t, std::int64_t>> m_others;
};

void requireSameExtent(const Volume& truth, const Volume& prediction)
{
    if (truth.extent() == prediction.extent())
        return;
    throw Error(ErrorCode::shape, "truth and prediction are not of one shape: " + truth.info().name + " has " + truth.extent().text() + ", "
                                      + prediction.info().name + " has " + prediction.extent().text()
                                      + " voxels (z×y×x); choose the mask that was made for this stack");
}

} // namespace

Confusion compareMasks(const Volume& truth, const Volume& prediction, const CompareOptions& options, Progress& progress)
{
    requireSameExtent(truth, prediction);
    const Region region = options.region.extent.isEmpty() ? Region::whole(truth.extent()) : options.region;
    requireInside(region, truth.extent(), "the region to score");
    std::vector<std::int64_t> slices;
    for (std::int64_t z = region.origin.z; z < region.end().z; ++z)
        if (options.slices.empty() || std::binary_search(options.slices.begin(), options.slices.end(), z))
            slices.push_back(z);
    IdReader trueIds(truth, "truth");
    IdReader predictedIds(prediction, "prediction");
    PairCounter counter;
    std::vector<std::int64_t> trueRow(static_cast<std::size_t>(region.extent.x));
    std::vector<std::int64_t> predictedRow(trueRow.size());
    std::int64_t done = 0;
    for (const std::int64_t z : slices) {
        const Region slice{{z, region.origin.y, region.origin.x}, {1, region.extent.y, region.extent.x}};
        trueIds.readSlice(slice);
        predictedIds.readSlice(slice);
        for (std::int64_t y = 0; y < slice.extent.y; ++y) {
            trueIds.row(y, trueRow);
            predictedIds.row(y, predictedRow);
            for (std::size_t x = 0; x < trueRow.size(); ++x)
                if (const std::int64_t id = trueRow[x] + options.truthOffset; !options.ignored.contains(id))
                    counter.add(id, predictedRow[x]);
        }
        progress.update("evaluate", ++done, static_cast<std::int64_t>(slices.size()));
    }
    Confusion confusion = counter.confusion();
    if (confusion.scored() == 0)
        throw Error(ErrorCode::shape, "nothing is left to score: no voxel of the truth lies in the chosen slices and region without being ignored; "
                                      "choose other slices, another region or other values to ignore");
    return confusion;
}

} // namespace voxelscribe::ops
