#include "core/io/zarr_array.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/io/zarr_chunk.h"
#include "core/io/zarr_codec.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace voxelscribe::io {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kLeftover = ".chunk.part-"; // as temporaryBeside("chunk") names them

ZarrMeta metaOf(const ZarrSpec& spec)
{
    ZarrMeta meta;
    meta.shape = {spec.extent.z, spec.extent.y, spec.extent.x};
    meta.chunks = {spec.chunk.z, spec.chunk.y, spec.chunk.x};
    if (spec.channels > 0) {
        meta.shape.insert(meta.shape.begin(), spec.channels);
        meta.chunks.insert(meta.chunks.begin(), 1);
    }
    meta.dtype = spec.dtype;
    meta.storedSize = dtypeSize(spec.dtype);
    meta.separator = "/";
    if (spec.compress)
        meta.compressor = bloscLz4();
    return meta;
}

ZarrSpec specOf(const ZarrMeta& meta, const fs::path& folder)
{
    const std::size_t axes = meta.shape.size();
    const bool plain = !meta.bigEndian && !meta.fortranOrder && meta.storedSize == dtypeSize(meta.dtype);
    if ((axes != 3 && axes != 4) || !plain || (axes == 4 && meta.chunks.front() != 1))
        throw Error(ErrorCode::format, folder.string() + ": expected an array of this program (z, y, x or channel, z, y, x; little-endian; C order), found "
                                           + std::to_string(axes) + " axes; open it as an image and convert it");
    const std::size_t z = axes - 3;
    ZarrSpec spec;
    spec.channels = axes == 4 ? meta.shape.front() : 0;
    spec.extent = {meta.shape[z], meta.shape[z + 1], meta.shape[z + 2]};
    spec.chunk = {meta.chunks[z], meta.chunks[z + 1], meta.chunks[z + 2]};
    spec.dtype = meta.dtype;
    spec.compress = !meta.compressor.is_null();
    return spec;
}

/// Closes and, unless told otherwise, removes a half-written file.
class PartFile {
public:
    explicit PartFile(fs::path path) : m_path(std::move(path)), m_id(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666))
    {
        if (m_id < 0)
            throwSystemError("cannot write", m_path.string(), errno);
    }
    ~PartFile()
    {
        if (m_id >= 0)
            ::close(m_id);
        if (!m_placed)
            ::unlink(m_path.c_str());
    }
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    void write(std::span<const std::byte> bytes, const fs::path& target)
    {
        while (!bytes.empty()) {
            const ssize_t written = ::write(m_id, bytes.data(), bytes.size());
            if (written < 0 && errno != EINTR)
                throwSystemError("cannot write", target.string(), errno);
            bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(0, written)));
        }
    }

    /// No sync: a rename after the write is whole for every reader, and after a power failure a chunk without bytes counts as missing.
    void placeAs(const fs::path& target)
    {
        const int id = m_id;
        m_id = -1;
        if (::close(id) != 0 || ::rename(m_path.c_str(), target.c_str()) != 0)
            throwSystemError("cannot finish writing", target.string(), errno);
        m_placed = true;
    }

private:
    fs::path m_path;
    int m_id;
    bool m_placed = false;
};

/// False, too, for what a power cut leaves of a chunk: a file that is too short, or one of zeros.
bool isWhole(const fs::path& file, const ZarrMeta& meta)
{
    std::error_code fault;
    const auto size = fs::file_size(file, fault);
    if (fault || size == 0)
        return false;
    if (meta.compressor.is_null())
        return size == static_cast<std::uintmax_t>(meta.chunkSamples()) * meta.storedSize;
    if (meta.compressor.value("id", "") != "blosc")
        return true;
    // Blosc's header ends with the length of header and data, four bytes, little-endian.
    std::array<unsigned char, 16> header{};
    std::ifstream in(file, std::ios::binary);
    in.read(reinterpret_cast<char*>(header.data()), header.size());
    return in && (header[12] | header[13] << 8 | header[14] << 16 | static_cast<std::uintmax_t>(header[15]) << 24) == size;
}

void makeFolder(const fs::path& folder)
{
    std::error_code fault;
    fs::create_directories(folder, fault);
    if (fault)
        throwSystemError("cannot make the folder", folder.string(), fault.value());
}

void requireAbsent(const fs::path& folder)
{
    if (fs::exists(folder))
        throw Error(ErrorCode::io, folder.string() + " exists already; choose another name or remove it");
}

} // namespace

ZarrArray::ZarrArray(fs::path folder, ZarrMeta meta) : m_folder(std::move(folder)), m_spec(specOf(meta, m_folder)), m_meta(std::move(meta)) {}

ZarrArray ZarrArray::create(const fs::path& folder, const ZarrSpec& spec)
{
    requireAbsent(folder);
    if (spec.extent.isEmpty() || spec.chunk.isEmpty() || spec.channels < 0)
        throw Error(ErrorCode::shape, folder.string() + ": cannot make an array of " + spec.extent.text() + " in chunks of " + spec.chunk.text());
    ZarrMeta meta = metaOf(spec);
    makeFolder(folder);
    writeFileAtomically(folder / ".zarray", zarrMetaText(meta));
    return {folder, std::move(meta)};
}

ZarrArray ZarrArray::open(const fs::path& folder)
{
    return {folder, readZarrMeta(folder)};
}

Extent ZarrArray::chunkGrid() const
{
    const std::size_t z = m_meta.shape.size() - 3;
    return {m_meta.gridExtent(z), m_meta.gridExtent(z + 1), m_meta.gridExtent(z + 2)};
}

fs::path ZarrArray::chunkFile(const ZarrChunk& chunk) const
{
    std::vector<std::int64_t> index{chunk.index.z, chunk.index.y, chunk.index.x};
    if (m_spec.channels > 0)
        index.insert(index.begin(), chunk.channel);
    return m_folder / m_meta.chunkKey(index);
}

bool ZarrArray::hasChunk(const ZarrChunk& chunk) const
{
    return isWhole(chunkFile(chunk), m_meta);
}

void ZarrArray::writeChunk(const ZarrChunk& chunk, std::span<const std::byte> samples)
{
    const auto expected = static_cast<std::size_t>(m_meta.chunkSamples()) * m_meta.storedSize;
    if (samples.size() != expected)
        throw Error(ErrorCode::shape, m_folder.string() + ": a chunk of " + std::to_string(samples.size()) + " bytes given, "
                                          + std::to_string(expected) + " expected");
    const fs::path target = chunkFile(chunk);
    makeFolder(target.parent_path());
    // The part lies in the array's folder, where leftovers are found without a walk through all chunks.
    PartFile part(temporaryBeside(m_folder / "chunk"));
    if (m_meta.compressor.is_null())
        part.write(samples, target);
    else if (m_meta.compressor == bloscLz4())
        part.write(encodeBlosc(samples, m_meta.storedSize), target);
    else
        throw Error(ErrorCode::format, m_folder.string() + ": cannot write chunks compressed by " + m_meta.compressor.dump() + "; only Blosc lz4 or none");
    part.placeAs(target);
}

bool ZarrArray::readChunk(const ZarrChunk& chunk, std::span<std::byte> out) const
{
    const auto expected = static_cast<std::size_t>(m_meta.chunkSamples()) * m_meta.storedSize;
    if (out.size() != expected)
        throw Error(ErrorCode::shape, m_folder.string() + ": the buffer has " + std::to_string(out.size()) + " bytes, a chunk "
                                          + std::to_string(expected));
    return readStoredChunk(m_meta, chunkFile(chunk), out);
}

void ZarrArray::removeChunk(const ZarrChunk& chunk)
{
    std::error_code fault;
    fs::remove(chunkFile(chunk), fault);
    if (fault)
        throwSystemError("cannot remove", chunkFile(chunk).string(), fault.value());
}

void ZarrArray::removeLeftovers() const
{
    std::error_code ignored; // a leftover that cannot be removed is harmless
    for (const fs::directory_entry& entry : fs::directory_iterator(m_folder, ignored))
        if (entry.path().filename().string().starts_with(kLeftover))
            fs::remove(entry.path(), ignored);
}

Extent defaultZarrChunk(const Extent& extent)
{
    constexpr std::int64_t kLargestSlice = std::int64_t{16} << 20;
    constexpr std::int64_t kTile = 2048;
    if (checkedProduct(extent.y, extent.x, "slice") <= kLargestSlice)
        return {1, extent.y, extent.x};
    return {1, std::min(extent.y, kTile), std::min(extent.x, kTile)};
}

json ngffMultiscales(const ZarrSpec& spec, const std::optional<VoxelSizeUm>& size)
{
    const VoxelSizeUm um = size.value_or(VoxelSizeUm{});
    json axes = json::array();
    json scale = json::array({um.z, um.y, um.x});
    for (const char* name : {"z", "y", "x"}) {
        axes.push_back({{"name", name}, {"type", "space"}});
        if (size)
            axes.back()["unit"] = "micrometer";
    }
    if (spec.channels > 0) {
        axes.insert(axes.begin(), json{{"name", "c"}, {"type", "channel"}});
        scale.insert(scale.begin(), 1.0);
    }
    const json transform = {{"type", "scale"}, {"scale", scale}};
    return json::array({{{"version", "0.4"}, {"axes", axes},
                         {"datasets", json::array({{{"path", "0"}, {"coordinateTransformations", json::array({transform})}}})}}});
}

ZarrArray createNgff(const fs::path& folder, const ZarrSpec& spec, const std::optional<VoxelSizeUm>& voxelSizeUm, const json& attributes)
{
    requireAbsent(folder);
    makeFolder(folder);
    json all = attributes.is_object() ? attributes : json::object();
    all["multiscales"] = ngffMultiscales(spec, voxelSizeUm);
    writeFileAtomically(folder / ".zgroup", json{{"zarr_format", 2}}.dump() + "\n");
    writeNgffAttributes(folder, all);
    return ZarrArray::create(folder / "0", spec);
}

ZarrArray openNgff(const fs::path& folder)
{
    return ZarrArray::open(folder / "0");
}

json readNgffAttributes(const fs::path& folder)
{
    return readZarrJson(folder / ".zattrs");
}

void writeNgffAttributes(const fs::path& folder, const json& attributes)
{
    json all = attributes;
    if (!all.contains("multiscales") && fs::exists(folder / ".zattrs"))
        all["multiscales"] = readNgffAttributes(folder).value("multiscales", json::array());
    // In ASCII, with escapes: Python's zarr reads attributes in no other encoding.
    writeFileAtomically(folder / ".zattrs", all.dump(1, ' ', true, json::error_handler_t::replace) + "\n");
}

} // namespace voxelscribe::io
