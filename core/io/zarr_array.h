#pragma once

#include "core/base/dtype.h"
#include "core/base/extent.h"
#include "core/io/zarr_meta.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace voxelscribe::io {

/// Shape of a Zarr v2 array (https://zarr.readthedocs.io/en/stable/spec/v2.html), z, y, x, or channel, z, y, x.
struct ZarrSpec {
    std::int64_t channels = 0;       ///< 0: a 3D array
    Extent extent;
    Extent chunk;                    ///< a channel's chunk holds one channel
    DType dtype = DType::uint8;
    bool compress = true;            ///< Blosc (lz4, shuffle)
};

struct ZarrChunk {
    Extent index;                    ///< z, y, x of the chunk grid
    std::int64_t channel = 0;
};

/// One array folder with `dimension_separator` "/", one file a chunk, each written beside its name and renamed: a reader in
/// another process sees whole chunks or none. Different chunks may be read and written from different threads and processes.
class ZarrArray {
public:
    /// @throws Error(io) if the folder exists or cannot be made.
    static ZarrArray create(const std::filesystem::path& folder, const ZarrSpec& spec);
    /// @throws Error(io | format).
    static ZarrArray open(const std::filesystem::path& folder);

    const ZarrSpec& spec() const { return m_spec; }
    const std::filesystem::path& folder() const { return m_folder; }
    Extent chunkGrid() const;
    /// False for a file that is plainly not a whole chunk, by its length and header.
    bool hasChunk(const ZarrChunk& chunk) const;
    /// `samples` is a full chunk (border chunks padded). @throws Error(io).
    void writeChunk(const ZarrChunk& chunk, std::span<const std::byte> samples);
    /// False (and `out` the fill value, 0 in arrays of this program) where the chunk is not there. @throws Error(io | format) for a damaged one.
    bool readChunk(const ZarrChunk& chunk, std::span<std::byte> out) const;
    void removeChunk(const ZarrChunk& chunk);

    /// Deletes half-written chunk files of killed processes. Only while no other process writes this array.
    void removeLeftovers() const;

private:
    ZarrArray(std::filesystem::path folder, ZarrMeta meta);
    std::filesystem::path chunkFile(const ZarrChunk& chunk) const;

    std::filesystem::path m_folder;
    ZarrSpec m_spec;
    ZarrMeta m_meta;
};

/// Chunks for results: whole slices up to 16 megapixels, tiles above.
Extent defaultZarrChunk(const Extent& extent);

/// The "multiscales" of such a group: axes, units and the voxel size as a scale.
nlohmann::json ngffMultiscales(const ZarrSpec& spec, const std::optional<VoxelSizeUm>& voxelSizeUm);
/// Makes the OME-NGFF 0.4 group FOLDER with its array "0". `attributes` are put beside `multiscales` in .zattrs.
ZarrArray createNgff(const std::filesystem::path& folder, const ZarrSpec& spec, const std::optional<VoxelSizeUm>& voxelSizeUm,
                     const nlohmann::json& attributes);
/// The array "0" of such a group.
ZarrArray openNgff(const std::filesystem::path& folder);
nlohmann::json readNgffAttributes(const std::filesystem::path& folder);
/// Replaces all but "multiscales", which stays unless `attributes` has its own. Atomically. @throws Error(io).
void writeNgffAttributes(const std::filesystem::path& folder, const nlohmann::json& attributes);

} // namespace voxelscribe::io
