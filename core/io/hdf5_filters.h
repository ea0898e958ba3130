#pragma once

#include <hdf5.h>
#include <string>

namespace voxelscribe::io {

/// Makes LZF (32000), bitshuffle (32008, also with LZ4 or Zstandard) and Zstandard (32015) readable: Debian has no plugin for the
/// last two, and the one for the first does not load. Under the HDF5 lock.
void registerHdf5Filters();
/// "LZ4 (filter 32004)".
std::string hdf5FilterName(H5Z_filter_t filter);
/// The first filter that the data set needs and this machine lacks, as advice in words; empty where all are there.
std::string missingHdf5Filter(hid_t creationProperties);

} // namespace voxelscribe::io
