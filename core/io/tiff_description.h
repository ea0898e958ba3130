#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace voxelscribe::io {

/// What a page's ImageDescription says about the stack: ImageJ's "key=value" lines, OME-XML, the JSON of tifffile, or the
/// line of JSON that this program writes behind ImageJ's.
struct TiffDescription {
    bool imageJ = false;
    bool ome = false;
    bool contiguous = false;                ///< all planes follow the first page's data, whatever pages there are
    std::int64_t images = 0;                ///< planes declared; 0: not said
    std::int64_t channels = 1;
    std::int64_t slices = 1;
    std::int64_t frames = 1;
    std::string order = "czt";              ///< axes of the planes, fastest first
    std::optional<double> unitUm;           ///< ImageJ: micrometres of its unit
    double spacing = 1;                     ///< ImageJ: distance of slices in units
    std::optional<double> xUm;              ///< voxel size where it is said in full
    std::optional<double> yUm;
    std::optional<double> zUm;
    std::string calibration;                ///< ImageJ's grey value calibration that is not the identity: "c0=-32768 c1=1"
};

TiffDescription parseTiffDescription(std::string_view text);
/// Micrometres of a unit as TIFF programs spell it ("um", "micron", "\\u00B5m", "inch"…); nothing for "pixel" or an unknown one.
std::optional<double> tiffUnitInUm(std::string_view unit);

} // namespace voxelscribe::io
