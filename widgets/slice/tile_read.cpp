#include "widgets/slice/tile_read.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace voxelscribe::slice {

namespace {

constexpr std::int64_t kBandSamples = std::int64_t{1} << 21;

struct Span {
    std::int64_t begin = 0;
    std::int64_t count = 0;
};

/// A tile as it lies in memory: `lines` run along the slower of the plane's two axes, `across` over the slices.
struct Job {
    Plane plane = Plane::xy;
    int level = 0;
    Span slices;
    Span lines;                    ///< pixels of the level
    Span columns;                  ///< pixels of the level, along a line
    std::int64_t lineVoxels = 0;   ///< of the whole plane
    std::int64_t columnVoxels = 0;
    bool sparse = false;           ///< one voxel line a pixel line is read: the others lie in chunks of their own

    Span voxelLines(std::int64_t first, std::int64_t count) const
    {
        const std::int64_t step = std::int64_t{1} << level;
        const std::int64_t begin = first << level;
        if (sparse)
            return {std::min(begin + step / 2, lineVoxels - 1), 1};
        return {begin, std::min((first + count) << level, lineVoxels) - begin};
    }
    Span voxelColumns() const
    {
        const std::int64_t begin = columns.begin << level;
        return {begin, std::min((columns.begin + columns.count) << level, columnVoxels) - begin};
    }
};

/// In the plane zy the slower axis (z) runs to the right, in the others downwards.
bool linesRunDown(Plane plane)
{
    return plane == Plane::zy;
}

Job makeJob(const TileGrid& grid, const TileKey& lead, const PixelRect& rect)
{
    const bool down = linesRunDown(grid.plane());
    const Span vertical{rect.v, rect.height};
    const Span horizontal{rect.u, rect.width};
    Job job;
    job.plane = grid.plane();
    job.level = lead.level;
    job.slices = {lead.slice, grid.slicesAt(lead)};
    job.lines = down ? horizontal : vertical;
    job.columns = down ? vertical : horizontal;
    job.lineVoxels = down ? grid.extent().x : grid.extent().y;
    job.columnVoxels = down ? grid.extent().y : grid.extent().x;
    const std::int64_t chunkLines = down ? grid.chunkWidth() : grid.chunkHeight();
    job.sparse = lead.level > 0 && 2 * chunkLines <= (std::int64_t{1} << lead.level);
    return job;
}

/// Distances between neighbours in the samples of a band.
struct Strides {
    std::int64_t slice = 0;
    std::int64_t line = 0;
    std::int64_t column = 1;
};

Strides stridesOf(Plane plane, std::int64_t slices, std::int64_t lines, std::int64_t columns)
{
    switch (plane) {
    case Plane::xz: return {columns, slices * columns, 1};
    case Plane::zy: return {1, columns * slices, slices};
    case Plane::xy: break;
    }
    return {lines * columns, columns, 1};
}

Region bandRegion(const Job& job, const Span& lines, const Span& columns)
{
    const bool down = linesRunDown(job.plane);
    Region region = down ? planeRegion(job.plane, job.slices.begin, columns.begin, lines.begin, columns.count, lines.count)
                         : planeRegion(job.plane, job.slices.begin, lines.begin, columns.begin, lines.count, columns.count);
    const Extent across = planeVoxel(job.plane, job.slices.count, 1, 1);
    region.extent = {region.extent.z * across.z, region.extent.y * across.y, region.extent.x * across.x};
    return region;
}

/// The samples of one pixel line: `lineCount` voxel lines of `voxels` samples.
template <typename T>
struct LineSource {
    const T* first = nullptr;
    std::int64_t lineCount = 1;
    std::int64_t voxels = 0;
    Strides strides;
    int level = 0;
};

/// Each pixel is its middle sample.
template <typename T>
void pickLine(const LineSource<T>& from, T* out, std::int64_t count)
{
    const std::int64_t step = std::int64_t{1} << from.level;
    const T* line = from.first + (from.lineCount / 2) * from.strides.line;
    for (std::int64_t pixel = 0; pixel < count; ++pixel)
        out[pixel] = line[std::min(pixel * step + step / 2, from.voxels - 1) * from.strides.column];
}

template <typename T>
T meanValue(double sum, std::int64_t count)
{
    if constexpr (std::is_floating_point_v<T>)
        return count > 0 ? static_cast<T>(sum / static_cast<double>(count)) : std::numeric_limits<T>::quiet_NaN();
    else
        return static_cast<T>(std::floor(sum / static_cast<double>(count) + 0.5));
}

/// Each pixel is the mean of its finite samples.
template <typename T>
void meanLine(const LineSource<T>& from, T* out, std::int64_t count)
{
    const std::int64_t step = std::int64_t{1} << from.level;
    for (std::int64_t pixel = 0; pixel < count; ++pixel) {
        const std::int64_t end = std::min((pixel + 1) * step, from.voxels);
        double sum = 0;
        std::int64_t samples = 0;
        for (std::int64_t line = 0; line < from.lineCount; ++line)
            for (std::int64_t voxel = pixel * step; voxel < end; ++voxel) {
                const T value = from.first[line * from.strides.line + voxel * from.strides.column];
                if constexpr (std::is_floating_point_v<T>)
                    if (!std::isfinite(value))
                        continue;
                sum += static_cast<double>(value);
                ++samples;
            }
        out[pixel] = meanValue<T>(sum, samples);
    }
}

/// All slices of a job, each lines × columns. Empty where `stop` said so.
template <typename T, typename ReadBand>
std::vector<std::vector<T>> readLines(const Job& job, bool pick, const StopQuery& stop, const ReadBand& readBand)
{
    const auto count = static_cast<std::size_t>(job.slices.count);
    std::vector<std::vector<T>> slices(count, std::vector<T>(static_cast<std::size_t>(job.lines.count * job.columns.count)));
    const Span columns = job.voxelColumns();
    const std::int64_t voxelsALine = (columns.count * job.slices.count) << (job.sparse ? 0 : job.level);
    const std::int64_t linesABand = job.sparse ? 1 : std::max<std::int64_t>(1, kBandSamples / voxelsALine);
    std::vector<T> band;
    for (std::int64_t first = 0; first < job.lines.count; first += linesABand) {
        if (stop && stop())
            return {};
        const std::int64_t pixelLines = std::min(linesABand, job.lines.count - first);
        const Span lines = job.voxelLines(job.lines.begin + first, pixelLines);
        const Strides strides = stridesOf(job.plane, job.slices.count, lines.count, columns.count);
        band.resize(static_cast<std::size_t>(lines.count * columns.count * job.slices.count));
        readBand(bandRegion(job, lines, columns), std::span<T>(band));
        for (std::int64_t slice = 0; slice < job.slices.count; ++slice)
            for (std::int64_t line = 0; line < pixelLines; ++line) {
                const std::int64_t at = job.sparse ? 0 : line << job.level;
                const std::int64_t lineCount = std::min(lines.count - at, std::int64_t{1} << job.level);
                const LineSource<T> from{band.data() + slice * strides.slice + at * strides.line, lineCount, columns.count, strides,
                                         job.level};
                T* out = slices[static_cast<std::size_t>(slice)].data() + (first + line) * job.columns.count;
                if (pick || job.level == 0)
                    pickLine(from, out, job.columns.count);
                else
                    meanLine(from, out, job.columns.count);
            }
    }
    return slices;
}

template <typename T>
SampleTile makeTile(const Job& job, const PixelRect& rect, DType dtype, std::vector<T>& lines)
{
    SampleTile tile{dtype, rect, std::vector<std::byte>(lines.size() * sizeof(T)), 0};
    if (!linesRunDown(job.plane)) {
        std::memcpy(tile.samples.data(), lines.data(), tile.samples.size());
        return tile;
    }
    std::vector<T> turned(lines.size());
    for (std::int64_t v = 0; v < rect.height; ++v)
        for (std::int64_t u = 0; u < rect.width; ++u)
            turned[static_cast<std::size_t>(v * rect.width + u)] = lines[static_cast<std::size_t>(u * rect.height + v)];
    std::memcpy(tile.samples.data(), turned.data(), tile.samples.size());
    return tile;
}

template <typename T>
std::vector<SampleTile> makeTiles(const Job& job, const PixelRect& rect, DType dtype, std::vector<std::vector<T>> slices)
{
    std::vector<SampleTile> tiles;
    for (std::vector<T>& lines : slices)
        tiles.push_back(makeTile(job, rect, dtype, lines));
    return tiles;
}

} // namespace

double SampleTile::at(std::int64_t v, std::int64_t u) const
{
    return visitDType(dtype, [&](auto sample) {
        const std::int64_t index = (v - rect.v) * rect.width + (u - rect.u);
        std::memcpy(&sample, samples.data() + static_cast<std::size_t>(index) * sizeof sample, sizeof sample);
        return static_cast<double>(sample);
    });
}

std::vector<SampleTile> readImageTiles(const Volume& volume, const TileGrid& grid, const TileKey& lead, const StopQuery& stop)
{
    const PixelRect rect = grid.tileRect(lead);
    const Job job = makeJob(grid, lead, rect);
    const DType dtype = volume.info().dtype;
    return visitDType(dtype, [&](auto sample) {
        using T = decltype(sample);
        const auto readBand = [&](const Region& region, std::span<T> out) { volume.read(region, std::as_writable_bytes(out)); };
        return makeTiles<T>(job, rect, dtype, readLines<T>(job, false, stop, readBand));
    });
}

std::vector<SampleTile> readMaskTiles(const Volume& volume, const TileGrid& grid, const TileKey& lead, const StopQuery& stop)
{
    const PixelRect rect = grid.tileRect(lead).grown(1).intersected(grid.whole(lead.level));
    const Job job = makeJob(grid, lead, rect);
    const auto readBand = [&](const Region& region, std::span<std::uint16_t> out) { readAs<std::uint16_t>(volume, region, out); };
    return makeTiles<std::uint16_t>(job, rect, DType::uint16, readLines<std::uint16_t>(job, true, stop, readBand));
}

} // namespace voxelscribe::slice
