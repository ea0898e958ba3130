#pragma once

#include "core/nn/backend.h"
#include "core/nn/network.h"

#include <cstdint>
#include <vector>

namespace voxelscribe::nn {

/// How a slice is cut for a network's arithmetic. Follows from the network alone, so that results never depend on memory or tiles.
struct BlockPlan {
    std::int64_t core = 256;          ///< edge of a block's own pixels; blocks start at multiples of it
    std::int64_t halo = 0;            ///< real neighbours each side, where there are any
};

/// A rectangle of a slice.
struct Rectangle {
    std::int64_t y = 0;
    std::int64_t x = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    bool operator==(const Rectangle&) const = default;
};

/// One block: what it answers for, and what it reads; both end at the slice's borders.
struct Block {
    Rectangle core;
    Rectangle input;
};

/// The blocks of `part` of a slice of height × width; `part` starts and ends at multiples of plan.core or at the border.
std::vector<Block> blocksOf(const Rectangle& part, std::int64_t height, std::int64_t width, const BlockPlan& plan);
/// Groups of whole blocks of about `tile` pixels edge (at least one block; 0: the whole slice). Their `core` covers the slice.
std::vector<Block> tilesOf(std::int64_t height, std::int64_t width, const BlockPlan& plan, std::int64_t tile);

/// Segments `settings.slices` of `image` with a network and its contract. @throws Error(shape | memory | cancelled).
void predictSlices(const Volume& image, const FrozenNetwork& network, const ModelContract& contract, const BlockPlan& plan,
                   std::int64_t bytesPerPixel, const PredictSettings& settings, SliceSink& sink, Progress& progress);

} // namespace voxelscribe::nn
