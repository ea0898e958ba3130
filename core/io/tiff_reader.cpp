#include "core/io/tiff_reader.h"

#include "core/base/error.h"
#include "core/io/tiff_index.h"

#include <array>
#include <fstream>
#include <memory>
#include <utility>

namespace voxelscribe::io {

bool isTiffFile(const std::filesystem::path& path)
{
    std::array<char, 4> first{};
    std::ifstream in(path, std::ios::binary);
    in.read(first.data(), first.size());
    return in.gcount() == 4 && isTiff(std::as_bytes(std::span(first)));
}

Listing listTiff(const std::filesystem::path& path)
{
    const TiffFile file(path);
    TiffIndex index = indexTiff(file);
    Listing listing;
    listing.path = path;
    listing.format = file.isBig() ? "BigTIFF" : "TIFF";
    listing.warnings = std::move(index.warnings);
    for (TiffArray& array : index.arrays)
        listing.arrays.push_back(std::move(array.info));
    return listing;
}

VolumePtr openTiff(const std::filesystem::path& path, const std::string& dataset)
{
    auto file = std::make_shared<const TiffFile>(path);
    TiffIndex index = indexTiff(*file);
    std::string names;
    for (TiffArray& array : index.arrays) {
        const std::string& name = array.info.name;
        // the part behind the file's name will do, so that a renamed file keeps its arrays
        const std::string tail = name.substr(std::min(name.size(), path.filename().string().size() + 1));
        if (dataset.empty() || dataset == name || (!tail.empty() && dataset == tail))
            return makeTiffVolume(std::move(array), std::make_shared<const TiffDecoder>(std::move(file)));
        names += (names.empty() ? "" : ", ") + ("\"" + name + "\"");
    }
    throw Error(ErrorCode::format, path.string() + ": there is no array \"" + dataset + "\"; it has " + names);
}

} // namespace voxelscribe::io
