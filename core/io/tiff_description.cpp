#include "core/io/tiff_description.h"

#include "core/base/text.h"
#include "core/io/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace voxelscribe::io {

namespace {

std::optional<double> numberOf(std::string_view text)
{
    double value = 0;
    while (!text.empty() && (text.front() == ' ' || text.front() == '+'))
        text.remove_prefix(1);
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc{} || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::int64_t countOf(std::string_view text)
{
    const double value = numberOf(text).value_or(0);
    return value >= 1 && value < 1e12 ? static_cast<std::int64_t>(value) : 1;
}

std::optional<double> positive(std::optional<double> value)
{
    return value && *value > 0 ? value : std::nullopt;
}

void parseJson(std::string_view text, TiffDescription& description)
{
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object())
        return;
    if (const auto size = json.find("voxel_size"); size != json.end() && size->is_array() && size->size() == 3) {
        const std::array<std::optional<double>*, 3> axes{&description.zUm, &description.yUm, &description.xUm};
        const auto unit = tiffUnitInUm(json.value("unit", "um"));
        for (std::size_t i = 0; i < axes.size() && unit; ++i)
            if ((*size)[i].is_number())
                *axes[i] = positive((*size)[i].get<double>() * *unit);
    }
    const auto shape = json.find("shape"); // tifffile, with all planes behind the only directory
    if (shape == json.end() || !shape->is_array() || !json.contains("truncated") || json["truncated"] != true)
        return;
    double planes = 1;
    for (std::size_t i = 0; i + 2 < shape->size(); ++i)
        planes *= (*shape)[i].is_number() ? (*shape)[i].get<double>() : 0;
    if (planes >= 1 && planes < 1e12) {
        description.images = static_cast<std::int64_t>(planes);
        description.contiguous = true;
    }
}

/// c0 + c1·stored, which ImageJ shows instead of the stored value.
std::string calibrationText(std::optional<double> c0, std::optional<double> c1)
{
    if (!c0 || !c1 || (*c0 == 0 && *c1 == 1))
        return {};
    return "value = " + nlohmann::json(*c0).dump() + " + " + nlohmann::json(*c1).dump() + " × stored";
}

void parseImageJ(std::string_view text, TiffDescription& description)
{
    description.imageJ = true;
    std::optional<double> c0;
    std::optional<double> c1;
    for (const std::string& line : split(text, '\n')) {
        if (line.starts_with("{"))
            parseJson(line, description);
        const std::size_t equals = line.find('=');
        if (equals == std::string::npos)
            continue;
        const std::string_view key = std::string_view(line).substr(0, equals);
        const std::string_view value = std::string_view(line).substr(equals + 1);
        if (key == "images")
            description.images = countOf(value);
        else if (key == "channels")
            description.channels = countOf(value);
        else if (key == "slices")
            description.slices = countOf(value);
        else if (key == "frames")
            description.frames = countOf(value);
        else if (key == "unit")
            description.unitUm = tiffUnitInUm(value);
        else if (key == "spacing")
            description.spacing = std::abs(numberOf(value).value_or(1));
        else if (key == "c0")
            c0 = numberOf(value);
        else if (key == "c1")
            c1 = numberOf(value);
    }
    description.calibration = calibrationText(c0, c1);
    description.contiguous = description.images > 1;
}

/// Value of NAME="…" in an XML element.
std::optional<std::string_view> attribute(std::string_view element, std::string_view name)
{
    for (std::size_t at = 0; (at = element.find(name, at)) != std::string_view::npos; at += name.size()) {
        const std::size_t quote = at + name.size() + 1;
        const bool whole = at > 0 && static_cast<unsigned char>(element[at - 1]) <= ' ';
        if (!whole || quote >= element.size() || element[quote - 1] != '=' || (element[quote] != '"' && element[quote] != '\''))
            continue;
        const std::size_t end = element.find(element[quote], quote + 1);
        return element.substr(quote + 1, end == std::string_view::npos ? end : end - quote - 1);
    }
    return std::nullopt;
}

/// The first Pixels element of OME-XML (https://docs.openmicroscopy.org/ome-model/latest/).
void parseOme(std::string_view text, TiffDescription& description)
{
    std::size_t from = text.find("<Pixels ");
    if (from == std::string_view::npos)
        from = text.find(":Pixels ");
    if (from == std::string_view::npos)
        return;
    description.ome = true;
    const std::string_view pixels = text.substr(from, text.find('>', from) - from);
    const auto size = [&](const std::string& axis) {
        const auto value = positive(numberOf(attribute(pixels, "PhysicalSize" + axis).value_or("")));
        const auto unit = attribute(pixels, "PhysicalSize" + axis + "Unit");
        const auto factor = unit ? tiffUnitInUm(*unit) : std::optional<double>(1.0);
        return value && factor ? std::optional<double>(*value * *factor) : std::nullopt;
    };
    description.xUm = size("X");
    description.yUm = size("Y");
    description.zUm = size("Z");
    description.channels = countOf(attribute(pixels, "SizeC").value_or("1"));
    description.slices = countOf(attribute(pixels, "SizeZ").value_or("1"));
    description.frames = countOf(attribute(pixels, "SizeT").value_or("1"));
    const std::string order = lowerCase(attribute(pixels, "DimensionOrder").value_or("XYCZT"));
    if (order.size() == 5 && order.starts_with("xy"))
        description.order = order.substr(2);
}

} // namespace

std::optional<double> tiffUnitInUm(std::string_view unit)
{
    std::string name(unit);
    while (!name.empty() && (name.back() == ' ' || name.back() == '\r' || name.back() == '\0'))
        name.pop_back();
    // ImageJ writes the micro sign as Latin-1 or escaped, XML as a reference
    for (const std::string_view micro : {"\\u00B5", "\\u00b5", "\xb5", "&#181;", "&#xB5;", "&#xb5;"})
        if (name.starts_with(micro))
            name.replace(0, micro.size(), "u");
    return name == "in" ? micrometresIn("inch") : micrometresIn(name);
}

TiffDescription parseTiffDescription(std::string_view text)
{
    TiffDescription description;
    if (text.starts_with("ImageJ="))
        parseImageJ(text, description);
    else if (text.starts_with("{"))
        parseJson(text, description);
    else if (text.find("<OME") != std::string_view::npos || text.find("Pixels ") != std::string_view::npos)
        parseOme(text, description);
    return description;
}

} // namespace voxelscribe::io
