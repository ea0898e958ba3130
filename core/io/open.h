#pragma once

#include "core/volume/volume.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace voxelscribe::io {

/// What stands in a file or folder. arrays[0] is what opening without a name would choose.
struct Listing {
    std::filesystem::path path;
    std::string format;                   ///< "TIFF", "BigTIFF", "TIFF series", "HDF5", "NeXus", "Zarr"
    std::vector<VolumeInfo> arrays;
    std::vector<std::string> warnings;
};

/// A path as people give it: FILE, FOLDER or FILE::/data/set.
struct Source {
    std::filesystem::path path;
    std::string dataset;                  ///< empty: the default one
    static Source parse(const std::string& text);
    std::string text() const;
};

/// Recognises by content and lists the arrays without reading samples.
/// @throws Error(io) if it cannot be read, Error(format) if nothing in it is an image, saying what was found.
Listing list(const Source& source);
/// Opens one array lazily. @throws as `list`.
VolumePtr open(const Source& source);
/// All names of the series that the image file `member` belongs to, in natural order; one name if it stands alone.
std::vector<std::filesystem::path> seriesOf(const std::filesystem::path& member);
/// Opens the series that `member` belongs to (for the window, where a person picked one file).
VolumePtr openSeriesOf(const std::filesystem::path& member);

} // namespace voxelscribe::io
