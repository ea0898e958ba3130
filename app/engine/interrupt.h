#pragma once

namespace voxelscribe::engine {

/// From now on Ctrl+C, SIGTERM and a closed terminal ask the running command to stop cleanly; a second Ctrl+C a second later
/// ends the program at once. A reader that goes away (SIGPIPE) does not end a job whose files are still being written.
void installInterruptHandlers();
/// Whether somebody asked to stop.
bool interrupted();

} // namespace voxelscribe::engine
