#include "core/model/class_info.h"

#include "core/base/error.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace voxelscribe {

Rgb defaultClassColour(std::uint16_t id)
{
    // Okabe & Ito's palette (black and the yellow that vanishes on white replaced), then hues a golden angle apart.
    constexpr std::array<Rgb, 8> kPalette{0xe69f00, 0x56b4e9, 0x009e73, 0xd55e00, 0xcc79a7, 0x0072b2, 0xf0e442, 0x9b7fe6};
    if (id >= 1 && id <= kPalette.size())
        return kPalette[id - 1U];
    const unsigned hue = (id * 222U) % 360U;
    const auto channel = [hue](unsigned shift) {
        const unsigned at = (hue + shift) % 360U;
        const unsigned distance = at > 180U ? 360U - at : at;
        return 70U + (distance > 120U ? 0U : (120U - distance) * 160U / 120U);
    };
    return channel(0) << 16U | channel(240) << 8U | channel(120);
}

std::string colourText(Rgb colour)
{
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "#%06x", colour & 0xffffffU);
    return text.data();
}

Rgb colourFromText(const std::string& text)
{
    Rgb colour = 0;
    const char* end = text.data() + text.size();
    if (text.size() == 7 && text.front() == '#')
        if (const auto [at, fault] = std::from_chars(text.data() + 1, end, colour, 16); fault == std::errc{} && at == end)
            return colour;
    throw Error(ErrorCode::format, "\"" + text + "\" is not a colour: expected #rrggbb, for example #e69f00");
}

void to_json(nlohmann::json& json, const ClassInfo& info)
{
    json = {{"id", info.id}, {"name", info.name}, {"color", colourText(info.colour)},
            {"visible", info.visible}, {"locked", info.locked}};
}

void from_json(const nlohmann::json& json, ClassInfo& info)
{
    info.id = json.at("id").get<std::uint16_t>();
    info.name = json.value("name", "class " + std::to_string(info.id));
    info.colour = json.contains("color") ? colourFromText(json.at("color").get<std::string>()) : defaultClassColour(info.id);
    info.visible = json.value("visible", true);
    info.locked = json.value("locked", false);
}

} // namespace voxelscribe
