#include "core/volume/views.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace voxelscribe {

namespace {

/// Source bytes that a view holds at once while it converts.
constexpr std::int64_t kBandBytes = std::int64_t{32} << 20;

VolumeInfo viewInfo(const VolumeInfo& source, const Extent& extent)
{
    VolumeInfo info = source;
    info.extent = extent;
    info.axes = "zyx";
    info.shape = {extent.z, extent.y, extent.x};
    info.chunk = {std::min(source.chunk.z, extent.z), std::min(source.chunk.y, extent.y), std::min(source.chunk.x, extent.x)};
    return info;
}

class CroppedVolume : public Volume {
public:
    CroppedVolume(VolumePtr source, const Region& region)
        : Volume(viewInfo(source->info(), region.extent)), m_source(std::move(source)), m_origin(region.origin)
    {
    }

private:
    void readRegion(const Region& region, std::span<std::byte> out) const override
    {
        const Extent& at = region.origin;
        m_source->read({{m_origin.z + at.z, m_origin.y + at.y, m_origin.x + at.x}, region.extent}, out);
    }

    VolumePtr m_source;
    Extent m_origin;
};

/// Nearest T to `value`: rounded and saturated; NaN is 0 in integers.
template <typename T, typename S>
T nearest(S value)
{
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(value);
    } else if constexpr (std::is_floating_point_v<S>) {
        if (std::isnan(value))
            return T{0};
        const S rounded = std::nearbyint(value);
        if (rounded <= static_cast<S>(std::numeric_limits<T>::min()))
            return std::numeric_limits<T>::min();
        if (rounded >= static_cast<S>(std::numeric_limits<T>::max()))
            return std::numeric_limits<T>::max();
        return static_cast<T>(rounded);
    } else {
        if (std::cmp_less(value, std::numeric_limits<T>::min()))
            return std::numeric_limits<T>::min();
        if (std::cmp_greater(value, std::numeric_limits<T>::max()))
            return std::numeric_limits<T>::max();
        return static_cast<T>(value);
    }
}

/// The most frequent value, the smallest of several. Sorts `values`.
template <typename T>
T modeOf(std::vector<T>& values)
{
    std::sort(values.begin(), values.end());
    T best = values.front();
    std::ptrdiff_t most = 0;
    for (auto run = values.begin(); run != values.end();) {
        const auto end = std::upper_bound(run, values.end(), *run);
        if (end - run > most) {
            most = end - run;
            best = *run;
        }
        run = end;
    }
    return best;
}

class BinnedVolume : public Volume {
public:
    BinnedVolume(VolumePtr source, const Extent& factor, bool labels)
        : Volume(binnedInfo(source->info(), factor)), m_source(std::move(source)), m_factor(factor), m_labels(labels)
    {
    }

private:
    static VolumeInfo binnedInfo(const VolumeInfo& source, const Extent& factor)
    {
        const Extent& from = source.extent;
        VolumeInfo info = viewInfo(source, {from.z / factor.z, from.y / factor.y, from.x / factor.x});
        info.chunk = {std::max<std::int64_t>(1, source.chunk.z / factor.z), std::max<std::int64_t>(1, source.chunk.y / factor.y),
                      std::max<std::int64_t>(1, source.chunk.x / factor.x)};
        if (info.voxelSizeUm) {
            info.voxelSizeUm->z *= static_cast<double>(factor.z);
            info.voxelSizeUm->y *= static_cast<double>(factor.y);
            info.voxelSizeUm->x *= static_cast<double>(factor.x);
        }
        return info;
    }

    void readRegion(const Region& region, std::span<std::byte> out) const override
    {
        visitDType(m_info.dtype, [&](auto sample) { readBands<decltype(sample)>(region, out); });
    }

    template <typename T>
    void readBands(const Region& region, std::span<std::byte> out) const
    {
        const std::int64_t rowBytes = m_factor.voxels() * region.extent.x * static_cast<std::int64_t>(sizeof(T));
        const std::int64_t band = std::clamp<std::int64_t>(kBandBytes / std::max<std::int64_t>(1, rowBytes), 1, region.extent.y);
        T* to = reinterpret_cast<T*>(out.data());
        for (std::int64_t z = 0; z < region.extent.z; ++z)
            for (std::int64_t y = 0; y < region.extent.y; y += band) {
                const std::int64_t rows = std::min(band, region.extent.y - y);
                const Extent at{(region.origin.z + z) * m_factor.z, (region.origin.y + y) * m_factor.y, region.origin.x * m_factor.x};
                const Extent size{m_factor.z, rows * m_factor.y, region.extent.x * m_factor.x};
                std::vector<T> samples(static_cast<std::size_t>(size.voxels()));
                m_source->read({at, size}, std::as_writable_bytes(std::span(samples)));
                binRows<T>(samples, size, rows, region.extent.x, to);
                to += rows * region.extent.x;
            }
    }

    template <typename T>
    void binRows(const std::vector<T>& samples, const Extent& size, std::int64_t rows, std::int64_t columns, T* to) const
    {
        #pragma omp parallel for schedule(static)
        for (std::int64_t row = 0; row < rows; ++row) {
            std::vector<T> block(static_cast<std::size_t>(m_factor.voxels()));
            for (std::int64_t column = 0; column < columns; ++column) {
                std::size_t count = 0;
                for (std::int64_t z = 0; z < m_factor.z; ++z)
                    for (std::int64_t y = 0; y < m_factor.y; ++y) {
                        const T* from = samples.data() + (z * size.y + row * m_factor.y + y) * size.x + column * m_factor.x;
                        for (std::int64_t x = 0; x < m_factor.x; ++x)
                            block[count++] = from[x];
                    }
                to[row * columns + column] = m_labels ? modeOf(block) : meanOf(block);
            }
        }
    }

    template <typename T>
    static T meanOf(const std::vector<T>& values)
    {
        using Sum = std::conditional_t<(sizeof(T) > 4), long double, double>; // sums of 32-bit integers are exact in a double
        Sum sum = 0;
        for (const T value : values)
            sum += static_cast<Sum>(value);
        return nearest<T>(sum / static_cast<Sum>(values.size()));
    }

    VolumePtr m_source;
    Extent m_factor;
    bool m_labels;
};

class CastVolume : public Volume {
public:
    CastVolume(VolumePtr source, DType dtype) : Volume(castInfo(source->info(), dtype)), m_source(std::move(source)) {}

private:
    static VolumeInfo castInfo(VolumeInfo info, DType dtype)
    {
        info.dtype = dtype;
        return info;
    }

    void readRegion(const Region& region, std::span<std::byte> out) const override
    {
        visitDType(m_source->info().dtype, [&](auto from) {
            using S = decltype(from);
            std::vector<S> samples(static_cast<std::size_t>(region.extent.voxels()));
            m_source->read(region, std::as_writable_bytes(std::span(samples)));
            visitDType(m_info.dtype, [&](auto to) {
                using T = decltype(to);
                T* values = reinterpret_cast<T*>(out.data());
                const auto count = static_cast<std::int64_t>(samples.size());
                #pragma omp parallel for schedule(static)
                for (std::int64_t i = 0; i < count; ++i)
                    values[i] = nearest<T>(samples[static_cast<std::size_t>(i)]);
            });
        });
    }

    VolumePtr m_source;
};

} // namespace

VolumePtr cropVolume(VolumePtr source, const Region& region)
{
    requireInside(region, source->extent(), source->info().name);
    return std::make_shared<CroppedVolume>(std::move(source), region);
}

VolumePtr binVolume(VolumePtr source, std::int64_t bin, bool labels)
{
    if (bin < 1)
        throw Error(ErrorCode::shape, source->info().name + ": a bin of " + std::to_string(bin)
                                          + " voxels is not possible; expected 1 or more");
    if (bin == 1)
        return source;
    const auto factor = [bin](std::int64_t length) { return length < bin ? 1 : bin; };
    const Extent& extent = source->extent();
    const Extent factors{factor(extent.z), factor(extent.y), factor(extent.x)};
    return std::make_shared<BinnedVolume>(std::move(source), factors, labels);
}

VolumePtr castVolume(VolumePtr source, DType dtype)
{
    if (source->info().dtype == dtype)
        return source;
    return std::make_shared<CastVolume>(std::move(source), dtype);
}

} // namespace voxelscribe
