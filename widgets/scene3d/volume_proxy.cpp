#include "widgets/scene3d/volume_proxy.h"

#include <algorithm>

namespace voxelscribe::scene3d {

namespace {

std::int64_t dividedUp(std::int64_t a, std::int64_t b)
{
    return (a + b - 1) / b;
}

/// The source rows of proxy slice `k` in bands of whole steps, about 16 Mvoxel each: most slices are one band, so that a
/// file with a chunk a slice unpacks it once.
std::vector<Region> bandsOf(const ProxyGeometry& geometry, std::int64_t k)
{
    constexpr std::int64_t kBandVoxels = 16 << 20;
    const std::int64_t steps = std::max<std::int64_t>(1, kBandVoxels / (geometry.source.x * geometry.step.y));
    const std::int64_t rows = steps * geometry.step.y;
    std::vector<Region> bands;
    for (std::int64_t y = 0; y < geometry.source.y; y += rows)
        bands.push_back({{geometry.sourceSlice(k), y, 0}, {1, std::min(rows, geometry.source.y - y), geometry.source.x}});
    return bands;
}

/// Mean of the finite samples of one step; 0 where there is none.
double finiteMean(const std::vector<float>& samples, const Extent& band, std::int64_t y0, std::int64_t x0, const Extent& step)
{
    double sum = 0;
    std::int64_t finite = 0;
    for (std::int64_t y = y0; y < std::min(y0 + step.y, band.y); ++y)
        for (std::int64_t x = x0; x < std::min(x0 + step.x, band.x); ++x) {
            const float value = samples[static_cast<std::size_t>(y * band.x + x)];
            if (value - value == 0.0F) { // neither NaN nor infinite
                sum += static_cast<double>(value);
                ++finite;
            }
        }
    return finite > 0 ? sum / static_cast<double>(finite) : 0.0;
}

} // namespace

ProxyGeometry ProxyGeometry::fit(const Extent& source, std::int64_t largestEdge)
{
    ProxyGeometry geometry;
    geometry.source = source;
    geometry.step = {dividedUp(source.z, largestEdge), dividedUp(source.y, largestEdge), dividedUp(source.x, largestEdge)};
    geometry.extent = {dividedUp(source.z, geometry.step.z), dividedUp(source.y, geometry.step.y), dividedUp(source.x, geometry.step.x)};
    return geometry;
}

std::int64_t ProxyGeometry::sourceSlice(std::int64_t k) const
{
    return std::min(k * step.z + step.z / 2, source.z - 1);
}

std::vector<std::int64_t> ProxyGeometry::slicesIn(std::int64_t from, std::int64_t to) const
{
    std::vector<std::int64_t> slices;
    for (std::int64_t k = std::max<std::int64_t>(0, from / step.z - 1); k < extent.z && k * step.z < to; ++k)
        if (sourceSlice(k) >= from && sourceSlice(k) < to)
            slices.push_back(k);
    return slices;
}

std::vector<std::uint8_t> readImageSlice(const Volume& volume, const ProxyGeometry& geometry, std::int64_t k, double low, double high)
{
    const double scale = high > low ? 255.0 / (high - low) : 0.0;
    std::vector<std::uint8_t> slice;
    slice.reserve(static_cast<std::size_t>(geometry.extent.y * geometry.extent.x));
    for (const Region& band : bandsOf(geometry, k)) {
        const std::vector<float> samples = readAs<float>(volume, band);
        for (std::int64_t y = 0; y < band.extent.y; y += geometry.step.y)
            for (std::int64_t x = 0; x < band.extent.x; x += geometry.step.x) {
                const double grey = (finiteMean(samples, band.extent, y, x, geometry.step) - low) * scale;
                slice.push_back(static_cast<std::uint8_t>(std::clamp(grey, 0.0, 255.0)));
            }
    }
    return slice;
}

std::vector<std::uint8_t> readLabelSlice(const Volume& mask, const ProxyGeometry& geometry, std::int64_t k,
                                         const std::vector<std::uint8_t>& indexOfId)
{
    std::vector<std::uint8_t> slice;
    slice.reserve(static_cast<std::size_t>(geometry.extent.y * geometry.extent.x));
    for (const Region& band : bandsOf(geometry, k)) {
        const std::vector<std::uint16_t> ids = readAs<std::uint16_t>(mask, band);
        for (std::int64_t row = 0; row < band.extent.y; row += geometry.step.y)
            for (std::int64_t column = 0; column < band.extent.x; column += geometry.step.x) {
                const std::int64_t y = std::min(row + geometry.step.y / 2, band.extent.y - 1);
                const std::int64_t x = std::min(column + geometry.step.x / 2, band.extent.x - 1);
                const std::uint16_t id = ids[static_cast<std::size_t>(y * band.extent.x + x)];
                slice.push_back(id < indexOfId.size() ? indexOfId[id] : std::uint8_t{0});
            }
    }
    return slice;
}

std::vector<std::int64_t> coarseToFine(std::int64_t slices)
{
    std::vector<std::int64_t> order;
    for (std::int64_t k = 0; k < slices; k += 8)
        order.push_back(k);
    for (std::int64_t k = 0; k < slices; ++k)
        if (k % 8 != 0)
            order.push_back(k);
    return order;
}

} // namespace voxelscribe::scene3d
