#include "core/io/hdf5_volume.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/dataset_choice.h"
#include "core/io/hdf5_attributes.h"
#include "core/io/hdf5_dataset.h"
#include "core/io/hdf5_tree.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

namespace voxelscribe::io {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// Memory that HDF5 may keep decoded chunks of one data set in: a layer of them, so that slices read one by one decode each once.
constexpr std::size_t kMostChunkCache = std::size_t{64} << 20;

Hdf5Id openWithCache(hid_t file, const VolumeInfo& info)
{
    const Hdf5Id access(H5Pcreate(H5P_DATASET_ACCESS));
    const auto layer = static_cast<std::size_t>(info.chunk.z * info.extent.y * info.extent.x) * dtypeSize(info.dtype);
    if (info.chunk.z > 1 && layer <= kMostChunkCache) {
        constexpr std::size_t kSlots = 12421; // a prime, well above the number of chunks in a layer
        H5Pset_chunk_cache(access.get(), kSlots, std::max<std::size_t>(layer + layer / 4, std::size_t{1} << 20), H5D_CHUNK_CACHE_W0_DEFAULT);
    }
    return requireHdf5(H5Dopen2(file, info.name.c_str(), access.get()), "cannot open " + info.name);
}

class Hdf5Volume : public Volume {
public:
    Hdf5Volume(fs::path path, Hdf5Id file, Hdf5Description description)
        : Volume(std::move(description.info)), m_path(std::move(path)), m_file(std::move(file)), m_dataset(openWithCache(m_file.get(), m_info)),
          m_memoryType(description.memoryType), m_shape(m_info.shape)
    {
    }

    ~Hdf5Volume() override
    {
        const Hdf5Lock lock; // the identifiers close under it
        m_dataset = Hdf5Id();
        m_file = Hdf5Id();
    }
    Hdf5Volume(const Hdf5Volume&) = delete;
    Hdf5Volume& operator=(const Hdf5Volume&) = delete;

private:
    void readRegion(const Region& region, std::span<std::byte> out) const override
    {
        const auto sliceBytes = static_cast<std::size_t>(region.extent.y * region.extent.x) * dtypeSize(m_info.dtype);
        m_shape.forEachBox(region, [&](const FoldedShape::Box& box) {
            const std::int64_t z = region.origin.z + box.firstSlice;
            readBox(box, out.data() + static_cast<std::size_t>(box.firstSlice) * sliceBytes,
                    "cannot read slices " + std::to_string(z) + " to " + std::to_string(z + box.slices - 1) + " of " + m_path.string() + "::" + m_info.name);
        });
    }

    void readBox(const FoldedShape::Box& box, std::byte* out, const std::string& what) const
    {
        const std::vector<hsize_t> start(box.start.begin(), box.start.end());
        const std::vector<hsize_t> count(box.count.begin(), box.count.end());
        const Hdf5Lock lock;
        const Hdf5Id space = requireHdf5(H5Dget_space(m_dataset.get()), what);
        requireHdf5Status(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), what);
        const Hdf5Id memory = requireHdf5(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), what);
        requireHdf5Status(H5Dread(m_dataset.get(), m_memoryType, memory.get(), space.get(), H5P_DEFAULT, out), what);
    }

    fs::path m_path;
    Hdf5Id m_file;
    Hdf5Id m_dataset;
    hid_t m_memoryType;
    FoldedShape m_shape;
};

bool isImage(const VolumeInfo& info)
{
    return std::count_if(info.shape.begin(), info.shape.end(), [](std::int64_t extent) { return extent > 1; }) >= 2;
}

struct Catalogue {
    std::vector<Hdf5Description> entries;  ///< the default one first
    std::vector<std::string> warnings;
    bool isNexus = false;
    std::size_t datasets = 0;
};

std::optional<std::string> defaultName(hid_t file, const fs::path& path)
{
    const auto holdsImage = [&](const std::string& name) {
        const auto description = hdf5Exists(file, name) ? describeHdf5(file, path, name) : std::nullopt;
        return description && isImage(description->info) && !description->info.extent.isEmpty();
    };
    if (auto signal = nexusDefault(file, holdsImage))
        return signal;
    const std::string exchange = "/exchange/data";
    return holdsImage(exchange) ? std::optional(exchange) : std::nullopt;
}

/// Whatever has two axes longer than one; where there is none, what has two axes at all.
void keepImages(std::vector<Hdf5Description>& entries)
{
    if (std::any_of(entries.begin(), entries.end(), [](const auto& entry) { return isImage(entry.info); }))
        std::erase_if(entries, [](const auto& entry) { return !isImage(entry.info); });
}

Catalogue catalogue(hid_t file, const fs::path& path)
{
    const std::optional<std::string> first = defaultName(file, path);
    Hdf5Tree tree = walkHdf5(file, first);
    Catalogue all{{}, std::move(tree.warnings), tree.isNexus, tree.datasets.size()};
    for (const std::string& name : tree.datasets) {
        std::optional<Hdf5Description> description = describeHdf5(file, path, name);
        if (description && description->info.extent.isEmpty())
            all.warnings.push_back("the data set " + name + " is empty (" + description->info.extent.text() + ")");
        else if (description)
            all.entries.push_back(std::move(*description));
    }
    keepImages(all.entries);
    if (!first && !all.entries.empty()) {
        const auto chosen = largestImage(all.entries.begin(), all.entries.end(), [](const Hdf5Description& entry) -> const VolumeInfo& { return entry.info; });
        std::rotate(all.entries.begin(), chosen, chosen + 1);
    }
    return all;
}

[[noreturn]] void throwNoImage(const fs::path& path, const Catalogue& all)
{
    std::string message = path.string() + ": an HDF5 file without an image; expected a numeric data set of two or more axes, found "
                          + (all.datasets == 0 ? "no data set" : counted(all.datasets, "other data set", "other data sets"));
    for (const std::string& warning : all.warnings)
        message += "; " + warning;
    throw Error(ErrorCode::format, message + "; check whether it is the right file");
}

void requireReadable(const fs::path& path, const Hdf5Description& description)
{
    if (!description.missingFilter.empty())
        throw Error(ErrorCode::format, path.string() + "::" + description.info.name + ": " + description.missingFilter);
    if (description.allSourcesMissing)
        throw Error(ErrorCode::format, path.string() + "::" + description.info.name + ": " + description.missingSources);
}

std::string absoluteName(const std::string& name)
{
    std::string full = name.starts_with('/') ? name : "/" + name;
    while (full.size() > 1 && full.ends_with('/'))
        full.pop_back();
    return full;
}

/// The description of one data set. @throws Error(format) listing those there are.
Hdf5Description find(hid_t file, const fs::path& path, const std::string& dataset)
{
    if (!dataset.empty() && hdf5Exists(file, absoluteName(dataset)))
        if (auto description = describeHdf5(file, path, absoluteName(dataset)))
            return std::move(*description);
    Catalogue all = catalogue(file, path);
    if (all.entries.empty())
        throwNoImage(path, all);
    if (dataset.empty())
        return std::move(all.entries.front());
    std::vector<std::string> names;
    for (const Hdf5Description& entry : all.entries)
        names.push_back(entry.info.name);
    throwUnknownDataset(path, dataset, names);
}

} // namespace

bool isHdf5File(const fs::path& path)
{
    constexpr std::array<unsigned char, 8> kSignature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    std::ifstream in(path, std::ios::binary);
    for (std::streamoff at = 0; in && at <= std::streamoff{1} << 30; at = at == 0 ? 512 : at * 2) {
        std::array<char, 8> found{};
        in.seekg(at);
        if (in.read(found.data(), found.size()) && std::memcmp(found.data(), kSignature.data(), kSignature.size()) == 0)
            return true;
    }
    return false;
}

Listing listHdf5(const fs::path& path)
{
    const Hdf5Lock lock;
    const Hdf5Id file = openHdf5File(path);
    Catalogue all = catalogue(file.get(), path);
    if (all.entries.empty())
        throwNoImage(path, all);
    Listing listing{path, all.isNexus ? "NeXus" : "HDF5", {}, std::move(all.warnings)};
    for (Hdf5Description& entry : all.entries)
        listing.arrays.push_back(std::move(entry.info));
    return listing;
}

VolumePtr openHdf5(const fs::path& path, const std::string& dataset)
{
    const Hdf5Lock lock;
    Hdf5Id file = openHdf5File(path);
    Hdf5Description description = find(file.get(), path, dataset);
    if (description.info.extent.isEmpty())
        throw Error(ErrorCode::format, path.string() + "::" + description.info.name + ": the data set is empty (" + description.info.extent.text() + "); check whether the scan that wrote it ended well");
    requireReadable(path, description);
    return std::make_shared<Hdf5Volume>(path, std::move(file), std::move(description));
}

json hdf5AttributesOf(const fs::path& path, const std::string& dataset)
{
    const Hdf5Lock lock;
    const Hdf5Id file = openHdf5File(path);
    const Hdf5Description description = find(file.get(), path, dataset);
    const Hdf5Id object = requireHdf5(H5Dopen2(file.get(), description.info.name.c_str(), H5P_DEFAULT), "cannot open " + description.info.name);
    return hdf5Attributes(object.get());
}

} // namespace voxelscribe::io
