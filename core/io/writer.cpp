#include "core/io/writer.h"

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/hdf5_writer.h"
#include "core/io/tiff_writer.h"
#include "core/io/zarr_writer.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace voxelscribe::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* kNames = "a name ending in .tif or .tiff, .h5, .hdf5 or .nxs, .zarr, or / for a folder of TIFF files";

fs::path withoutSlash(const fs::path& path)
{
    return path.has_filename() ? path : path.parent_path();
}

void requireAbsent(const fs::path& path, bool overwrite)
{
    if (!overwrite && fs::exists(path) && !(fs::is_directory(path) && fs::is_empty(path)))
        throw Error(ErrorCode::io, path.string() + " exists already; choose another name, or allow it to be replaced (--overwrite)");
}

/// A folder is replaced only by what it is replaced with: results, never a folder of other files.
void requireReplaceable(const fs::path& path, OutputFormat format)
{
    const bool becomesFolder = format == OutputFormat::tiffSeries || format == OutputFormat::zarr;
    if (fs::exists(path) && fs::is_directory(path) != becomesFolder)
        throw Error(ErrorCode::io, path.string() + (becomesFolder ? " is a file, where a folder is to be written" : " is a folder, where a file is to be written")
                                       + "; choose another name");
    if (!fs::is_directory(path))
        return;
    for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
        const std::string name = lowerCase(entry.path().filename().string());
        const bool isOurs = format == OutputFormat::zarr ? fs::exists(path / ".zgroup") || fs::exists(path / ".zarray") : name.ends_with(".tif") || name.ends_with(".tiff");
        if (!isOurs)
            throw Error(ErrorCode::io, path.string() + " holds \"" + entry.path().filename().string() + "\" and is not replaced: only a folder of earlier results is; choose another name");
    }
}

void requireWritableFolder(const fs::path& path)
{
    const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (!fs::exists(parent))
        throw Error(ErrorCode::io, "cannot write " + path.string() + ": the folder " + parent.string() + " does not exist; make it or choose another");
    if (!fs::is_directory(parent))
        throw Error(ErrorCode::io, "cannot write " + path.string() + ": " + parent.string() + " is not a folder; choose another");
    if (::access(parent.c_str(), W_OK | X_OK) != 0)
        throwSystemError("cannot write into the folder", parent.string(), errno);
}

/// What the file takes at the least: all samples, or where they are compressed a hundredth of them.
std::int64_t leastBytes(const WriteSpec& spec)
{
    const std::int64_t samples = checkedProduct(spec.extent.voxels(), std::max<std::int64_t>(1, spec.channels), "output");
    const std::int64_t bytes = checkedProduct(samples, static_cast<std::int64_t>(dtypeSize(spec.dtype)), "output");
    return spec.compress ? bytes / 100 : bytes;
}

} // namespace

OutputFormat formatOfName(const std::string& path)
{
    const std::string lower = lowerCase(path);
    const auto endsIn = [&](std::initializer_list<const char*> endings) {
        return std::any_of(endings.begin(), endings.end(), [&](const char* ending) { return lower.ends_with(ending); });
    };
    if (endsIn({".zarr", ".zarr/"}))
        return OutputFormat::zarr;
    if (endsIn({"/"}))
        return OutputFormat::tiffSeries;
    if (endsIn({".tif", ".tiff"}))
        return OutputFormat::tiff;
    if (endsIn({".h5", ".hdf5", ".nxs"}))
        return OutputFormat::hdf5;
    throw Error(ErrorCode::format, "\"" + path + "\" does not say which format to write; expected " + kNames);
}

std::unique_ptr<VolumeWriter> createWriter(const std::string& path, const WriteSpec& spec, bool overwrite)
{
    const OutputFormat format = formatOfName(path);
    const fs::path target = withoutSlash(path);
    if (spec.extent.isEmpty())
        throw Error(ErrorCode::shape, "cannot write " + path + ": its extent would be " + spec.extent.text());
    if (spec.channels > 0 && (format == OutputFormat::tiff || format == OutputFormat::tiffSeries))
        throw Error(ErrorCode::format, path + ": several values a voxel are written to HDF5 or Zarr; choose a name ending in .h5 or .zarr");
    requireWritableFolder(target);
    requireAbsent(target, overwrite);
    requireReplaceable(target, format);
    requireDiskSpace(target, leastBytes(spec));
    switch (format) {
    case OutputFormat::tiff: return createTiffWriter(target, spec);
    case OutputFormat::tiffSeries: return createTiffSeriesWriter(target, spec);
    case OutputFormat::hdf5: return createHdf5Writer(target, spec);
    case OutputFormat::zarr: break;
    }
    return createZarrWriter(target, spec);
}

void copyVolume(const Volume& volume, VolumeWriter& writer, Progress& progress, std::int64_t memoryBytes)
{
    constexpr std::int64_t kDefaultBand = std::int64_t{64} << 20;
    const Extent& extent = volume.extent();
    const std::int64_t sliceBytes = checkedProduct(checkedProduct(extent.y, extent.x, "slice"), static_cast<std::int64_t>(dtypeSize(volume.info().dtype)), "slice");
    const std::int64_t fitting = (memoryBytes > 0 ? memoryBytes : kDefaultBand) / sliceBytes;
    const std::int64_t depth = std::clamp<std::int64_t>(std::min(volume.info().chunk.z, fitting), 1, extent.z);
    std::vector<std::byte> slices(static_cast<std::size_t>(depth * sliceBytes));
    for (std::int64_t z = 0; z < extent.z; z += depth) {
        const std::int64_t count = std::min(depth, extent.z - z);
        progress.throwIfCancelled();
        const auto part = std::span(slices).first(static_cast<std::size_t>(count * sliceBytes));
        volume.read({{z, 0, 0}, {count, extent.y, extent.x}}, part);
        progress.throwIfCancelled();
        for (std::int64_t i = 0; i < count; ++i) {
            writer.write(part.subspan(static_cast<std::size_t>(i * sliceBytes), static_cast<std::size_t>(sliceBytes)));
            progress.update("writing", z + i + 1, extent.z);
        }
    }
}

} // namespace voxelscribe::io
