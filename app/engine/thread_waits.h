#pragma once

namespace voxelscribe::engine {

/// Lets OpenMP threads that wait for each other sleep soon instead of spinning: on a machine that does anything else, a spinning thread
/// keeps the one it waits for from running, and training takes ten times as long (measured: 135 s instead of 15 s).
/// OpenMP's run-time library reads this from the environment while it is loaded, so the commands that compute start the program once more
/// in place (same process); `serve` hands it to its jobs. Does nothing where the environment says how to wait.
void keepWaitingThreadsFromSpinning(int argc, char** argv);

} // namespace voxelscribe::engine
