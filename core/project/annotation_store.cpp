#include "core/project/annotation_store.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/io/zarr_array.h"
#include "core/io/zarr_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace voxelscribe::project {

namespace fs = std::filesystem;
using labels::LabelVolume;
using nlohmann::json;

namespace {

io::ZarrSpec specFor(const Extent& extent)
{
    io::ZarrSpec spec;
    spec.extent = extent;
    spec.chunk = LabelVolume::kChunk;
    spec.dtype = DType::uint16;
    return spec;
}

io::ZarrArray openArray(const fs::path& folder, const Extent& extent)
{
    io::ZarrArray array = io::openNgff(folder);
    const io::ZarrSpec& spec = array.spec();
    if (spec.extent != extent)
        throw Error(ErrorCode::shape, folder.string() + ": the annotations are " + spec.extent.text() + ", the project's image is "
                                          + extent.text() + " (z×y×x); they belong to another image: put the right folder back");
    if (spec.dtype != DType::uint16 || spec.chunk != LabelVolume::kChunk || spec.channels != 0)
        throw Error(ErrorCode::format, folder.string() + ": the annotations are " + std::string(dtypeName(spec.dtype)) + " in chunks of "
                                           + spec.chunk.text() + ", expected uint16 in chunks of " + LabelVolume::kChunk.text()
                                           + "; import them into a new project instead");
    return array;
}

/// The number that a chunk's folder or file is named by; none for other files.
std::optional<std::int64_t> numberOf(const fs::path& path)
{
    const std::string name = path.filename().string();
    std::int64_t number = 0;
    const auto [at, fault] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (fault != std::errc{} || at != name.data() + name.size() || name != std::to_string(number) || number < 0)
        return std::nullopt;
    return number;
}

std::vector<std::int64_t> numbersIn(const fs::path& folder)
{
    std::vector<std::int64_t> numbers;
    std::error_code fault;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, fault))
        if (const auto number = numberOf(entry.path()))
            numbers.push_back(*number);
    if (fault)
        throwSystemError("cannot read the folder", folder.string(), fault.value());
    std::ranges::sort(numbers);
    return numbers;
}

/// The chunks that have a file: found by looking, not by trying all of a grid of millions.
std::vector<LabelVolume::ChunkKey> storedChunks(const fs::path& array, const Extent& grid)
{
    std::vector<LabelVolume::ChunkKey> keys;
    for (const std::int64_t z : numbersIn(array)) {
        const fs::path slice = array / std::to_string(z);
        if (z >= grid.z || !fs::is_directory(slice))
            continue;
        for (const std::int64_t y : numbersIn(slice)) {
            const fs::path row = slice / std::to_string(y);
            if (y >= grid.y || !fs::is_directory(row))
                continue;
            for (const std::int64_t x : numbersIn(row))
                if (x < grid.x)
                    keys.push_back({z, y, x});
        }
    }
    return keys;
}

std::span<std::byte> bytesOf(LabelVolume::Chunk& ids)
{
    return std::as_writable_bytes(std::span(ids));
}

/// The attributes of every mask that this program writes: class_ids, class_names, class_colors, image-label, voxel_size.
json attributesFor(const ProjectState& state)
{
    io::WriteSpec spec;
    spec.classes = state.classes;
    spec.voxelSizeUm = state.voxelSizeUm;
    return io::zarrAttributes(spec);
}

/// Puts voxel size and unit into the multiscale that `createNgff` made.
void setScale(json& attributes, const std::optional<VoxelSizeUm>& size)
{
    const VoxelSizeUm um = size.value_or(VoxelSizeUm{});
    json& multiscale = attributes.at("multiscales").at(0);
    multiscale.at("datasets").at(0).at("coordinateTransformations").at(0)["scale"] = {um.z, um.y, um.x};
    for (json& axis : multiscale.at("axes")) {
        axis.erase("unit");
        if (size)
            axis["unit"] = "micrometer";
    }
}

/// The files that say what the store is.
constexpr std::array<const char*, 3> kDescriptions{".zgroup", ".zattrs", "0/.zarray"};

bool isReadableJson(const fs::path& file)
{
    std::error_code ignored; // what cannot be looked at cannot be read
    return fs::is_regular_file(file, ignored) && json::parse(readTextFile(file), nullptr, false).is_object();
}

} // namespace

fs::path AnnotationStore::chunkFile(const Extent& key) const
{
    return m_folder / "0" / std::to_string(key.z) / std::to_string(key.y) / std::to_string(key.x);
}

void AnnotationStore::create(const ProjectState& state) const
{
    io::createNgff(m_folder, specFor(m_extent), state.voxelSizeUm, attributesFor(state));
}

bool AnnotationStore::isDescribed() const
{
    return std::ranges::all_of(kDescriptions, [this](const char* name) { return isReadableJson(m_folder / name); });
}

void AnnotationStore::repair(const ProjectState& state) const
{
    const AtomicPath fresh(m_folder); // never committed: made only to copy its descriptions from
    AnnotationStore(fresh.temporary(), m_extent).create(state);
    for (const char* name : kDescriptions) {
        const fs::path file = m_folder / name;
        if (isReadableJson(file))
            continue;
        std::error_code fault;
        fs::create_directories(file.parent_path(), fault);
        if (fault)
            throwSystemError("cannot make the folder", file.parent_path().string(), fault.value());
        writeFileAtomically(file, readTextFile(fresh.temporary() / name));
    }
}

AnnotationStore::Loaded AnnotationStore::load() const
{
    const io::ZarrArray array = openArray(m_folder, m_extent);
    Loaded loaded{LabelVolume(m_extent), {}, {}};
    for (const LabelVolume::ChunkKey& key : storedChunks(array.folder(), array.chunkGrid())) {
        try {
            LabelVolume::Chunk ids(static_cast<std::size_t>(LabelVolume::kChunk.voxels()));
            if (!array.readChunk({key, 0}, bytesOf(ids)))
                throw Error(ErrorCode::format, chunkFile(key).string() + " is empty");
            loaded.labels.setChunk(key, std::move(ids));
        } catch (const Error& error) {
            const Region lost = loaded.labels.chunkRegion(key);
            loaded.damaged.push_back(key);
            loaded.notices.push_back("annotations of slice " + std::to_string(key.z) + ", rows " + std::to_string(lost.origin.y) + " to "
                                     + std::to_string(lost.end().y - 1) + ", columns " + std::to_string(lost.origin.x) + " to "
                                     + std::to_string(lost.end().x - 1) + " are damaged and were left out: " + error.what());
        }
    }
    return loaded;
}

void AnnotationStore::save(const LabelVolume& labels, const Keys& keys) const
{
    io::ZarrArray array = openArray(m_folder, m_extent);
    for (const LabelVolume::ChunkKey& key : keys)
        if (const LabelVolume::Chunk* ids = labels.chunk(key))
            array.writeChunk({key, 0}, std::as_bytes(std::span(*ids)));
        else
            array.removeChunk({key, 0});
}

void AnnotationStore::setAside(const Keys& damaged, const fs::path& target) const
{
    std::error_code fault;
    fs::create_directories(target, fault);
    for (const Extent& key : damaged) {
        const fs::path file = chunkFile(key);
        if (!fault && fs::exists(file))
            fs::rename(file, target / (std::to_string(key.z) + "." + std::to_string(key.y) + "." + std::to_string(key.x)), fault);
    }
    if (fault)
        throwSystemError("cannot move damaged annotations to", target.string(), fault.value());
}

void AnnotationStore::describe(const ProjectState& state) const
{
    const json before = io::readNgffAttributes(m_folder);
    json attributes = before;
    for (const char* stale : {"class_ids", "class_names", "class_colors", "image-label", "voxel_size", "unit"})
        attributes.erase(stale);
    attributes.update(attributesFor(state));
    try {
        setScale(attributes, state.voxelSizeUm);
    } catch (const json::exception& error) {
        throw Error(ErrorCode::format, (m_folder / ".zattrs").string() + ": the description of the annotations is damaged ("
                                           + error.what() + "); remove that file, it is made anew");
    }
    if (attributes != before)
        io::writeNgffAttributes(m_folder, attributes);
}

void AnnotationStore::removeLeftovers() const
{
    io::openNgff(m_folder).removeLeftovers();
}

} // namespace voxelscribe::project
