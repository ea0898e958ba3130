#pragma once

#include "core/io/hdf5_support.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace voxelscribe::io {

/// The data sets of a file, each once, under the name by which it was first met.
struct Hdf5Tree {
    std::vector<std::string> datasets;       ///< full names, groups in natural order
    std::vector<std::string> warnings;       ///< links that lead nowhere
    bool isNexus = false;
};

/// Walks all groups and follows soft and external links (relative to the file), never into a cycle. Under the lock.
/// `first` is met before all others.
Hdf5Tree walkHdf5(hid_t file, const std::optional<std::string>& first);
/// The first data set that `isImage` among those that a NeXus file names for plotting: default → default → signal
/// (https://manual.nexusformat.org/datarules.html#version-3); nothing where there is none. Under the lock.
std::optional<std::string> nexusDefault(hid_t file, const std::function<bool(const std::string&)>& isImage);
/// "/a/b" + "c" → "/a/b/c".
std::string hdf5Join(const std::string& group, const std::string& name);
/// Whether the object exists behind all links of its name.
bool hdf5Exists(hid_t file, const std::string& name);

} // namespace voxelscribe::io
