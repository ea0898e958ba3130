#include "core/io/mask_metadata.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/hdf5_volume.h"
#include "core/io/tiff_file.h"
#include "core/io/tiff_reader.h"
#include "core/io/units.h"
#include "core/io/zarr_volume.h"

#include <algorithm>
#include <array>

namespace voxelscribe::io {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// Attributes that belong to a format, or are written anew from what they mean.
constexpr std::array<std::string_view, 22> kOwn{"class_ids", "class_names", "class_colors", "voxel_size", "unit", "multiscales", "image-label",
    "omero", "labels", "complete", "signal", "axes", "target", "interpretation", "NX_class", "default", "units", "long_name",
    "element_size_um", "CLASS", "shape", "truncated"};

/// The line of JSON in the description of a TIFF's first page.
json tiffAttributes(const fs::path& file)
{
    const TiffFile tiff(file);
    const std::optional<TiffPage> page = tiff.readPage(tiff.firstDirectory());
    if (!page)
        return json::object();
    for (const std::string& line : split(tiff.text(page->description), '\n')) {
        const std::size_t from = line.find_first_not_of(" \r\t");
        if (from == std::string::npos || line[from] != '{')
            continue;
        json value = json::parse(line.substr(from), nullptr, false);
        if (value.is_object())
            return value;
    }
    return json::object();
}

fs::path firstTiffIn(const fs::path& folder)
{
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (const std::string name = entry.path().filename().string(); !name.starts_with('.') && entry.is_regular_file() && isTiffFile(entry.path()))
            names.push_back(name);
    const auto first = std::min_element(names.begin(), names.end(), naturalLess);
    return first != names.end() ? folder / *first : fs::path();
}

json attributesOf(const Source& source)
{
    if (isZarr(source.path))
        return zarrAttributesOf(source.path, source.dataset);
    if (fs::is_directory(source.path)) {
        const fs::path first = firstTiffIn(source.path);
        return first.empty() ? json::object() : tiffAttributes(first);
    }
    if (isTiffFile(source.path))
        return tiffAttributes(source.path);
    return isHdf5File(source.path) ? hdf5AttributesOf(source.path, source.dataset) : json::object();
}

template <typename T>
std::vector<T> listOf(const json& flat, const char* key, bool (json::*is)() const)
{
    json list = flat.value(key, json::array());
    if (!list.is_array()) // HDF5 readers and writers make a single value of a list of one
        list = json::array({list});
    return std::all_of(list.begin(), list.end(), [&](const json& entry) { return (entry.*is)(); }) ? list.get<std::vector<T>>() : std::vector<T>{};
}

bool isText(const json& value)
{
    return value.is_string() || value.is_number();
}

} // namespace

json flatAttributes(const WriteSpec& spec)
{
    json flat = spec.attributes.is_object() ? spec.attributes : json::object();
    if (!spec.classes.empty()) {
        flat["class_ids"] = json::array();
        flat["class_names"] = json::array();
        flat["class_colors"] = json::array();
        for (const ClassInfo& info : spec.classes) {
            flat["class_ids"].push_back(info.id);
            flat["class_names"].push_back(info.name);
            flat["class_colors"].push_back(colourText(info.colour));
        }
    }
    if (spec.voxelSizeUm) {
        flat["voxel_size"] = {spec.voxelSizeUm->z, spec.voxelSizeUm->y, spec.voxelSizeUm->x};
        flat["unit"] = "um";
    }
    return flat;
}

MaskMetadata metadataFrom(const json& flat)
{
    MaskMetadata metadata;
    const auto ids = listOf<std::int64_t>(flat, "class_ids", &json::is_number_integer);
    const auto names = listOf<std::string>(flat, "class_names", &json::is_string);
    const auto colours = listOf<std::string>(flat, "class_colors", &json::is_string);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] < 1 || ids[i] > 65535)
            continue;
        const auto id = static_cast<std::uint16_t>(ids[i]);
        ClassInfo info{id, "class " + std::to_string(id), defaultClassColour(id)};
        if (names.size() == ids.size())
            info.name = names[i];
        if (colours.size() == ids.size())
            info.colour = colourFromText(colours[i]);
        metadata.classes.push_back(std::move(info));
    }
    const json size = flat.value("voxel_size", json::array());
    const auto unit = micrometresIn(flat.contains("unit") && flat["unit"].is_string() ? flat["unit"].get<std::string>() : "um");
    if (unit && size.is_array() && size.size() == 3 && std::all_of(size.begin(), size.end(), [](const json& edge) { return edge.is_number() && edge.get<double>() > 0; }))
        metadata.voxelSizeUm = VoxelSizeUm{size[0].get<double>() * *unit, size[1].get<double>() * *unit, size[2].get<double>() * *unit};
    for (const auto& [key, value] : flat.items())
        if (isText(value) && std::find(kOwn.begin(), kOwn.end(), key) == kOwn.end())
            metadata.attributes[key] = value;
    return metadata;
}

MaskMetadata readMaskMetadata(const Source& source)
{
    MaskMetadata metadata = metadataFrom(attributesOf(source));
    if (const auto size = open(source)->info().voxelSizeUm)
        metadata.voxelSizeUm = size;
    return metadata;
}

} // namespace voxelscribe::io
