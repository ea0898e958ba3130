#include "core/io/dataset_choice.h"

#include "core/base/error.h"

namespace voxelscribe::io {

namespace {

std::string trimmed(std::string name)
{
    while (name.starts_with('/'))
        name.erase(0, 1);
    while (name.ends_with('/'))
        name.pop_back();
    return name;
}

} // namespace

bool sameDataset(const std::string& a, const std::string& b)
{
    return trimmed(a) == trimmed(b);
}

void throwUnknownDataset(const std::filesystem::path& file, const std::string& wanted, const std::vector<std::string>& names)
{
    constexpr std::size_t kShown = 8;
    std::string there;
    for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i)
        there += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kShown)
        there += " and " + std::to_string(names.size() - kShown) + " more";
    throw Error(ErrorCode::format, file.string() + ": no image is named \"" + wanted + "\"; there are " + there + "; choose one of these");
}

std::string foldedWarning(const VolumeInfo& info)
{
    std::string shape;
    for (const std::int64_t extent : info.shape)
        shape += (shape.empty() ? "" : "×") + std::to_string(extent);
    return info.name + " has " + std::to_string(info.shape.size()) + " axes (" + shape + "); all but the last two are shown one after the other as "
           + std::to_string(info.extent.z) + " slices";
}

} // namespace voxelscribe::io
