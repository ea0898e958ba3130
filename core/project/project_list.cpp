#include "core/project/project_list.h"

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/project/image_link.h"
#include "core/project/project_files.h"

#include <algorithm>
#include <cstdlib>
#include <pwd.h>
#include <span>
#include <string_view>
#include <unistd.h>

namespace voxelscribe::project {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kDigestLength = 10;
constexpr std::size_t kLongestName = 80; // bytes; with digest and ending far below the 255 of a file name

fs::path homeFolder()
{
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        return home;
    const passwd* user = ::getpwuid(::getuid());
    return user != nullptr && user->pw_dir != nullptr ? fs::path(user->pw_dir) : fs::temp_directory_path();
}

/// Cut between characters, not inside one.
std::string shortened(std::string name)
{
    if (name.size() <= kLongestName)
        return name;
    std::size_t end = kLongestName;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0U) == 0x80U)
        --end;
    return name.substr(0, end);
}

/// The name of the image's file, without the data set behind it.
fs::path imageName(const std::string& imageSource)
{
    const std::size_t dataset = imageSource.rfind("::");
    const fs::path path = dataset == std::string::npos || dataset == 0 ? imageSource : imageSource.substr(0, dataset);
    return path.has_filename() ? path.filename() : path.parent_path().filename();
}

std::string digestOf(std::string_view text)
{
    Hash hash(Hash::Kind::sha256);
    hash.add(std::as_bytes(std::span(text.data(), text.size())));
    return hash.hex().substr(0, kDigestLength);
}

std::chrono::system_clock::time_point changeOf(const fs::path& path)
{
    std::error_code fault;
    const fs::file_time_type time = fs::last_write_time(path, fault);
    return fault ? std::chrono::system_clock::time_point{}
                 : std::chrono::time_point_cast<std::chrono::system_clock::duration>(std::chrono::file_clock::to_sys(time));
}

} // namespace

fs::path autosaveFolder()
{
    const char* chosen = std::getenv("XDG_DATA_HOME");
    const bool isUsable = chosen != nullptr && fs::path(chosen).is_absolute(); // the XDG standard ignores relative ones
    return (isUsable ? fs::path(chosen) : homeFolder() / ".local" / "share") / "voxelscribe" / "projects";
}

fs::path autosavePathFor(const std::string& imageSource)
{
    std::string absolute = fs::absolute(imageSource).lexically_normal().string();
    while (absolute.size() > 1 && absolute.back() == '/')
        absolute.pop_back();
    const std::string name = shortened(imageName(absolute).stem().string());
    return autosaveFolder() / ((name.empty() ? "image" : name) + "-" + digestOf(absolute) + ".voxelscribe");
}

bool isAutosaved(const fs::path& projectFolder)
{
    const fs::path folder = fs::absolute(projectFolder).lexically_normal();
    return (folder.has_filename() ? folder : folder.parent_path()).parent_path() == autosaveFolder().lexically_normal();
}

ProjectSummary summaryOf(const fs::path& projectFolder)
{
    ProjectSummary summary;
    summary.folder = projectFolder;
    summary.name = projectFolder.stem().string();
    std::vector<std::string> notices;
    summary.imageSource = readState(projectFolder, notices).imageSource;
    summary.imageMissing = imageIsMissing(summary.imageSource);
    if (isAutosaved(projectFolder) && !summary.imageSource.empty())
        summary.name = imageName(summary.imageSource).string();
    summary.lastChange = std::max(changeOf(projectFolder / kStateFile), changeOf(projectFolder / kAnnotations / "0"));
    return summary;
}

std::vector<ProjectSummary> listProjects(const fs::path& folder)
{
    std::vector<ProjectSummary> found;
    std::error_code ignored; // a folder that is not there, or may not be looked into, has no projects to offer
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path().filename().string().starts_with('.') || !isProject(entry.path()))
            continue;
        try {
            found.push_back(summaryOf(entry.path()));
        } catch (const Error&) {
            // Shown all the same: opening it says what is wrong.
            found.push_back({entry.path(), entry.path().stem().string(), {}, true, changeOf(entry.path() / kStateFile)});
        }
    }
    std::ranges::sort(found, std::ranges::greater(), &ProjectSummary::lastChange);
    return found;
}

} // namespace voxelscribe::project
