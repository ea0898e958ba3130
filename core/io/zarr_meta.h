#pragma once

#include "core/base/dtype.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace voxelscribe::io {

/// The metadata of one Zarr v2 array (.zarray) of any number of axes.
struct ZarrMeta {
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> chunks;
    DType dtype = DType::uint8;          ///< in memory
    std::size_t storedSize = 1;          ///< bytes a sample in the file; 2 for float16, which is read as float32
    bool bigEndian = false;
    bool fortranOrder = false;           ///< samples inside a chunk run first axis fastest
    nlohmann::json compressor;           ///< null or an object with "id"
    std::array<std::byte, 8> fill{};     ///< one sample, as in memory
    std::string separator = ".";

    std::int64_t chunkSamples() const;
    /// Chunks along axis `axis`.
    std::int64_t gridExtent(std::size_t axis) const;
    /// "0/3/1" or "0.3.1".
    std::string chunkKey(std::span<const std::int64_t> index) const;
};

/// @throws Error(io | format) naming `folder` and what in its .zarray is not understood.
ZarrMeta readZarrMeta(const std::filesystem::path& folder);
/// The text of .zarray for metadata that this program writes (little-endian, C order, fill 0).
std::string zarrMetaText(const ZarrMeta& meta);
/// A small JSON file of a Zarr folder. @throws Error(io | format).
nlohmann::json readZarrJson(const std::filesystem::path& file);

} // namespace voxelscribe::io
