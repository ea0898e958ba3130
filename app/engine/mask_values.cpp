#include "app/engine/mask_values.h"

#include "core/base/error.h"

namespace voxelscribe::engine {

namespace {

constexpr std::size_t kIds = 65536;

class MappedVolume : public Volume {
public:
    MappedVolume(VolumePtr mask, VolumeInfo info, const std::function<std::uint8_t(std::uint16_t)>& value)
        : Volume(std::move(info)), m_mask(std::move(mask)), m_values(kIds)
    {
        for (std::size_t id = 0; id < kIds; ++id)
            m_values[id] = static_cast<std::byte>(value(static_cast<std::uint16_t>(id)));
    }

private:
    void readRegion(const Region& region, std::span<std::byte> out) const override
    {
        const std::vector<std::uint16_t> ids = readAs<std::uint16_t>(*m_mask, region);
        for (std::size_t i = 0; i < ids.size(); ++i)
            out[i] = m_values[ids[i]];
    }

    VolumePtr m_mask;
    std::vector<std::byte> m_values;
};

} // namespace

std::vector<ClassInfo> classesIn(const Volume& mask, Progress& progress)
{
    std::vector<bool> occurs(kIds, false);
    const Extent& extent = mask.extent();
    for (std::int64_t z = 0; z < extent.z; ++z) {
        for (const std::int64_t id : readAs<std::int64_t>(mask, Region::slice(extent, z))) {
            if (id < 0 || id >= static_cast<std::int64_t>(kIds))
                throw Error(ErrorCode::format, mask.info().name + ": slice " + std::to_string(z) + " holds the value " + std::to_string(id)
                                                   + "; expected a mask with class ids from 0 to 65535; is it an image?");
            occurs[static_cast<std::size_t>(id)] = true;
        }
        progress.update("classes", z + 1, extent.z);
    }
    std::vector<ClassInfo> classes;
    for (std::size_t id = 1; id < kIds; ++id)
        if (occurs[id])
            classes.push_back({static_cast<std::uint16_t>(id), "class " + std::to_string(id), defaultClassColour(static_cast<std::uint16_t>(id))});
    return classes;
}

VolumePtr mapIds(VolumePtr mask, const std::function<std::uint8_t(std::uint16_t)>& value)
{
    VolumeInfo info = mask->info();
    info.dtype = DType::uint8;
    return std::make_shared<MappedVolume>(std::move(mask), std::move(info), value);
}

} // namespace voxelscribe::engine
