#include "app/engine/interrupt.h"

#include "app/engine/exit_status.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <unistd.h>

namespace voxelscribe::engine {

namespace {

std::atomic<std::int64_t> firstInterruptMs{0}; // lock-free, so a signal handler may touch it
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

void onInterrupt(int)
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const std::int64_t ms = std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000 + 1;
    std::int64_t first = 0;
    if (!firstInterruptMs.compare_exchange_strong(first, ms) && ms - first > 1000)
        _exit(kExitCancelled); // a terminal and a wrapper may both pass on one Ctrl+C, so a quick second one does not count
}

void handle(int signal)
{
    struct sigaction action {};
    action.sa_handler = onInterrupt;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

} // namespace

void installInterruptHandlers()
{
    std::signal(SIGPIPE, SIG_IGN);
    handle(SIGINT);
    handle(SIGTERM);
    struct sigaction hangUp {};
    sigaction(SIGHUP, nullptr, &hangUp);
    if (hangUp.sa_handler != SIG_IGN) // nohup ignores it on purpose
        handle(SIGHUP);
}

bool interrupted()
{
    return firstInterruptMs != 0;
}

} // namespace voxelscribe::engine
