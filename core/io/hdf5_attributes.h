#pragma once

#include "core/io/hdf5_support.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace voxelscribe::io {

/// Attributes of an HDF5 object; all under the lock. What is absent or of another kind is nothing.
std::optional<std::string> hdf5Text(hid_t object, const char* name);
std::vector<std::string> hdf5Texts(hid_t object, const char* name);
std::vector<double> hdf5Numbers(hid_t object, const char* name);
/// All attributes that are texts or numbers: single ones as values, lists as arrays.
nlohmann::json hdf5Attributes(hid_t object);

/// Writes one attribute: a text, a number, or a list of either. @throws Error for any other.
void writeHdf5Attribute(hid_t object, const std::string& name, const nlohmann::json& value);

} // namespace voxelscribe::io
