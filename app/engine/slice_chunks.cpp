#include "app/engine/slice_chunks.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace voxelscribe::engine {

namespace {

/// Calls `visit(chunk, y, x, rows, columns)` for each chunk of a slice and the rectangle of the slice that it holds.
template <typename F>
void forChunks(const io::ZarrArray& array, std::int64_t z, std::int64_t channel, F visit)
{
    const Extent grid = array.chunkGrid();
    const Extent& chunk = array.spec().chunk;
    const Extent& extent = array.spec().extent;
    for (std::int64_t j = 0; j < grid.y; ++j)
        for (std::int64_t i = 0; i < grid.x; ++i)
            visit(io::ZarrChunk{{z, j, i}, channel}, j * chunk.y, i * chunk.x, std::min(chunk.y, extent.y - j * chunk.y),
                  std::min(chunk.x, extent.x - i * chunk.x));
}

/// Where sample (y, x) of a plane of `width` columns begins.
std::size_t byteAt(std::int64_t y, std::int64_t x, std::int64_t width, std::size_t size)
{
    return static_cast<std::size_t>(y * width + x) * size;
}

} // namespace

bool hasSlice(const io::ZarrArray& array, std::int64_t z, std::int64_t channel)
{
    bool all = true;
    forChunks(array, z, channel, [&](const io::ZarrChunk& chunk, auto...) { all = all && array.hasChunk(chunk); });
    return all;
}

void writeSlice(io::ZarrArray& array, std::int64_t z, std::int64_t channel, std::span<const std::byte> samples)
{
    const std::size_t size = dtypeSize(array.spec().dtype);
    const std::int64_t width = array.spec().extent.x;
    const std::int64_t chunkWidth = array.spec().chunk.x;
    std::vector<std::byte> tile(byteAt(array.spec().chunk.y, 0, chunkWidth, size));
    forChunks(array, z, channel, [&](const io::ZarrChunk& chunk, std::int64_t y, std::int64_t x, std::int64_t rows, std::int64_t columns) {
        std::ranges::fill(tile, std::byte{0});
        for (std::int64_t row = 0; row < rows; ++row)
            std::memcpy(tile.data() + byteAt(row, 0, chunkWidth, size), samples.data() + byteAt(y + row, x, width, size),
                        static_cast<std::size_t>(columns) * size);
        array.writeChunk(chunk, tile);
    });
}

void readSlice(const io::ZarrArray& array, std::int64_t z, std::int64_t channel, std::span<std::byte> samples)
{
    const std::size_t size = dtypeSize(array.spec().dtype);
    const std::int64_t width = array.spec().extent.x;
    const std::int64_t chunkWidth = array.spec().chunk.x;
    std::vector<std::byte> tile(byteAt(array.spec().chunk.y, 0, chunkWidth, size));
    forChunks(array, z, channel, [&](const io::ZarrChunk& chunk, std::int64_t y, std::int64_t x, std::int64_t rows, std::int64_t columns) {
        array.readChunk(chunk, tile);
        for (std::int64_t row = 0; row < rows; ++row)
            std::memcpy(samples.data() + byteAt(y + row, x, width, size), tile.data() + byteAt(row, 0, chunkWidth, size),
                        static_cast<std::size_t>(columns) * size);
    });
}

} // namespace voxelscribe::engine
