#pragma once

#include <optional>
#include <string>

namespace voxelscribe::io {

/// Micrometres in one `unit` ("um", "µm", "micrometer", "nm", "mm", "m", "angstrom"…); nothing for what is no length.
std::optional<double> micrometresIn(const std::string& unit);

} // namespace voxelscribe::io
