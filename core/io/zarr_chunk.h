#pragma once

#include "core/io/zarr_meta.h"

#include <filesystem>
#include <span>

namespace voxelscribe::io {

/// Reads one chunk file into `out`: meta.chunkSamples() samples in C order, native byte order, of meta.dtype.
/// False (and `out` the fill value) where there is no file, or one without bytes. @throws Error(io | format) naming the file.
bool readStoredChunk(const ZarrMeta& meta, const std::filesystem::path& file, std::span<std::byte> out);

} // namespace voxelscribe::io
