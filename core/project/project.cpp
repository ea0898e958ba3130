#include "core/project/project.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/project/annotation_store.h"
#include "core/project/project_files.h"
#include "core/project/project_lock.h"

#include <cerrno>
#include <utility>

namespace voxelscribe::project {

namespace fs = std::filesystem;
using labels::LabelVolume;

namespace {

fs::path cleanFolder(const fs::path& folder)
{
    const fs::path clean = fs::absolute(folder).lexically_normal();
    return clean.has_filename() ? clean : clean.parent_path();
}

void requireAbsent(const fs::path& folder)
{
    std::error_code fault;
    if (fs::exists(folder, fault))
        throw Error(ErrorCode::io, folder.string() + " exists already; choose another name, or open it if it is a project");
}

void makeFolder(const fs::path& folder)
{
    std::error_code fault;
    fs::create_directories(folder, fault);
    if (fault)
        throwSystemError("cannot make the folder", folder.string(), fault.value());
}

bool isBelow(const fs::path& path, const fs::path& folder)
{
    const fs::path relative = path.lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
}

} // namespace

Project::Project(fs::path folder, std::unique_ptr<ProjectLock> lock) : m_folder(std::move(folder)), m_lock(std::move(lock))
{
    if (!m_lock->problem().empty())
        m_notices.push_back(m_folder.string() + ": " + m_lock->problem());
}

Project::~Project() = default;

std::unique_ptr<Project> Project::create(const fs::path& folder, const ProjectState& state)
{
    const fs::path clean = cleanFolder(folder);
    requireAbsent(clean);
    makeFolder(clean.parent_path());
    AtomicPath fresh(clean);
    makeFolder(fresh.temporary() / kModels);
    makeFolder(fresh.temporary() / kResults);
    AnnotationStore(fresh.temporary() / kAnnotations, state.extent).create(state);
    writeFileAtomically(fresh.temporary() / kStateFile, stateText(state, clean));
    fresh.commit();
    return open(clean);
}

std::unique_ptr<Project> Project::open(const fs::path& folder)
{
    const fs::path clean = cleanFolder(folder);
    std::error_code fault;
    if (!fs::exists(clean, fault))
        throwSystemError("cannot open the project", clean.string(), fault ? fault.value() : ENOENT);
    if (!isProject(clean))
        throw Error(ErrorCode::format, clean.string() + " is no project: expected a folder with " + kStateFile + "; choose a folder NAME.voxelscribe");
    std::unique_ptr<Project> project(new Project(clean, std::make_unique<ProjectLock>(clean)));
    project->m_state = readState(clean, project->m_notices);
    return project;
}

bool Project::isReadOnly() const
{
    return !m_lock->isHeld();
}

const std::string& Project::lockOwner() const
{
    return m_lock->owner();
}

fs::path Project::annotationsPath() const
{
    return m_folder / kAnnotations;
}

fs::path Project::modelsFolder() const
{
    return m_folder / kModels;
}

fs::path Project::resultsFolder() const
{
    return m_folder / kResults;
}

void Project::requireWritable() const
{
    if (!isReadOnly())
        return;
    throw Error(ErrorCode::io, m_folder.string() + " is open read-only: "
                                   + (lockOwner().empty() ? m_lock->problem() + "; save it as a new project elsewhere"
                                                          : "it is in use by " + lockOwner() + "; close it there, or save it as a new project"));
}

void Project::withRepair(const std::function<void()>& task)
{
    try {
        task();
    } catch (const Error&) {
        const AnnotationStore store(annotationsPath(), m_state.extent);
        if (isReadOnly() || store.isDescribed())
            throw;
        store.repair(m_state);
        m_notices.push_back(annotationsPath().string() + ": its description was missing or damaged and has been written anew");
        task();
    }
}

void Project::saveState(const ProjectState& state)
{
    requireWritable();
    if (state.extent != m_state.extent)
        throw Error(ErrorCode::shape, m_folder.string() + ": the project was made for an image of " + m_state.extent.text()
                                          + ", not of " + state.extent.text() + "; make a new project for the other image");
    writeState(m_folder, state);
    m_state = state;
    m_state.imageSource = imageLink(state.imageSource, m_folder).absolute;
    withRepair([this] { AnnotationStore(annotationsPath(), m_state.extent).describe(m_state); });
}

LabelVolume Project::loadAnnotations()
{
    LabelVolume labels(m_state.extent);
    withRepair([&] {
        AnnotationStore::Loaded loaded = AnnotationStore(annotationsPath(), m_state.extent).load();
        labels = std::move(loaded.labels);
        m_damaged = std::move(loaded.damaged);
        m_notices.insert(m_notices.end(), loaded.notices.begin(), loaded.notices.end());
    });
    return labels;
}

void Project::saveAnnotationChunks(const LabelVolume& labels, const std::vector<LabelVolume::ChunkKey>& keys)
{
    requireWritable();
    withRepair([&] {
        const AnnotationStore store(annotationsPath(), m_state.extent);
        if (!std::exchange(m_isTidy, true))
            store.removeLeftovers();
        store.setAside(std::exchange(m_damaged, {}), m_folder / "damaged");
        store.save(labels, keys);
    });
}

void Project::relink()
{
    try {
        writeState(m_folder, m_state);
    } catch (const Error& error) {
        m_notices.push_back(std::string("the project has moved, but still names its image as seen from its old place: ") + error.what());
    }
}

void Project::moveTo(const fs::path& target)
{
    const fs::path clean = cleanFolder(target);
    requireAbsent(clean);
    if (isBelow(clean, m_folder))
        throw Error(ErrorCode::io, clean.string() + " lies inside the project itself; choose a folder outside " + m_folder.string());
    const bool isReplaced = isAutosaved(m_folder) && !isReadOnly();
    std::error_code fault;
    if (isReplaced) {
        fs::rename(m_folder, clean, fault); // at once, however much it holds; the lock moves along
        if (!fault) {
            m_folder = clean;
            return relink();
        }
    }
    AtomicPath copy(clean);
    copyProject(m_folder, copy.temporary());
    writeFileAtomically(copy.temporary() / kStateFile, stateText(m_state, clean));
    copy.commit();
    const fs::path old = std::exchange(m_folder, clean);
    m_lock = std::make_unique<ProjectLock>(m_folder);
    if (isReplaced)
        fs::remove_all(old, fault);
    if (fault)
        m_notices.push_back("the copy is complete, but " + old.string() + " could not be removed: " + fault.message());
}

} // namespace voxelscribe::project
