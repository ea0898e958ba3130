#pragma once

#include "core/base/progress.h"
#include "core/nn/sampling_rectangle.h"
#include "core/volume/volume.h"

#include <cstdint>
#include <vector>

namespace voxelscribe::nn {

/// Labelled voxels of one class in one square of `LabelMap::kBlock` pixels edge.
struct LabelBlock {
    std::int64_t z = 0;
    std::int64_t y = 0;               ///< of its first pixel
    std::int64_t x = 0;
    std::vector<std::int64_t> counts; ///< a class of LabelMap::ids
};

/// Where the labels of an annotation volume lie, without the labels themselves: small even for a densely labelled stack.
struct LabelMap {
    static constexpr std::int64_t kBlock = 64;

    std::vector<std::uint16_t> ids;   ///< of the classes that occur, ascending
    std::vector<std::int64_t> counts; ///< labelled voxels a class
    std::vector<LabelBlock> blocks;   ///< those with labels, by z, y, x

    std::int64_t total() const;
    /// Annotated slices, ascending.
    std::vector<std::int64_t> slices() const;
    /// Labels a class in the blocks that touch `part` of slice `z`.
    std::vector<std::int64_t> countsIn(std::int64_t z, const PixelRectangle& part) const;
};

/// Streams through the annotations. @throws Error(shape) where their extent is not the image's, Error(format) where they are no integers,
/// or an id is not in 1…65535, or there are no labels, one class only, or more than 255.
LabelMap readLabelMap(const Volume& annotations, const Volume& image, Progress& progress);

/// Class index + 1 (0: unlabelled) of the pixels of `part` of slice `z`.
std::vector<std::uint8_t> readLabels(const Volume& annotations, const LabelMap& map, std::int64_t z, const PixelRectangle& part);

} // namespace voxelscribe::nn
