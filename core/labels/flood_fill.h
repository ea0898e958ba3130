#pragma once

#include "core/labels/plane_lines.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace voxelscribe::labels {

/// The pixels of one label that hang together (4-neighbours) in a slice. Reads the slice in tiles, only those that the fill
/// reaches, and holds one bit a pixel of them: filling a spot costs the spot, not the slice.
class FloodFill {
public:
    FloodFill(const LabelVolume& labels, const PlaneLines& lines);

    /// Hands out the spans of the pixels that hang together with the given one, each pixel once. `onSpan` may write to the
    /// pixels it gets.
    void run(std::int64_t line, std::int64_t along, const std::function<void(const Span&)>& onSpan);

private:
    static constexpr std::int64_t kTile = 256;
    static constexpr std::int64_t kWordBits = 64;
    static constexpr std::int64_t kWordsPerRow = kTile / kWordBits;
    /// A bit a pixel: still to be filled.
    using Tile = std::array<std::uint64_t, static_cast<std::size_t>(kTile * kWordsPerRow)>;

    std::uint64_t& word(std::int64_t line, std::int64_t index);
    std::unique_ptr<Tile> load(std::int64_t tileLine, std::int64_t tileAlong) const;
    std::int64_t runStart(std::int64_t line, std::int64_t from);
    std::int64_t runEnd(std::int64_t line, std::int64_t from);
    std::int64_t nextOpen(std::int64_t line, std::int64_t from, std::int64_t end);
    void close(const Span& span);

    const LabelVolume& m_labels;
    PlaneLines m_lines;
    std::int64_t m_words;             ///< a line
    std::int64_t m_tilesAlong;
    std::uint16_t m_id = 0;
    std::vector<std::unique_ptr<Tile>> m_tiles;
};

} // namespace voxelscribe::labels
