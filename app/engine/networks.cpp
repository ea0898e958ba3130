#include "app/engine/networks.h"

#include "core/base/error.h"

#include <omp.h>

namespace voxelscribe::engine {

nn::Backend& networks(const CommonOptions& common)
{
    if (common.device.starts_with("cuda"))
        throw Error(ErrorCode::device, "the device " + common.device + " is not available: this build computes on the processor; leave --device out or say cpu");
    nn::Backend& backend = nn::loadBackend();
    backend.setThreads(common.threads > 0 ? common.threads : omp_get_num_procs());
    return backend;
}

} // namespace voxelscribe::engine
