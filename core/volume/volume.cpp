#include "core/volume/volume.h"

#include "core/base/error.h"

#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace voxelscribe {

void Volume::read(const Region& region, std::span<std::byte> out) const
{
    requireInside(region, m_info.extent, m_info.name);
    const std::int64_t needed = checkedProduct(region.extent.voxels(), static_cast<std::int64_t>(dtypeSize(m_info.dtype)), "region");
    if (static_cast<std::int64_t>(out.size()) != needed)
        throw Error(ErrorCode::shape, m_info.name + ": the buffer has " + std::to_string(out.size()) + " bytes, the region of "
                                          + region.extent.text() + " needs " + std::to_string(needed));
    readRegion(region, out);
}

namespace {

/// static_cast that saturates where the target is a narrower integer.
template <typename T, typename S>
T converted(S value)
{
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, S>) {
        if constexpr (std::is_floating_point_v<S>) {
            if (!(value == value))
                return T{0};
            if (value <= static_cast<S>(std::numeric_limits<T>::min()))
                return std::numeric_limits<T>::min();
            if (value >= static_cast<S>(std::numeric_limits<T>::max()))
                return std::numeric_limits<T>::max();
        } else {
            if (std::cmp_less(value, std::numeric_limits<T>::min()))
                return std::numeric_limits<T>::min();
            if (std::cmp_greater(value, std::numeric_limits<T>::max()))
                return std::numeric_limits<T>::max();
        }
    }
    return static_cast<T>(value);
}

class MemoryVolume : public Volume {
public:
    MemoryVolume(VolumeInfo info, std::vector<std::byte> samples) : Volume(std::move(info)), m_samples(std::move(samples)) {}

private:
    void readRegion(const Region& region, std::span<std::byte> out) const override
    {
        const std::size_t size = dtypeSize(m_info.dtype);
        const std::size_t rowBytes = static_cast<std::size_t>(region.extent.x) * size;
        std::byte* to = out.data();
        for (std::int64_t z = 0; z < region.extent.z; ++z)
            for (std::int64_t y = 0; y < region.extent.y; ++y, to += rowBytes) {
                const std::int64_t at = ((region.origin.z + z) * m_info.extent.y + region.origin.y + y) * m_info.extent.x + region.origin.x;
                std::memcpy(to, m_samples.data() + static_cast<std::size_t>(at) * size, rowBytes);
            }
    }

    std::vector<std::byte> m_samples;
};

} // namespace

template <typename T>
void readAs(const Volume& volume, const Region& region, std::span<T> out)
{
    visitDType(volume.info().dtype, [&](auto sample) {
        using S = decltype(sample);
        if constexpr (std::is_same_v<S, T>) {
            volume.read(region, std::as_writable_bytes(out));
        } else {
            std::vector<S> samples(static_cast<std::size_t>(region.extent.voxels()));
            volume.read(region, std::as_writable_bytes(std::span(samples)));
            if (samples.size() != out.size())
                throw Error(ErrorCode::shape, volume.info().name + ": the buffer has " + std::to_string(out.size())
                                                  + " elements, the region " + std::to_string(samples.size()));
            for (std::size_t i = 0; i < samples.size(); ++i)
                out[i] = converted<T>(samples[i]);
        }
    });
}

template <typename T>
std::vector<T> readAs(const Volume& volume, const Region& region)
{
    std::vector<T> values(static_cast<std::size_t>(region.extent.voxels()));
    readAs<T>(volume, region, std::span<T>(values));
    return values;
}

std::shared_ptr<Volume> makeMemoryVolume(VolumeInfo info, std::vector<std::byte> samples)
{
    const std::int64_t needed = info.extent.voxels() * static_cast<std::int64_t>(dtypeSize(info.dtype));
    if (static_cast<std::int64_t>(samples.size()) != needed)
        throw Error(ErrorCode::shape, info.name + ": " + std::to_string(samples.size()) + " bytes given, " + std::to_string(needed) + " expected");
    if (info.shape.empty())
        info.shape = {info.extent.z, info.extent.y, info.extent.x};
    if (info.chunk.isEmpty())
        info.chunk = {1, info.extent.y, info.extent.x};
    return std::make_shared<MemoryVolume>(std::move(info), std::move(samples));
}

namespace {
template <typename T>
constexpr DType dtypeOf()
{
    if constexpr (std::is_same_v<T, std::uint8_t>) return DType::uint8;
    else if constexpr (std::is_same_v<T, std::int8_t>) return DType::int8;
    else if constexpr (std::is_same_v<T, std::uint16_t>) return DType::uint16;
    else if constexpr (std::is_same_v<T, std::int16_t>) return DType::int16;
    else if constexpr (std::is_same_v<T, std::uint32_t>) return DType::uint32;
    else if constexpr (std::is_same_v<T, std::int32_t>) return DType::int32;
    else if constexpr (std::is_same_v<T, std::uint64_t>) return DType::uint64;
    else if constexpr (std::is_same_v<T, std::int64_t>) return DType::int64;
    else if constexpr (std::is_same_v<T, float>) return DType::float32;
    else return DType::float64;
}
} // namespace

template <typename T>
std::shared_ptr<Volume> makeMemoryVolume(const Extent& extent, const std::vector<T>& values)
{
    VolumeInfo info;
    info.name = "memory";
    info.dtype = dtypeOf<T>();
    info.extent = extent;
    const auto bytes = std::as_bytes(std::span(values));
    return makeMemoryVolume(std::move(info), std::vector<std::byte>(bytes.begin(), bytes.end()));
}

#define VOXELSCRIBE_INSTANTIATE_READ(T) \
    template void readAs<T>(const Volume&, const Region&, std::span<T>); \
    template std::vector<T> readAs<T>(const Volume&, const Region&);
VOXELSCRIBE_INSTANTIATE_READ(std::uint8_t)
VOXELSCRIBE_INSTANTIATE_READ(std::uint16_t)
VOXELSCRIBE_INSTANTIATE_READ(std::int32_t)
VOXELSCRIBE_INSTANTIATE_READ(std::uint32_t)
VOXELSCRIBE_INSTANTIATE_READ(std::int64_t)
VOXELSCRIBE_INSTANTIATE_READ(float)
VOXELSCRIBE_INSTANTIATE_READ(double)
#undef VOXELSCRIBE_INSTANTIATE_READ

#define VOXELSCRIBE_INSTANTIATE_MEMORY(T) \
    template std::shared_ptr<Volume> makeMemoryVolume<T>(const Extent&, const std::vector<T>&);
VOXELSCRIBE_INSTANTIATE_MEMORY(std::uint8_t)
VOXELSCRIBE_INSTANTIATE_MEMORY(std::int8_t)
VOXELSCRIBE_INSTANTIATE_MEMORY(std::uint16_t)
VOXELSCRIBE_INSTANTIATE_MEMORY(std::int16_t)
VOXELSCRIBE_INSTANTIATE_MEMORY(std::uint32_t)
VOXELSCRIBE_INSTANTIATE_MEMORY(std::int32_t)
VOXELSCRIBE_INSTANTIATE_MEMORY(std::uint64_t)
VOXELSCRIBE_INSTANTIATE_MEMORY(std::int64_t)
VOXELSCRIBE_INSTANTIATE_MEMORY(float)
VOXELSCRIBE_INSTANTIATE_MEMORY(double)
#undef VOXELSCRIBE_INSTANTIATE_MEMORY

} // namespace voxelscribe
