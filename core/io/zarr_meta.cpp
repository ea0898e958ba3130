#include "core/io/zarr_meta.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/extent.h"

#include <cmath>
#include <cstring>
#include <cstdlib>
#include <limits>

namespace voxelscribe::io {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

[[noreturn]] void throwMeta(const fs::path& folder, const std::string& fault)
{
    throw Error(ErrorCode::format, (folder / ".zarray").string() + ": " + fault);
}

std::vector<std::int64_t> extents(const json& meta, const char* key, const fs::path& folder)
{
    const auto entry = meta.find(key);
    if (entry == meta.end() || !entry->is_array())
        throwMeta(folder, std::string("expected a list \"") + key + "\", found none; the array is damaged or not Zarr v2");
    std::vector<std::int64_t> values;
    for (const json& value : *entry) {
        if (!value.is_number_integer() || value.get<std::int64_t>() < 0)
            throwMeta(folder, std::string("\"") + key + "\" holds " + value.dump() + ", expected whole numbers");
        values.push_back(value.get<std::int64_t>());
    }
    return values;
}

void setDType(ZarrMeta& meta, const json& type, const fs::path& folder)
{
    const std::string text = type.is_string() ? type.get<std::string>() : type.dump();
    constexpr std::array<std::pair<const char*, DType>, 12> kTypes{{{"u1", DType::uint8}, {"b1", DType::uint8}, {"i1", DType::int8},
        {"u2", DType::uint16}, {"i2", DType::int16}, {"u4", DType::uint32}, {"i4", DType::int32}, {"u8", DType::uint64},
        {"i8", DType::int64}, {"f2", DType::float32}, {"f4", DType::float32}, {"f8", DType::float64}}};
    for (const auto& [name, dtype] : kTypes)
        if (text.size() == 3 && text.substr(1) == name && std::strchr("<>|", text.front()) != nullptr) {
            meta.dtype = dtype;
            meta.storedSize = static_cast<std::size_t>(text.back() - '0');
            meta.bigEndian = text.front() == '>';
            return;
        }
    throwMeta(folder, "samples of type \"" + text + "\"; expected integers, floats or booleans of 1 to 8 bytes; convert the array to one of those");
}

void setFill(ZarrMeta& meta, const json& value)
{
    double number = 0;
    if (value.is_boolean())
        number = value.get<bool>() ? 1 : 0;
    else if (value == "NaN")
        number = std::numeric_limits<double>::quiet_NaN();
    else if (value == "Infinity" || value == "-Infinity")
        number = value == "Infinity" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
    else if (value.is_string()) // some writers put a number into quotes
        number = std::strtod(value.get<std::string>().c_str(), nullptr);
    else if (value.is_number())
        number = value.get<double>();
    visitDType(meta.dtype, [&](auto sample) {
        using T = decltype(sample);
        if (value.is_number())
            sample = value.get<T>();
        else if (std::is_floating_point_v<T> || std::isfinite(number))
            sample = static_cast<T>(number);
        std::memcpy(meta.fill.data(), &sample, sizeof sample);
    });
}

/// Old writers nested chunk files without saying so: then the first index is a folder.
bool hasNestedChunks(const fs::path& folder)
{
    std::error_code ignored; // an unreadable folder shows itself when a chunk is read
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") == std::string::npos && entry.is_directory(ignored))
            return true;
        if (!name.starts_with('.'))
            return false;
    }
    return false;
}

void requireSupported(const json& meta, const fs::path& folder)
{
    if (meta.value("zarr_format", 0) != 2)
        throwMeta(folder, "\"zarr_format\" is " + meta.value("zarr_format", json()).dump() + ", expected 2; write the array as Zarr v2");
    if (const auto filters = meta.find("filters"); filters != meta.end() && filters->is_array() && !filters->empty())
        throwMeta(folder, "the array uses the filters " + filters->dump() + ", which this program does not know; write it without filters");
}

} // namespace

std::int64_t ZarrMeta::chunkSamples() const
{
    std::int64_t samples = 1;
    for (const std::int64_t extent : chunks)
        samples = checkedProduct(samples, extent, "Zarr chunk");
    return samples;
}

std::int64_t ZarrMeta::gridExtent(std::size_t axis) const
{
    return (shape[axis] + chunks[axis] - 1) / chunks[axis];
}

std::string ZarrMeta::chunkKey(std::span<const std::int64_t> index) const
{
    std::string key;
    for (const std::int64_t at : index)
        key += (key.empty() ? "" : separator) + std::to_string(at);
    return key;
}

json readZarrJson(const fs::path& file)
{
    json value = json::parse(readTextFile(file), nullptr, false);
    if (!value.is_object())
        throw Error(ErrorCode::format, file.string() + ": expected a JSON object, found something else; the Zarr folder is damaged");
    return value;
}

ZarrMeta readZarrMeta(const fs::path& folder)
{
    const json stored = readZarrJson(folder / ".zarray");
    requireSupported(stored, folder);
    ZarrMeta meta;
    meta.shape = extents(stored, "shape", folder);
    meta.chunks = extents(stored, "chunks", folder);
    if (meta.chunks.size() != meta.shape.size())
        throwMeta(folder, "\"shape\" has " + std::to_string(meta.shape.size()) + " axes, \"chunks\" " + std::to_string(meta.chunks.size()));
    for (const std::int64_t chunk : meta.chunks)
        if (chunk < 1)
            throwMeta(folder, "a chunk is " + std::to_string(chunk) + " samples long, expected at least 1");
    setDType(meta, stored.value("dtype", json()), folder);
    meta.fortranOrder = stored.value("order", json("C")) == "F";
    meta.compressor = stored.value("compressor", json());
    setFill(meta, stored.value("fill_value", json()));
    const json separator = stored.value("dimension_separator", json());
    meta.separator = separator == "/" || (separator.is_null() && meta.shape.size() > 1 && hasNestedChunks(folder)) ? "/" : ".";
    checkedProduct(meta.chunkSamples(), 8, "Zarr chunk");
    return meta;
}

std::string zarrMetaText(const ZarrMeta& meta)
{
    const std::string name(dtypeName(meta.dtype));
    const std::size_t size = dtypeSize(meta.dtype);
    const json stored = {{"zarr_format", 2}, {"shape", meta.shape}, {"chunks", meta.chunks},
                         {"dtype", (size == 1 ? "|" : "<") + name.substr(0, 1) + std::to_string(size)}, {"order", "C"},
                         {"compressor", meta.compressor}, {"fill_value", 0}, {"filters", nullptr},
                         {"dimension_separator", meta.separator}};
    return stored.dump(1) + "\n";
}

} // namespace voxelscribe::io
