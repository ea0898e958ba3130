#include "core/labels/flood_fill.h"

#include <algorithm>
#include <bit>

namespace voxelscribe::labels {

FloodFill::FloodFill(const LabelVolume& labels, const PlaneLines& lines)
    : m_labels(labels)
    , m_lines(lines)
    , m_words((lines.length + kWordBits - 1) / kWordBits)
    , m_tilesAlong((lines.length + kTile - 1) / kTile)
    , m_tiles(static_cast<std::size_t>(m_tilesAlong * ((lines.lines + kTile - 1) / kTile)))
{
}

void FloodFill::run(std::int64_t line, std::int64_t along, const std::function<void(const Span&)>& onSpan)
{
    m_id = m_labels.at(m_lines.voxel(line, along));
    struct Seed {
        std::int64_t line;
        std::int64_t along;
    };
    std::vector<Seed> seeds{{line, along}};
    while (!seeds.empty()) {
        const Seed seed = seeds.back();
        seeds.pop_back();
        if (nextOpen(seed.line, seed.along, seed.along + 1) != seed.along)
            continue; // filled meanwhile from elsewhere
        const Span span{seed.line, runStart(seed.line, seed.along), runEnd(seed.line, seed.along)};
        close(span);
        for (const std::int64_t next : {span.line - 1, span.line + 1}) {
            if (next < 0 || next >= m_lines.lines)
                continue;
            for (std::int64_t at = nextOpen(next, span.first, span.end); at < span.end; at = nextOpen(next, runEnd(next, at), span.end))
                seeds.push_back({next, at});
        }
        onSpan(span);
    }
}

std::uint64_t& FloodFill::word(std::int64_t line, std::int64_t index)
{
    const std::int64_t tileAlong = index / kWordsPerRow;
    auto& tile = m_tiles[static_cast<std::size_t>(line / kTile * m_tilesAlong + tileAlong)];
    if (!tile)
        tile = load(line / kTile, tileAlong);
    return (*tile)[static_cast<std::size_t>(line % kTile * kWordsPerRow + index % kWordsPerRow)];
}

std::unique_ptr<FloodFill::Tile> FloodFill::load(std::int64_t tileLine, std::int64_t tileAlong) const
{
    const std::int64_t lineCount = std::min(kTile, m_lines.lines - tileLine * kTile);
    const std::int64_t alongCount = std::min(kTile, m_lines.length - tileAlong * kTile);
    std::vector<std::uint16_t> ids(static_cast<std::size_t>(lineCount * alongCount));
    m_labels.read(m_lines.region(tileLine * kTile, tileAlong * kTile, lineCount, alongCount), ids);
    auto tile = std::make_unique<Tile>();
    for (std::int64_t line = 0; line < lineCount; ++line)
        for (std::int64_t i = 0; i < alongCount; ++i)
            if (ids[static_cast<std::size_t>(line * alongCount + i)] == m_id)
                (*tile)[static_cast<std::size_t>(line * kWordsPerRow + i / kWordBits)] |= std::uint64_t{1} << (i % kWordBits);
    return tile;
}

std::int64_t FloodFill::runStart(std::int64_t line, std::int64_t from)
{
    const std::int64_t shift = from % kWordBits;
    std::int64_t index = from / kWordBits;
    const std::int64_t open = std::countl_one(word(line, index) << (kWordBits - 1 - shift));
    if (open <= shift)
        return from - open + 1;
    while (--index >= 0)
        if (const std::int64_t more = std::countl_one(word(line, index)); more < kWordBits)
            return (index + 1) * kWordBits - more;
    return 0;
}

std::int64_t FloodFill::runEnd(std::int64_t line, std::int64_t from)
{
    const std::int64_t shift = from % kWordBits;
    std::int64_t index = from / kWordBits;
    const std::int64_t open = std::countr_one(word(line, index) >> shift);
    if (open < kWordBits - shift)
        return from + open;
    while (++index < m_words)
        if (const std::int64_t more = std::countr_one(word(line, index)); more < kWordBits)
            return index * kWordBits + more;
    return m_lines.length;
}

std::int64_t FloodFill::nextOpen(std::int64_t line, std::int64_t from, std::int64_t end)
{
    while (from < end) {
        const std::int64_t shift = from % kWordBits;
        if (const std::uint64_t bits = word(line, from / kWordBits) >> shift; bits != 0)
            return std::min(end, from + std::countr_zero(bits));
        from += kWordBits - shift;
    }
    return end;
}

void FloodFill::close(const Span& span)
{
    for (std::int64_t at = span.first; at < span.end;) {
        const std::int64_t shift = at % kWordBits;
        const std::int64_t count = std::min(kWordBits - shift, span.end - at);
        const std::uint64_t bits = count == kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
        word(span.line, at / kWordBits) &= ~(bits << shift);
        at += count;
    }
}

} // namespace voxelscribe::labels
