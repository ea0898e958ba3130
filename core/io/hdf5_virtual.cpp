#include "core/io/hdf5_virtual.h"

#include "core/io/hdf5_support.h"
#include "core/io/hdf5_tree.h"

#include <algorithm>
#include <map>
#include <set>

namespace voxelscribe::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kShown = 3;
/// Only so many source files are opened to see whether the data set is in them; of the others, existence counts.
constexpr std::size_t kMostOpened = 32;

std::string sourceText(hid_t properties, std::size_t index, ssize_t (*get)(hid_t, size_t, char*, size_t))
{
    const ssize_t length = get(properties, index, nullptr, 0);
    std::string text(static_cast<std::size_t>(std::max<ssize_t>(0, length)) + 1, '\0');
    get(properties, index, text.data(), text.size());
    text.pop_back();
    return text;
}

fs::path located(const std::string& name, const fs::path& path)
{
    const fs::path folder = fs::absolute(path).parent_path();
    std::error_code ignored; // what cannot be looked at is missing
    for (const fs::path& candidate : {folder / name, fs::path(name), folder / fs::path(name).filename()})
        if (fs::exists(candidate, ignored))
            return candidate;
    return {};
}

bool holdsDataset(const fs::path& file, const std::string& dataset)
{
    const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_file_locking(access.get(), false, true);
    const Hdf5Id id(H5Fopen(file.c_str(), H5F_ACC_RDONLY, access.get()));
    const bool found = id && hdf5Exists(id.get(), dataset.starts_with('/') ? dataset : "/" + dataset);
    H5Eclear2(H5E_DEFAULT);
    return found;
}

} // namespace

std::string VirtualSources::advice() const
{
    if (missing.empty())
        return {};
    std::string names;
    for (std::size_t i = 0; i < std::min(kShown, missing.size()); ++i)
        names += (i == 0 ? "" : ", ") + missing[i];
    if (missing.size() > kShown)
        names += " and " + std::to_string(missing.size() - kShown) + " more";
    return "of the " + std::to_string(total) + " sources of this virtual data set, " + std::to_string(missing.size()) + " cannot be found ("
           + names + "); their voxels would read as the fill value; put the files beside this one";
}

VirtualSources virtualSources(hid_t properties, const fs::path& path)
{
    VirtualSources sources;
    if (H5Pget_layout(properties) != H5D_VIRTUAL)
        return sources;
    std::size_t count = 0;
    H5Pget_virtual_count(properties, &count);
    std::set<std::pair<std::string, std::string>> met;
    std::map<std::string, fs::path> files;
    std::size_t opened = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string file = sourceText(properties, i, H5Pget_virtual_filename);
        const std::string dataset = sourceText(properties, i, H5Pget_virtual_dsetname);
        if (file.find('%') != std::string::npos || !met.emplace(file, dataset).second)
            continue; // a pattern of names grows with the scan
        ++sources.total;
        const auto [at, isNew] = files.try_emplace(file);
        if (isNew)
            at->second = file == "." ? path : located(file, path);
        if (at->second.empty() || (opened++ < kMostOpened && !holdsDataset(at->second, dataset)))
            sources.missing.push_back(file + "::" + dataset);
    }
    return sources;
}

} // namespace voxelscribe::io
