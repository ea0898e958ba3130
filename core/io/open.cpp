#include "core/io/open.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/hdf5_volume.h"
#include "core/io/tiff_reader.h"
#include "core/io/tiff_series.h"
#include "core/io/zarr_volume.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace voxelscribe::io {

namespace fs = std::filesystem;

namespace {

enum class Kind { tiff, tiffSeries, hdf5, zarr };

constexpr const char* kExpected = "expected a TIFF, an HDF5 or NeXus file, a Zarr folder or a folder of TIFF files";

/// What a file's first bytes say where they are those of something else.
std::string looksLike(std::span<const char> head)
{
    constexpr std::array<std::pair<std::string_view, const char*>, 12> kKnown{{{"\x89PNG", "a PNG image"}, {"\xff\xd8\xff", "a JPEG image"},
        {"PK\x03\x04", "a ZIP archive"}, {"%PDF", "a PDF"}, {"CDF\x01", "a netCDF 3 file"}, {"CDF\x02", "a netCDF 3 file"}, {"\x93NUMPY", "a NumPy array"},
        {"GIF8", "a GIF image"}, {"BM", "a Windows bitmap"}, {"\x1f\x8b", "a gzip archive"}, {"SIMPLE  =", "a FITS image"}, {"II\xbc", "a JPEG XR image"}}};
    const std::string_view text(head.data(), head.size());
    for (const auto& [magic, name] : kKnown)
        if (text.starts_with(magic))
            return name;
    return "a file of another kind";
}

std::string foundIn(const fs::path& folder)
{
    constexpr std::size_t kShown = 3;
    std::size_t count = 0;
    std::string names;
    std::error_code fault;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, fault))
        if (count++ < kShown)
            names += (names.empty() ? "" : ", ") + entry.path().filename().string();
    if (fault)
        throwSystemError("cannot read the folder", folder.string(), fault.value());
    if (count == 0)
        return "the folder is empty";
    return "the folder holds " + counted(static_cast<long long>(count), "entry", "entries") + " (" + names + (count > kShown ? ", …" : "") + ") and no image";
}

Kind kindOfFolder(const fs::path& folder)
{
    if (isZarr(folder))
        return Kind::zarr;
    if (::access(folder.c_str(), R_OK | X_OK) != 0)
        throwSystemError("cannot read the folder", folder.string(), errno);
    if (holdsTiffSeries(folder))
        return Kind::tiffSeries;
    throw Error(ErrorCode::format, folder.string() + ": " + foundIn(folder) + "; " + kExpected + "; choose another folder or a file in it");
}

std::vector<char> headOf(const fs::path& file)
{
    std::vector<char> head(16);
    const int id = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t got = id < 0 ? -1 : ::read(id, head.data(), head.size());
    const int fault = errno;
    if (id >= 0)
        ::close(id);
    if (got < 0)
        throwSystemError("cannot read", file.string(), fault);
    head.resize(static_cast<std::size_t>(got));
    return head;
}

Kind kindOfFile(const fs::path& file)
{
    const std::vector<char> head = headOf(file);
    if (head.empty())
        throw Error(ErrorCode::format, file.string() + " is empty (0 bytes); " + kExpected + "; copy or transfer it again");
    if (isTiff(std::as_bytes(std::span(head))))
        return Kind::tiff;
    if (isHdf5File(file))
        return Kind::hdf5;
    throw Error(ErrorCode::format, file.string() + ": " + kExpected + ", found " + looksLike(head) + "; convert it to one of these first");
}

Kind kindOf(const fs::path& path)
{
    struct stat about{};
    if (::stat(path.c_str(), &about) != 0)
        throwSystemError("cannot open", path.string(), errno);
    if (S_ISDIR(about.st_mode))
        return kindOfFolder(path);
    if (S_ISREG(about.st_mode))
        return kindOfFile(path);
    throw Error(ErrorCode::format, path.string() + " is neither a file nor a folder; " + kExpected);
}

/// Puts the array that `name` names first. @throws as opening it does where there is none.
void putFirst(Listing& listing, const Source& source)
{
    for (std::size_t i = 0; i < listing.arrays.size(); ++i)
        if (listing.arrays[i].name == source.dataset || "/" + source.dataset == listing.arrays[i].name) {
            std::rotate(listing.arrays.begin(), listing.arrays.begin() + static_cast<std::ptrdiff_t>(i), listing.arrays.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            return;
        }
    listing.arrays.insert(listing.arrays.begin(), open(source)->info());
}

} // namespace

Listing list(const Source& source)
{
    Listing listing;
    switch (kindOf(source.path)) {
    case Kind::tiff: listing = listTiff(source.path); break;
    case Kind::tiffSeries: listing = listTiffSeries(source.path); break;
    case Kind::hdf5: listing = listHdf5(source.path); break;
    case Kind::zarr: listing = listZarr(source.path); break;
    }
    if (!source.dataset.empty())
        putFirst(listing, source);
    return listing;
}

VolumePtr open(const Source& source)
{
    switch (kindOf(source.path)) {
    case Kind::tiff: return openTiff(source.path, source.dataset);
    case Kind::tiffSeries: return openTiffSeries(source.path, source.dataset);
    case Kind::hdf5: return openHdf5(source.path, source.dataset);
    case Kind::zarr: break;
    }
    return openZarr(source.path, source.dataset);
}

} // namespace voxelscribe::io
