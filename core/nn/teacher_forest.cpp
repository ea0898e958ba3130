#include "core/nn/teacher_forest.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <omp.h>
#include <random>

namespace voxelscribe::nn {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t count)
{
    return static_cast<std::size_t>(random() % count); // the bias is under 1e-12 for any count of samples
}

struct Split {
    std::int64_t feature = -1;
    float threshold = 0;
    double gain = 0;                  ///< of Σ n_k²/n over both sides, against the unsplit node
};

/// Grows one tree, depth first, with its own random numbers.
class Grower {
public:
    Grower(std::span<const float> features, std::span<const std::uint8_t> classes, std::int64_t featureCount, int classCount, int leastInLeaf,
           std::uint64_t seed)
        : m_features(features), m_classes(classes), m_featureCount(featureCount), m_classCount(classCount), m_least(leastInLeaf), m_random(seed)
    {
    }

    Forest::Tree grow();

private:
    struct Pending {
        std::size_t node;
        std::size_t from;
        std::size_t to;
    };

    std::vector<double> countClasses(std::size_t from, std::size_t to) const;
    void makeLeaf(std::size_t node, const std::vector<double>& counts);
    Split bestSplit(std::size_t from, std::size_t to, const std::vector<double>& counts);
    void trySplit(std::int64_t feature, std::size_t from, std::size_t to, const std::vector<double>& counts, Split& best);
    float value(std::size_t sample, std::int64_t feature) const
    {
        return m_features[sample * static_cast<std::size_t>(m_featureCount) + static_cast<std::size_t>(feature)];
    }

    std::span<const float> m_features;
    std::span<const std::uint8_t> m_classes;
    std::int64_t m_featureCount;
    int m_classCount;
    int m_least;
    Random m_random;
    std::vector<std::size_t> m_samples;
    std::vector<std::pair<float, std::uint8_t>> m_sorted;
    Forest::Tree m_tree;
};

Forest::Tree Grower::grow()
{
    m_samples.resize(m_classes.size());
    for (std::size_t& sample : m_samples)
        sample = below(m_random, m_classes.size());
    m_tree.nodes.emplace_back();
    std::vector<Pending> pending{{0, 0, m_samples.size()}};
    while (!pending.empty()) {
        const Pending now = pending.back();
        pending.pop_back();
        const auto counts = countClasses(now.from, now.to);
        const Split split = bestSplit(now.from, now.to, counts);
        if (split.feature < 0) {
            makeLeaf(now.node, counts);
            continue;
        }
        const auto middle = std::partition(m_samples.begin() + static_cast<std::ptrdiff_t>(now.from), m_samples.begin() + static_cast<std::ptrdiff_t>(now.to),
                                           [&](std::size_t sample) { return value(sample, split.feature) <= split.threshold; });
        const auto at = static_cast<std::size_t>(middle - m_samples.begin());
        const std::size_t left = m_tree.nodes.size();
        m_tree.nodes[now.node] = {split.threshold, static_cast<std::int32_t>(split.feature), static_cast<std::int32_t>(left)};
        m_tree.nodes.resize(left + 2);
        pending.push_back({left + 1, at, now.to});
        pending.push_back({left, now.from, at});
    }
    return std::move(m_tree);
}

std::vector<double> Grower::countClasses(std::size_t from, std::size_t to) const
{
    std::vector<double> counts(static_cast<std::size_t>(m_classCount));
    for (std::size_t i = from; i < to; ++i)
        ++counts[m_classes[m_samples[i]]];
    return counts;
}

void Grower::makeLeaf(std::size_t node, const std::vector<double>& counts)
{
    const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
    m_tree.nodes[node].next = static_cast<std::int32_t>(m_tree.frequencies.size() / counts.size());
    for (const double count : counts)
        m_tree.frequencies.push_back(static_cast<float>(count / sum));
}

Split Grower::bestSplit(std::size_t from, std::size_t to, const std::vector<double>& counts)
{
    Split best;
    const bool pure = std::count_if(counts.begin(), counts.end(), [](double count) { return count > 0; }) < 2;
    if (pure || to - from < 2 * static_cast<std::size_t>(m_least))
        return best;
    // As many features as tried in one split; more only while none of them divides the samples.
    std::vector<std::int64_t> order(static_cast<std::size_t>(m_featureCount));
    std::iota(order.begin(), order.end(), 0);
    const auto tries = static_cast<std::size_t>(std::max(1.0, std::floor(std::sqrt(static_cast<double>(m_featureCount)))));
    for (std::size_t i = 0; i < order.size() && (i < tries || best.feature < 0); ++i) {
        std::swap(order[i], order[i + below(m_random, order.size() - i)]);
        trySplit(order[i], from, to, counts, best);
    }
    return best;
}

void Grower::trySplit(std::int64_t feature, std::size_t from, std::size_t to, const std::vector<double>& counts, Split& best)
{
    m_sorted.clear();
    for (std::size_t i = from; i < to; ++i)
        m_sorted.emplace_back(value(m_samples[i], feature), m_classes[m_samples[i]]);
    std::sort(m_sorted.begin(), m_sorted.end());
    std::vector<double> left(counts.size());
    std::vector<double> right = counts;
    double leftSquares = 0;
    double rightSquares = std::inner_product(counts.begin(), counts.end(), counts.begin(), 0.0);
    const auto total = static_cast<double>(m_sorted.size());
    const double unsplit = rightSquares / total;
    for (std::size_t i = 0; i + 1 < m_sorted.size(); ++i) {
        const std::size_t k = m_sorted[i].second;
        leftSquares += 2 * left[k]++ + 1;
        rightSquares -= 2 * right[k]-- - 1;
        const std::size_t passed = i + 1;
        if (!(m_sorted[i].first < m_sorted[i + 1].first) || passed < static_cast<std::size_t>(m_least)
            || m_sorted.size() - passed < static_cast<std::size_t>(m_least))
            continue;
        const double gain = leftSquares / static_cast<double>(passed) + rightSquares / (total - static_cast<double>(passed)) - unsplit;
        if (best.feature < 0 || gain > best.gain)
            best = {feature, std::min(std::midpoint(m_sorted[i].first, m_sorted[i + 1].first), std::nextafter(m_sorted[i + 1].first, m_sorted[i].first)), gain};
    }
}

} // namespace

Forest Forest::grow(std::span<const float> features, std::span<const std::uint8_t> classes, std::int64_t featureCount, int classCount,
                    const ForestSettings& settings, const std::function<bool()>& goOn)
{
    Forest forest;
    forest.m_featureCount = featureCount;
    forest.m_classCount = classCount;
    const std::int64_t atOnce = std::max(4, omp_get_max_threads());
    const std::int64_t trees = settings.trees;
    for (std::int64_t from = 0; from < trees && (from == 0 || goOn()); from += atOnce) {
        const std::int64_t to = std::min(from + atOnce, trees);
        forest.m_trees.resize(static_cast<std::size_t>(to));
#pragma omp parallel for schedule(dynamic)
        for (std::int64_t t = from; t < to; ++t)
            forest.m_trees[static_cast<std::size_t>(t)] = Grower(features, classes, featureCount, classCount, settings.leastInLeaf,
                                                                 settings.seed * 1000003 + static_cast<std::uint64_t>(t)).grow();
    }
    return forest;
}

void Forest::probabilities(std::span<const float> features, std::span<float> out) const
{
    const auto rows = static_cast<std::int64_t>(out.size()) / m_classCount;
    const float share = 1.0F / static_cast<float>(m_trees.size());
    std::fill(out.begin(), out.end(), 0.0F);
    constexpr std::int64_t kRowsAtOnce = 1024; // a tree stays in the cache for them
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t from = 0; from < rows; from += kRowsAtOnce)
        for (const Tree& tree : m_trees)
            for (std::int64_t row = from; row < std::min(from + kRowsAtOnce, rows); ++row) {
                const float* values = features.data() + row * m_featureCount;
                const Node* node = tree.nodes.data();
                while (node->feature >= 0)
                    node = tree.nodes.data() + node->next + (values[node->feature] <= node->threshold ? 0 : 1);
                for (std::int64_t k = 0; k < m_classCount; ++k)
                    out[static_cast<std::size_t>(row * m_classCount + k)] += share * tree.frequencies[static_cast<std::size_t>(node->next * m_classCount + k)];
            }
}

} // namespace voxelscribe::nn
