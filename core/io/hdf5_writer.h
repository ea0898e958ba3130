#pragma once

#include "core/io/writer.h"

#include <filesystem>
#include <memory>

namespace voxelscribe::io {

/// Writes one chunked data set (gzip and shuffle where `spec.compress`) as the signal of an NXdata group that the file names
/// as its default. @throws Error(io).
std::unique_ptr<VolumeWriter> createHdf5Writer(const std::filesystem::path& path, const WriteSpec& spec);

} // namespace voxelscribe::io
