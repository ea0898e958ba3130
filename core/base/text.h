#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace voxelscribe {

/// Orders names as people do: numbers inside them by value ("s9" before "s10"), the rest by bytes.
bool naturalLess(std::string_view a, std::string_view b);
std::vector<std::string> split(std::string_view text, char separator);
std::string lowerCase(std::string_view text);
/// "1 slice", "3 slices".
std::string counted(long long count, std::string_view singular, std::string_view plural);

} // namespace voxelscribe
