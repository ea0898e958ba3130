#include "core/io/units.h"

#include "core/base/text.h"

#include <array>
#include <utility>

namespace voxelscribe::io {

std::optional<double> micrometresIn(const std::string& unit)
{
    // Both code points of the micro sign: U+00B5 and the Greek letter U+03BC.
    constexpr std::array<std::pair<const char*, double>, 32> kUnits{{
        {"um", 1}, {"\u00b5m", 1}, {"\u03bcm", 1}, {"micron", 1}, {"microns", 1}, {"micrometer", 1}, {"micrometers", 1}, {"micrometre", 1}, {"micrometres", 1},
        {"nm", 1e-3}, {"nanometer", 1e-3}, {"nanometers", 1e-3}, {"nanometre", 1e-3}, {"nanometres", 1e-3},
        {"pm", 1e-6}, {"picometer", 1e-6}, {"angstrom", 1e-4}, {"angstroms", 1e-4}, {"\u00c5", 1e-4}, {"a", 1e-4},
        {"mm", 1e3}, {"millimeter", 1e3}, {"millimeters", 1e3}, {"millimetre", 1e3}, {"millimetres", 1e3},
        {"cm", 1e4}, {"centimeter", 1e4}, {"centimetre", 1e4}, {"m", 1e6}, {"meter", 1e6}, {"metre", 1e6}, {"inch", 25400}}};
    const std::string lower = lowerCase(unit);
    for (const auto& [name, factor] : kUnits)
        if (lower == name)
            return factor;
    return std::nullopt;
}

} // namespace voxelscribe::io
