#include "core/model/safetensors.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/extent.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

namespace voxelscribe {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian; this program writes memory as it is");

/// What the format's reference reader accepts.
constexpr std::int64_t kMaximumHeader = 100'000'000;
constexpr const char* kMetadata = "__metadata__";

struct Entry {
    std::string name;
    TensorData data;                  ///< without bytes
    std::int64_t begin = 0;           ///< in the data section
    std::int64_t end = 0;
};

struct Header {
    std::map<std::string, std::string> metadata;
    std::vector<Entry> entries;       ///< by position in the file
    std::int64_t dataStart = 0;
    std::int64_t dataBytes = 0;
};

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what)
{
    throw Error(ErrorCode::model, path.string() + " is not a sound model file (safetensors): " + what + "; choose another model, or copy or transfer it again");
}

std::int64_t elementBytes(const std::string& dtype)
{
    constexpr std::array<std::pair<const char*, int>, 15> kSizes{{{"BOOL", 1}, {"U8", 1}, {"I8", 1}, {"F8_E5M2", 1}, {"F8_E4M3", 1},
        {"I16", 2}, {"U16", 2}, {"F16", 2}, {"BF16", 2}, {"I32", 4}, {"U32", 4}, {"F32", 4}, {"I64", 8}, {"U64", 8}, {"F64", 8}}};
    for (const auto& [name, bytes] : kSizes)
        if (dtype == name)
            return bytes;
    return 0;
}

/// Bytes that dtype and shape ask for; -1 if they make no sense.
std::int64_t wantedBytes(const TensorData& tensor)
{
    std::int64_t bytes = elementBytes(tensor.dtype);
    if (bytes == 0)
        return -1;
    for (const std::int64_t edge : tensor.shape)
        if (edge < 0 || __builtin_mul_overflow(bytes, edge, &bytes))
            return -1;
    return bytes;
}

Entry parseEntry(const std::filesystem::path& path, const std::string& name, const nlohmann::json& json)
{
    Entry entry{name, {}, 0, 0};
    try {
        entry.data.dtype = json.at("dtype").get<std::string>();
        for (const auto& edge : json.at("shape"))
            entry.data.shape.push_back(edge.is_number_integer() ? edge.get<std::int64_t>() : -1);
        const auto& offsets = json.at("data_offsets");
        if (offsets.size() != 2 || !offsets[0].is_number_integer() || !offsets[1].is_number_integer())
            refuse(path, "data_offsets of \"" + name + "\" are not two whole numbers");
        entry.begin = offsets[0].get<std::int64_t>();
        entry.end = offsets[1].get<std::int64_t>();
    } catch (const nlohmann::json::exception&) {
        refuse(path, "the entry \"" + name + "\" lacks dtype, shape or data_offsets");
    }
    const std::int64_t wanted = wantedBytes(entry.data);
    if (wanted < 0)
        refuse(path, "dtype or shape of \"" + name + "\" is unknown or impossible (dtype " + entry.data.dtype + ")");
    if (entry.begin < 0 || entry.end < entry.begin || entry.end - entry.begin != wanted)
        refuse(path, "data_offsets of \"" + name + "\" span " + std::to_string(entry.end - entry.begin) + " bytes, dtype and shape need "
                         + std::to_string(wanted));
    return entry;
}

std::map<std::string, std::string> parseMetadata(const std::filesystem::path& path, const nlohmann::json& json)
{
    std::map<std::string, std::string> metadata;
    if (!json.is_object())
        refuse(path, "__metadata__ is not an object");
    for (const auto& [key, value] : json.items()) {
        if (!value.is_string())
            refuse(path, "__metadata__ \"" + key + "\" is not text");
        metadata[key] = value.get<std::string>();
    }
    return metadata;
}

/// The format allows neither overlaps nor holes, so that nothing can hide in a file.
void requireSeamless(const std::filesystem::path& path, const Header& header)
{
    std::int64_t at = 0;
    for (const Entry& entry : header.entries) {
        if (entry.end > header.dataBytes)
            refuse(path, "\"" + entry.name + "\" ends at byte " + std::to_string(entry.end) + " of the data, the file has "
                             + std::to_string(header.dataBytes) + "; it is truncated: copy or train it again");
        if (entry.begin != at)
            refuse(path, "\"" + entry.name + "\" begins at byte " + std::to_string(entry.begin) + ", expected " + std::to_string(at));
        at = entry.end;
    }
    if (at != header.dataBytes)
        refuse(path, std::to_string(header.dataBytes - at) + " bytes at its end belong to no array");
}

Header readHeader(const std::filesystem::path& path, std::ifstream& file)
{
    std::error_code fault;
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path, fault));
    if (fault || !file)
        throwSystemError("cannot read the model", path.string(), fault ? fault.value() : errno);
    std::uint64_t length = 0;
    if (size < 8 || !file.read(reinterpret_cast<char*>(&length), 8))
        refuse(path, "it has " + std::to_string(size) + " bytes");
    if (length > static_cast<std::uint64_t>(std::min(size - 8, kMaximumHeader)))
        refuse(path, "its header should have " + std::to_string(length) + " bytes, the file has " + std::to_string(size));
    std::string text(static_cast<std::size_t>(length), '\0');
    if (!file.read(text.data(), static_cast<std::streamsize>(length)))
        throwSystemError("cannot read the model", path.string(), errno);
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object())
        refuse(path, "its header is not JSON");

    Header header;
    header.dataStart = 8 + static_cast<std::int64_t>(length);
    header.dataBytes = size - header.dataStart;
    for (const auto& [name, value] : json.items())
        if (name == kMetadata)
            header.metadata = parseMetadata(path, value);
        else
            header.entries.push_back(parseEntry(path, name, value));
    std::ranges::sort(header.entries, [](const Entry& a, const Entry& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
    requireSeamless(path, header);
    return header;
}

} // namespace

Safetensors readSafetensors(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    Header header = readHeader(path, file);
    Safetensors content;
    content.metadata = std::move(header.metadata);
    for (Entry& entry : header.entries) {
        entry.data.bytes.resize(static_cast<std::size_t>(entry.end - entry.begin));
        if (!file.read(reinterpret_cast<char*>(entry.data.bytes.data()), static_cast<std::streamsize>(entry.data.bytes.size())))
            throwSystemError("cannot read the model", path.string(), errno);
        content.tensors.emplace(std::move(entry.name), std::move(entry.data));
    }
    return content;
}

std::map<std::string, std::string> readSafetensorsMetadata(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return readHeader(path, file).metadata;
}

void writeSafetensors(const std::filesystem::path& path, const Safetensors& content)
{
    nlohmann::json header = nlohmann::json::object();
    if (!content.metadata.empty())
        header[kMetadata] = content.metadata;
    std::int64_t at = 0;
    for (const auto& [name, tensor] : content.tensors) {
        const auto bytes = static_cast<std::int64_t>(tensor.bytes.size());
        if (wantedBytes(tensor) != bytes)
            throw Error(ErrorCode::model, path.string() + ": the array \"" + name + "\" has " + std::to_string(bytes)
                                              + " bytes, which do not fit its shape and dtype " + tensor.dtype);
        header[name] = {{"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {at, at + bytes}}};
        at += bytes;
    }
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' '); // arrays begin at multiples of eight bytes

    std::vector<std::byte> file(8 + text.size() + static_cast<std::size_t>(at));
    const std::uint64_t length = text.size();
    std::memcpy(file.data(), &length, 8);
    std::memcpy(file.data() + 8, text.data(), text.size());
    std::byte* to = file.data() + 8 + text.size();
    for (const auto& [name, tensor] : content.tensors) {
        std::ranges::copy(tensor.bytes, to);
        to += tensor.bytes.size();
    }
    writeFileAtomically(path, file);
}

} // namespace voxelscribe
