#include "core/io/hdf5_dataset.h"

#include "core/io/dataset_choice.h"
#include "core/io/hdf5_filters.h"
#include "core/io/hdf5_virtual.h"

#include <algorithm>
#include <utility>

namespace voxelscribe::io {

namespace fs = std::filesystem;

namespace {

struct SampleType {
    DType dtype = DType::uint8;
    hid_t memoryType = -1;
};

SampleType integerType(std::size_t size, bool isSigned)
{
    if (size == 1)
        return isSigned ? SampleType{DType::int8, H5T_NATIVE_INT8} : SampleType{DType::uint8, H5T_NATIVE_UINT8};
    if (size == 2)
        return isSigned ? SampleType{DType::int16, H5T_NATIVE_INT16} : SampleType{DType::uint16, H5T_NATIVE_UINT16};
    if (size <= 4)
        return isSigned ? SampleType{DType::int32, H5T_NATIVE_INT32} : SampleType{DType::uint32, H5T_NATIVE_UINT32};
    return isSigned ? SampleType{DType::int64, H5T_NATIVE_INT64} : SampleType{DType::uint64, H5T_NATIVE_UINT64};
}

SampleType bitsType(std::size_t size)
{
    switch (size) {
    case 1: return {DType::uint8, H5T_NATIVE_B8};
    case 2: return {DType::uint16, H5T_NATIVE_B16};
    case 4: return {DType::uint32, H5T_NATIVE_B32};
    default: return {DType::uint64, H5T_NATIVE_B64};
    }
}

bool isBoolean(hid_t type)
{
    int value = -1;
    return H5Tget_size(type) == 1 && H5Tget_nmembers(type) == 2 && H5Tget_member_index(type, "FALSE") >= 0
           && H5Tenum_valueof(type, "TRUE", &value) >= 0;
}

std::optional<SampleType> sampleType(hid_t type)
{
    const std::size_t size = H5Tget_size(type);
    switch (H5Tget_class(type)) {
    case H5T_INTEGER:
        if (size > 8)
            return std::nullopt;
        return integerType(size, H5Tget_sign(type) == H5T_SGN_2);
    case H5T_FLOAT:
        return size <= 4 ? SampleType{DType::float32, H5T_NATIVE_FLOAT} : SampleType{DType::float64, H5T_NATIVE_DOUBLE};
    case H5T_BITFIELD:
        return size <= 8 ? std::optional(bitsType(size)) : std::nullopt;
    case H5T_ENUM: {
        const Hdf5Id base(H5Tget_super(type));
        return integerType(size, H5Tget_sign(base.get()) == H5T_SGN_2 && !isBoolean(type));
    }
    default:
        return std::nullopt;
    }
}

std::vector<std::int64_t> shapeOf(hid_t dataset)
{
    const Hdf5Id space(H5Dget_space(dataset));
    const int axes = space ? H5Sget_simple_extent_ndims(space.get()) : 0;
    std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(axes, 0)));
    if (!extents.empty())
        H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
    return {extents.begin(), extents.end()};
}

Extent chunkOf(hid_t creation, const FoldedShape& shape)
{
    std::vector<hsize_t> chunk(shape.shape().size(), 1);
    if (H5Pget_layout(creation) != H5D_CHUNKED || H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data()) < 0)
        return {1, shape.extent().y, shape.extent().x};
    return shape.folded({chunk.begin(), chunk.end()});
}

} // namespace

std::optional<Hdf5Description> describeHdf5(hid_t file, const fs::path& path, const std::string& name)
{
    const Hdf5Id dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT));
    if (!dataset) {
        H5Eclear2(H5E_DEFAULT);
        return std::nullopt;
    }
    const Hdf5Id type(H5Dget_type(dataset.get()));
    const std::optional<SampleType> sample = sampleType(type.get());
    std::vector<std::int64_t> extents = shapeOf(dataset.get());
    if (!sample || extents.size() < 2)
        return std::nullopt;
    const FoldedShape shape(std::move(extents));
    const Hdf5Id creation(H5Dget_create_plist(dataset.get()));
    Hdf5Description description;
    description.memoryType = sample->memoryType;
    VolumeInfo& info = description.info;
    info.name = name;
    info.dtype = sample->dtype;
    info.extent = shape.extent();
    info.shape = shape.shape();
    info.axes = defaultAxes(info.shape.size());
    info.chunk = chunkOf(creation.get(), shape);
    info.voxelSizeUm = hdf5VoxelSize(file, dataset.get(), name, shape);
    description.missingFilter = missingHdf5Filter(creation.get());
    const VirtualSources sources = virtualSources(creation.get(), path);
    description.missingSources = sources.advice();
    description.allSourcesMissing = sources.total > 0 && sources.missing.size() == sources.total;
    if (shape.isFolded())
        info.warnings.push_back(foldedWarning(info));
    for (const std::string& advice : {description.missingFilter, description.missingSources})
        if (!advice.empty())
            info.warnings.push_back(name + ": " + advice);
    H5Eclear2(H5E_DEFAULT);
    return description;
}

} // namespace voxelscribe::io
