#include "app/engine/thread_waits.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace voxelscribe::engine {

void keepWaitingThreadsFromSpinning(int argc, char** argv)
{
    if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr)
        return;
    ::setenv("GOMP_SPINCOUNT", "1000", 1);
    constexpr std::array<std::string_view, 3> kComputing{"train", "predict", "selftest"};
    if (argc > 1 && std::find(kComputing.begin(), kComputing.end(), argv[1]) != kComputing.end())
        ::execv("/proc/self/exe", argv); // returns only if it fails; then the threads spin
}

} // namespace voxelscribe::engine
