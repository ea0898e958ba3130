#pragma once

#include <filesystem>
#include <hdf5.h>
#include <string>
#include <vector>

namespace voxelscribe::io {

/// The files that a virtual data set is made of; total 0 for any other data set.
struct VirtualSources {
    std::size_t total = 0;
    std::vector<std::string> missing;   ///< "FILE::/data/set"

    /// Names some of the missing ones; empty where none is.
    std::string advice() const;
};

/// Looks for each source as HDF5 does: by its name, and beside `path`. Under the lock.
VirtualSources virtualSources(hid_t creationProperties, const std::filesystem::path& path);

} // namespace voxelscribe::io
