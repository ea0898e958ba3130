#include "core/project/project_files.h"

#include "core/base/atomic_file.h"
#include "core/base/bytes.h"
#include "core/base/error.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace voxelscribe::project {

namespace fs = std::filesystem;

namespace {

bool isIntact(const std::string& text, const fs::path& file, const fs::path& folder)
{
    try {
        stateFromText(text, file, folder);
        return true;
    } catch (const Error&) {
        return false;
    }
}

bool isLeftOut(const fs::path& path, const fs::path& source)
{
    const std::string name = path.filename().string();
    return path == source / "lock" || (name.starts_with('.') && name.find(".part-") != std::string::npos);
}

std::int64_t bytesOfProject(const fs::path& source)
{
    std::int64_t bytes = 0;
    std::error_code ignored; // what vanishes meanwhile needs no space
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source, ignored))
        if (entry.is_regular_file(ignored))
            bytes += static_cast<std::int64_t>(entry.file_size(ignored));
    return bytes;
}

void copyFolder(const fs::path& from, const fs::path& to, const fs::path& source)
{
    fs::create_directory(to);
    for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
        const fs::path target = to / entry.path().filename();
        if (isLeftOut(entry.path(), source))
            continue;
        if (entry.is_directory() && !entry.is_symlink())
            copyFolder(entry.path(), target, source);
        else
            fs::copy(entry.path(), target, fs::copy_options::copy_symlinks);
    }
}

/// Brings all of a copy to the disk, before the original is given up.
void syncFileSystem(const fs::path& folder)
{
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool isDone = file >= 0 && ::syncfs(file) == 0;
    const int fault = errno;
    if (file >= 0)
        ::close(file);
    if (!isDone)
        throwSystemError("cannot finish writing", folder.string(), fault);
}

} // namespace

bool isProject(const fs::path& folder)
{
    std::error_code ignored; // what cannot be looked at is no project
    return fs::is_regular_file(folder / kStateFile, ignored) || fs::is_regular_file(folder / kStateBackup, ignored);
}

ProjectState readState(const fs::path& folder, std::vector<std::string>& notices)
{
    const fs::path file = folder / kStateFile;
    const fs::path backup = folder / kStateBackup;
    std::string fault;
    try {
        return stateFromText(readTextFile(file), file, folder);
    } catch (const Error& error) {
        if (!fs::exists(backup) || (fs::exists(file) && isOfNewerVersion(readTextFile(file))))
            throw;
        fault = error.what();
    }
    try {
        ProjectState state = stateFromText(readTextFile(backup), backup, folder);
        notices.push_back("the settings were taken from their backup, the last change of classes or settings may be missing: " + fault);
        return state;
    } catch (const Error& error) {
        throw Error(ErrorCode::format, fault + "; its backup cannot be used either: " + error.what()
                                           + "; the annotations in " + (folder / kAnnotations).string() + " can be imported into a new project");
    }
}

void writeState(const fs::path& folder, const ProjectState& state)
{
    const fs::path file = folder / kStateFile;
    const std::string text = stateText(state, folder);
    if (fs::exists(file)) {
        const std::string before = readTextFile(file);
        if (before == text)
            return;
        if (isIntact(before, file, folder))
            writeFileAtomically(folder / kStateBackup, before);
    }
    writeFileAtomically(file, text);
}

void copyProject(const fs::path& source, const fs::path& target)
{
    requireDiskSpace(target, bytesOfProject(source));
    try {
        copyFolder(source, target, source);
    } catch (const fs::filesystem_error& error) {
        const std::string what = error.path2().empty() ? error.path1().string() : error.path2().string();
        throwSystemError("cannot copy the project to", what, error.code().value());
    }
    syncFileSystem(target);
}

} // namespace voxelscribe::project
