#pragma once

#include <hdf5.h>
#include <string>

namespace voxelscribe::io {

/// Makes bitshuffle (32008, with LZ4 or Zstandard) and Zstandard (32015) readable where no plugin does. Under the HDF5 lock.
void registerHdf5Filters();
/// "LZ4 (filter 32004)".
std::string hdf5FilterName(H5Z_filter_t filter);
/// The first filter that the data set needs and this machine lacks, as advice in words; empty where all are there.
std::string missingHdf5Filter(hid_t creationProperties);

} // namespace voxelscribe::io
