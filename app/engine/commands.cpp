#include "app/engine/command.h"

#include <vector>

namespace voxelscribe::engine {

std::span<const CommandEntry> commands()
{
    static const std::vector<CommandEntry> kCommands{
    };
    return kCommands;
}

} // namespace voxelscribe::engine
