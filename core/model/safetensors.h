#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace voxelscribe {

/// One array of a safetensors file (https://github.com/huggingface/safetensors): little-endian, C order.
struct TensorData {
    std::string dtype;                ///< "F32", "F64", "I64", …
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;
};

/// A safetensors file in memory.
struct Safetensors {
    std::map<std::string, std::string> metadata;
    std::map<std::string, TensorData> tensors;
};

/// @throws Error(io), or Error(model) for a truncated or contradictory file, naming the field; never allocates beyond the file's size.
Safetensors readSafetensors(const std::filesystem::path& path);
/// The metadata alone; reads only the header.
std::map<std::string, std::string> readSafetensorsMetadata(const std::filesystem::path& path);
/// Atomically. @throws Error(io).
void writeSafetensors(const std::filesystem::path& path, const Safetensors& content);

} // namespace voxelscribe
