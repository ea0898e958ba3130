#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace voxelscribe {

/// A colour as 0xRRGGBB.
using Rgb = std::uint32_t;

/// A class of voxels. `id` (from 1) is the value in annotations, masks and exports and never changes.
struct ClassInfo {
    std::uint16_t id = 0;
    std::string name;
    Rgb colour = 0;
    bool visible = true;
    bool locked = false;
    bool operator==(const ClassInfo&) const = default;
};

/// The colour that class `id` gets where nobody chose one: a palette that stays apart for colour-blind eyes.
Rgb defaultClassColour(std::uint16_t id);
/// "#rrggbb".
std::string colourText(Rgb colour);
/// @throws Error(format).
Rgb colourFromText(const std::string& text);

void to_json(nlohmann::json& json, const ClassInfo& info);
void from_json(const nlohmann::json& json, ClassInfo& info);

} // namespace voxelscribe
