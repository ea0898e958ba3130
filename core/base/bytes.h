#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace voxelscribe {

/// Bytes of "4GiB", "512 MB", "1073741824"… @throws Error(format) naming the text.
std::int64_t parseByteSize(std::string_view text);
/// "2.0 GiB".
std::string byteSizeText(std::int64_t bytes);

/// The kernel's high-water mark of this process's resident memory.
std::int64_t peakMemoryBytes();
/// Memory that a job may use where the user set no cap: half of what the machine has free.
std::int64_t defaultMemoryBudgetBytes();
/// Bytes free for this user on the file system that holds `path` or its nearest existing parent.
std::int64_t freeDiskBytes(const std::filesystem::path& path);
/// Throws Error(io) if fewer than `neededBytes` are free where `path` will lie.
void requireDiskSpace(const std::filesystem::path& path, std::int64_t neededBytes);

} // namespace voxelscribe
