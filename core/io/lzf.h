#pragma once

#include <cstddef>
#include <span>

namespace voxelscribe::io {

/// Expands a block of LibLZF (http://oldhome.schmorp.de/marc/liblzf.html), h5py's own compression.
/// False unless it fills `out` exactly.
bool lzfDecode(std::span<const std::byte> in, std::span<std::byte> out);

} // namespace voxelscribe::io
