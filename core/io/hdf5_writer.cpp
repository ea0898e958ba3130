#include "core/io/hdf5_writer.h"

#include "core/base/atomic_file.h"
#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/hdf5_attributes.h"
#include "core/io/hdf5_tree.h"
#include "core/io/mask_metadata.h"
#include "core/io/slice_counter.h"

#include <algorithm>
#include <cerrno>

namespace voxelscribe::io {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

hid_t fileType(DType dtype)
{
    switch (dtype) {
    case DType::uint8: return H5T_STD_U8LE;
    case DType::int8: return H5T_STD_I8LE;
    case DType::uint16: return H5T_STD_U16LE;
    case DType::int16: return H5T_STD_I16LE;
    case DType::uint32: return H5T_STD_U32LE;
    case DType::int32: return H5T_STD_I32LE;
    case DType::uint64: return H5T_STD_U64LE;
    case DType::int64: return H5T_STD_I64LE;
    case DType::float32: return H5T_IEEE_F32LE;
    case DType::float64: break;
    }
    return H5T_IEEE_F64LE;
}

/// One slice, or tiles of it where it is large: small enough to be read piece by piece, large enough to compress well.
std::vector<hsize_t> chunkOf(const WriteSpec& spec)
{
    constexpr std::int64_t kLargestSlice = std::int64_t{4} << 20;
    constexpr std::int64_t kTile = 1024;
    const bool isSmall = spec.extent.y * spec.extent.x <= kLargestSlice;
    std::vector<hsize_t> chunk{1, static_cast<hsize_t>(isSmall ? spec.extent.y : std::min(spec.extent.y, kTile)),
                               static_cast<hsize_t>(isSmall ? spec.extent.x : std::min(spec.extent.x, kTile))};
    if (spec.channels > 0)
        chunk.insert(chunk.begin(), 1);
    return chunk;
}

std::vector<hsize_t> shapeOf(const WriteSpec& spec)
{
    std::vector<hsize_t> shape{static_cast<hsize_t>(spec.extent.z), static_cast<hsize_t>(spec.extent.y), static_cast<hsize_t>(spec.extent.x)};
    if (spec.channels > 0)
        shape.insert(shape.begin(), static_cast<hsize_t>(spec.channels));
    return shape;
}

class Hdf5Writer : public VolumeWriter {
public:
    Hdf5Writer(const fs::path& path, const WriteSpec& spec)
        : m_path(path), m_what("cannot write " + path.string()), m_spec(spec), m_counter(path.string(), spec)
    {
        const Hdf5Lock lock;
        const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS));
        H5Pset_libver_bounds(access.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V110);
        H5Pset_file_locking(access.get(), false, true);
        H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
        m_file = requireHdf5(H5Fcreate(m_path.temporary().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), m_what);
        makeDataset();
        const json attributes = flatAttributes(m_spec);
        for (const auto& [name, value] : attributes.items())
            writeHdf5Attribute(m_dataset.get(), name, value);
        describeAsNexus();
    }

    ~Hdf5Writer() override
    {
        const Hdf5Lock lock; // an unfinished file closes under it; AtomicPath removes it
        if (m_failed) {
            // HDF5 1.10 crashes when it closes a file whose data could not be written.
            m_dataset.abandon();
            m_file.abandon();
        }
        m_dataset = Hdf5Id();
        m_file = Hdf5Id();
        H5Eclear2(H5E_DEFAULT);
    }
    Hdf5Writer(const Hdf5Writer&) = delete;
    Hdf5Writer& operator=(const Hdf5Writer&) = delete;

    void write(std::span<const std::byte> samples) override
    {
        const std::int64_t first = m_counter.written();
        const std::int64_t slices = m_counter.take(samples);
        const std::int64_t channels = std::max<std::int64_t>(1, m_spec.channels);
        const std::size_t planeBytes = m_counter.sliceBytes() / static_cast<std::size_t>(channels);
        for (std::int64_t i = 0; i < slices * channels; ++i) {
            requireSpace(static_cast<std::int64_t>(planeBytes));
            const Hdf5Lock lock; // let go between slices: others may read meanwhile
            m_failed = true;
            writePlane(i % channels, first + i / channels, samples.subspan(static_cast<std::size_t>(i) * planeBytes, planeBytes));
            m_failed = false;
        }
    }

    void finish() override
    {
        m_counter.requireComplete();
        const Hdf5Lock lock;
        m_failed = true;
        requireHdf5Status(H5Fflush(m_file.get(), H5F_SCOPE_GLOBAL), m_what);
        m_failed = false;
        m_dataset = Hdf5Id();
        m_file = Hdf5Id();
        m_path.commit();
    }

private:
    /// Better told before HDF5 meets a full disk than after: it recovers from that badly. Room is kept for what closing writes.
    void requireSpace(std::int64_t planeBytes) const
    {
        constexpr std::int64_t kClosing = std::int64_t{1} << 20;
        if (freeDiskBytes(m_path.temporary()) < planeBytes + kClosing)
            throwSystemError("cannot write", m_path.target().string(), ENOSPC);
    }

    void makeDataset()
    {
        const Hdf5Id creation(H5Pcreate(H5P_DATASET_CREATE));
        const std::vector<hsize_t> chunk = chunkOf(m_spec);
        H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
        H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER); // every sample is written
        H5Pset_obj_track_times(creation.get(), false); // equal content, equal bytes: no time of creation
        if (m_spec.compress) {
            constexpr unsigned kFastest = 1; // higher levels cost several times the time for a few per cent
            H5Pset_shuffle(creation.get());
            H5Pset_deflate(creation.get(), kFastest);
        }
        const Hdf5Id links(H5Pcreate(H5P_LINK_CREATE));
        H5Pset_create_intermediate_group(links.get(), 1);
        H5Pset_char_encoding(links.get(), H5T_CSET_UTF8);
        const std::vector<hsize_t> shape = shapeOf(m_spec);
        const Hdf5Id space = requireHdf5(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), m_what);
        m_dataset = requireHdf5(H5Dcreate2(m_file.get(), m_spec.datasetName.c_str(), fileType(m_spec.dtype), space.get(), links.get(), creation.get(), H5P_DEFAULT), m_what);
    }

    /// /ENTRY/DATA/SIGNAL become NXentry, NXdata and its signal, each named by the one above as its default.
    void describeAsNexus()
    {
        const std::vector<std::string> parts = split(m_spec.datasetName, '/');
        if (parts.size() != 4 || !parts[0].empty())
            return;
        const std::string entry = "/" + parts[1];
        const std::string data = entry + "/" + parts[2];
        describeGroup("/", {{"NX_class", "NXroot"}, {"default", parts[1]}});
        describeGroup(entry, {{"NX_class", "NXentry"}, {"default", parts[2]}});
        json axes = {"z", "y", "x"};
        if (m_spec.channels > 0)
            axes.insert(axes.begin(), ".");
        describeGroup(data, {{"NX_class", "NXdata"}, {"signal", parts[3]}, {"axes", m_spec.voxelSizeUm ? axes : json()}});
        if (m_spec.voxelSizeUm) {
            writeAxis(data + "/z", m_spec.extent.z, m_spec.voxelSizeUm->z);
            writeAxis(data + "/y", m_spec.extent.y, m_spec.voxelSizeUm->y);
            writeAxis(data + "/x", m_spec.extent.x, m_spec.voxelSizeUm->x);
        }
    }

    void describeGroup(const std::string& name, const json& attributes)
    {
        const Hdf5Id group = requireHdf5(H5Gopen2(m_file.get(), name.c_str(), H5P_DEFAULT), m_what);
        for (const auto& [key, value] : attributes.items())
            if (!value.is_null())
                writeHdf5Attribute(group.get(), key, value);
    }

    void writeAxis(const std::string& name, std::int64_t length, double step)
    {
        std::vector<double> positions(static_cast<std::size_t>(length));
        for (std::size_t i = 0; i < positions.size(); ++i)
            positions[i] = static_cast<double>(i) * step;
        const auto extent = static_cast<hsize_t>(length);
        const Hdf5Id space = requireHdf5(H5Screate_simple(1, &extent, nullptr), m_what);
        const Hdf5Id creation(H5Pcreate(H5P_DATASET_CREATE));
        H5Pset_obj_track_times(creation.get(), false); // as above
        const Hdf5Id axis = requireHdf5(H5Dcreate2(m_file.get(), name.c_str(), H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), m_what);
        requireHdf5Status(H5Dwrite(axis.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, positions.data()), m_what);
        writeHdf5Attribute(axis.get(), "units", "um");
    }

    void writePlane(std::int64_t channel, std::int64_t z, std::span<const std::byte> samples)
    {
        std::vector<hsize_t> start{static_cast<hsize_t>(z), 0, 0};
        std::vector<hsize_t> count{1, static_cast<hsize_t>(m_spec.extent.y), static_cast<hsize_t>(m_spec.extent.x)};
        if (m_spec.channels > 0) {
            start.insert(start.begin(), static_cast<hsize_t>(channel));
            count.insert(count.begin(), 1);
        }
        const Hdf5Id space = requireHdf5(H5Dget_space(m_dataset.get()), m_what);
        H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
        const Hdf5Id memory = requireHdf5(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), m_what);
        // On this machine the types in memory are those of the file.
        requireHdf5Status(H5Dwrite(m_dataset.get(), fileType(m_spec.dtype), memory.get(), space.get(), H5P_DEFAULT, samples.data()), m_what);
    }

    AtomicPath m_path;
    std::string m_what;
    WriteSpec m_spec;
    SliceCounter m_counter;
    Hdf5Id m_file;
    Hdf5Id m_dataset;
    bool m_failed = false;               ///< HDF5 could not write what it was given
};

} // namespace

std::unique_ptr<VolumeWriter> createHdf5Writer(const fs::path& path, const WriteSpec& spec)
{
    return std::make_unique<Hdf5Writer>(path, spec);
}

} // namespace voxelscribe::io
