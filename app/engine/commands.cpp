#include "app/engine/command.h"

#include <vector>

namespace voxelscribe::engine {

std::span<const CommandEntry> commands()
{
    static const std::vector<CommandEntry> kCommands{
        {"serve", "run jobs for the window, told by JSON lines on standard input", &makeServe},
    };
    return kCommands;
}

} // namespace voxelscribe::engine
