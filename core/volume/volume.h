#pragma once

#include "core/base/dtype.h"
#include "core/base/extent.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace voxelscribe {

/// What is known of a volume before a sample is read.
struct VolumeInfo {
    std::string name;                          ///< data set inside the file ("/entry/data"), or the file's name
    DType dtype = DType::uint8;
    Extent extent;                             ///< z, y, x; a 2D image has z = 1
    std::string axes = "zyx";                  ///< one letter an axis of `shape`
    std::vector<std::int64_t> shape;           ///< as stored
    Extent chunk;                              ///< the block that is read most cheaply, for example one slice
    std::optional<VoxelSizeUm> voxelSizeUm;    ///< absent where the file does not say
    std::vector<std::string> warnings;         ///< what a person should know about these data
};

/// A lazy 3D array, z, y, x. Opening reads no samples; `read` may be called from any thread.
class Volume {
public:
    virtual ~Volume() = default;
    const VolumeInfo& info() const { return m_info; }
    const Extent& extent() const { return m_info.extent; }

    /// Fills `out` with the samples of `region`, C order, native byte order; `out` has exactly their size.
    /// @throws Error(shape) outside the volume, Error(io | format) naming file and slice.
    void read(const Region& region, std::span<std::byte> out) const;

protected:
    explicit Volume(VolumeInfo info) : m_info(std::move(info)) {}
    virtual void readRegion(const Region& region, std::span<std::byte> out) const = 0;

    VolumeInfo m_info;
};

using VolumePtr = std::shared_ptr<const Volume>;

/// Samples of `region` converted to T with static_cast (no scaling; out-of-range integers saturate). `out` has region.extent.voxels() elements.
/// Instantiated for uint8, uint16, int32, uint32, int64, float and double.
template <typename T>
void readAs(const Volume& volume, const Region& region, std::span<T> out);
template <typename T>
std::vector<T> readAs(const Volume& volume, const Region& region);

/// Samples that live in memory; for tests and small results. `samples` has extent.voxels()·dtypeSize bytes.
std::shared_ptr<Volume> makeMemoryVolume(VolumeInfo info, std::vector<std::byte> samples);
/// The same from typed values; T decides the dtype.
template <typename T>
std::shared_ptr<Volume> makeMemoryVolume(const Extent& extent, const std::vector<T>& values);

} // namespace voxelscribe
