#pragma once

#include "core/io/writer.h"

#include <filesystem>
#include <memory>

namespace voxelscribe::io {

/// The .zattrs of a result: what `flatAttributes` gives and, for masks, OME-NGFF's image-label with colours and names.
nlohmann::json zarrAttributes(const WriteSpec& spec);
/// Writes an OME-NGFF 0.4 group; its tiles are compressed side by side. @throws Error(io).
std::unique_ptr<VolumeWriter> createZarrWriter(const std::filesystem::path& path, const WriteSpec& spec);

} // namespace voxelscribe::io
