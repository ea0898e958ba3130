#pragma once

namespace voxelscribe::engine {

constexpr int kExitGood = 0;
constexpr int kExitFailed = 1;      ///< also a missing or unreadable input
constexpr int kExitUsage = 2;
constexpr int kExitCancelled = 130; ///< what a shell reports after Ctrl+C

} // namespace voxelscribe::engine
