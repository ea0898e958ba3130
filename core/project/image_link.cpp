#include "core/project/image_link.h"

namespace voxelscribe::project {

namespace fs = std::filesystem;

namespace {

fs::path absoluteNormal(const fs::path& path)
{
    return path.empty() ? path : fs::absolute(path).lexically_normal();
}

/// "/a/b/" and "/a/b" name the same folder; only the latter has "/a" as its parent.
fs::path withoutSlash(const fs::path& path)
{
    return path.has_filename() ? path : path.parent_path();
}

} // namespace

// The data set behind "::" looks like further folders to std::filesystem, so it takes part unchanged in all of this.

ImageLink imageLink(const std::string& imageSource, const fs::path& projectFolder)
{
    if (imageSource.empty())
        return {};
    const fs::path image = absoluteNormal(imageSource);
    const fs::path folder = withoutSlash(absoluteNormal(projectFolder));
    const fs::path below = image.lexically_relative(folder.parent_path());
    const bool isNear = !below.empty() && *below.begin() != "..";
    return {isNear ? image.lexically_relative(folder).generic_string() : image.string(), image.string()};
}

std::string resolvedImage(const ImageLink& link, const fs::path& projectFolder)
{
    if (link.source.empty())
        return {};
    const std::string source = (absoluteNormal(projectFolder) / link.source).lexically_normal().string();
    return imageIsMissing(source) && !link.absolute.empty() && !imageIsMissing(link.absolute) ? link.absolute : source;
}

bool imageIsMissing(const std::string& imageSource)
{
    std::error_code ignored; // what cannot be looked at cannot be opened either
    if (!imageSource.empty() && fs::exists(imageSource, ignored))
        return false;
    for (std::size_t at = imageSource.rfind("::"); at != std::string::npos && at > 0; at = imageSource.rfind("::", at - 1))
        if (fs::exists(imageSource.substr(0, at), ignored))
            return false;
    return true;
}

std::string imageFingerprint(const VolumeInfo& info, const fs::path& path)
{
    std::string text = info.extent.text() + " " + std::string(dtypeName(info.dtype));
    std::error_code fault;
    if (const auto bytes = fs::is_regular_file(path, fault) ? fs::file_size(path, fault) : 0; !fault && bytes > 0)
        text += ", " + std::to_string(bytes) + " bytes";
    return text;
}

} // namespace voxelscribe::project
