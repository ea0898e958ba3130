#pragma once

namespace voxelscribe {

/// Makes the files under ":/icons" known to Qt. May be called again.
void registerResources();

} // namespace voxelscribe
