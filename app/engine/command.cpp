#include "app/engine/command.h"

#include "core/link/messages.h"

namespace voxelscribe::engine {

using nlohmann::json;

std::string Command::text(const json& result) const
{
    std::string lines;
    for (const auto& [key, value] : result.items()) {
        std::string shown = value.is_string() ? value.get<std::string>() + "\n" : link::toLine(value);
        lines += key + ": " + shown;
    }
    return lines;
}

} // namespace voxelscribe::engine
