#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace voxelscribe::nn {

struct ForestSettings {
    int trees = 60;
    int leastInLeaf = 2;              ///< samples
    std::uint64_t seed = 1;
};

/// A random forest (Breiman 2001): trees of unlimited depth on bootstrap samples, √features tried a split, Gini impurity.
/// The same samples and seed give the same forest, whatever the number of threads.
class Forest {
public:
    /// `features` holds a row of `featureCount` values a sample, `classes` its class 0…classCount−1.
    /// `goOn` is asked from this thread before each few trees but the first; it may throw, and ends the forest early with false.
    static Forest grow(std::span<const float> features, std::span<const std::uint8_t> classes, std::int64_t featureCount, int classCount,
                       const ForestSettings& settings, const std::function<bool()>& goOn);

    /// Mean leaf frequencies, a row of classCount values for each row of features.
    void probabilities(std::span<const float> features, std::span<float> out) const;
    int classCount() const { return m_classCount; }

    struct Node {
        float threshold = 0;          ///< left where the feature is not above it
        std::int32_t feature = -1;    ///< −1: a leaf
        std::int32_t next = 0;        ///< left child, the right one behind it; of a leaf: its row in `frequencies`
    };
    struct Tree {
        std::vector<Node> nodes;
        std::vector<float> frequencies;
    };

private:
    std::int64_t m_featureCount = 0;
    int m_classCount = 0;
    std::vector<Tree> m_trees;
};

} // namespace voxelscribe::nn
