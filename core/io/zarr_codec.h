#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace voxelscribe::io {

/// The compressor entry of arrays that this program writes: Blosc, lz4, byte shuffle, level 5.
nlohmann::json bloscLz4();
/// Compresses one chunk as `bloscLz4` says. @throws Error(format) for a chunk of 2 GiB or more.
std::vector<std::byte> encodeBlosc(std::span<const std::byte> samples, std::size_t sampleBytes);
/// Fills `out` with the samples stored in a chunk of a Zarr v2 array; `compressor` is null or its .zarray entry
/// (blosc, zlib, gzip, zstd, lz4). @throws Error(format) naming `file` where they are damaged or coded in another way.
void decodeChunk(const nlohmann::json& compressor, std::span<const std::byte> stored, std::span<std::byte> out, const std::string& file);

} // namespace voxelscribe::io
