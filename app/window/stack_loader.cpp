#include "app/window/stack_loader.h"

#include "core/base/error.h"
#include "core/labels/class_table.h"
#include "core/volume/statistics.h"
#include "core/volume/views.h"

#include <algorithm>

namespace voxelscribe::window {

namespace fs = std::filesystem;

namespace {

bool isProjectFolder(const fs::path& path)
{
    return path.extension() == ".voxelscribe" || fs::exists(path / "project.json");
}

project::ProjectState freshState(const OpenRequest& request, const io::Source& source, const Volume& volume)
{
    project::ProjectState state;
    state.imageSource = source.text();
    state.imageFingerprint = project::imageFingerprint(volume.info(), source.path);
    state.extent = volume.extent();
    state.voxelSizeUm = request.voxelSizeUm;
    labels::ClassTable table;
    for (const ClassInfo& info : request.classes)
        table.add(info.name);
    while (table.classes().size() < 2)
        table.add();
    state.classes = table.classes();
    state.nextClassId = table.nextId();
    return state;
}

/// The image of a project and whether it is still the one that was annotated.
void requireSameExtent(const project::ProjectState& state, const Volume& volume, const std::string& image)
{
    if (state.extent == volume.extent())
        return;
    throw Error(ErrorCode::shape, image + ": the project was made for an image of " + state.extent.text() + " (z×y×x), this one has "
                                      + volume.extent().text() + "; open the image it was made for, or open this one by itself");
}

std::unique_ptr<project::Project> projectOfImage(const OpenRequest& request, const io::Source& source, const Volume& volume)
{
    const fs::path folder = project::autosavePathFor(source.text());
    if (!fs::exists(folder / "project.json"))
        return project::Project::create(folder, freshState(request, source, volume));
    auto project = project::Project::open(folder);
    if (project->state().extent == volume.extent() || project->isReadOnly())
        return project;
    // The file under this name has changed its shape: the old strokes are kept aside, never drawn over other data.
    project.reset();
    fs::path aside = folder;
    for (int n = 1; fs::exists(aside); ++n)
        aside = folder.parent_path() / (folder.stem().string() + "-earlier-" + std::to_string(n) + ".voxelscribe");
    fs::rename(folder, aside);
    return project::Project::create(folder, freshState(request, source, volume));
}

/// The folder whose series a picked file belongs to; empty where the file stands alone, or where opening the folder would
/// show another series.
fs::path seriesFolderOf(const fs::path& member)
{
    if (!fs::is_regular_file(member))
        return {};
    const std::size_t count = io::seriesOf(member).size();
    if (count < 2 || io::list(io::Source{member, {}}).arrays.front().extent.z != 1)
        return {};
    const fs::path folder = fs::absolute(member).parent_path();
    const io::Listing listing = io::list(io::Source{folder, {}});
    return listing.arrays.front().extent.z == static_cast<std::int64_t>(count) ? folder : fs::path();
}

void openProject(const OpenRequest& request, OpenedStack& stack)
{
    stack.project = project::Project::open(request.path);
    const project::ProjectState& state = stack.project->state();
    stack.source = io::Source::parse(request.relinkedImage.empty() ? state.imageSource : request.relinkedImage);
    if (project::imageIsMissing(stack.source.text()))
        throw OpenFailure{"The image of this project is not where it was: " + stack.source.path.string()
                              + ". The strokes are safe; show where the image is now.",
                          true, stack.source.path.string()};
    stack.volume = io::open(stack.source);
    requireSameExtent(state, *stack.volume, stack.source.text());
    if (!request.relinkedImage.empty() && !stack.project->isReadOnly()) {
        project::ProjectState relinked = state;
        relinked.imageSource = stack.source.text();
        stack.project->saveState(relinked);
    }
}

/// Keeps the first of equal lines, in order.
void removeRepeated(std::vector<std::string>& lines)
{
    std::vector<std::string> kept;
    for (std::string& line : lines)
        if (std::ranges::find(kept, line) == kept.end())
            kept.push_back(std::move(line));
    lines = std::move(kept);
}

} // namespace

OpenedStack openStack(const OpenRequest& request, std::shared_ptr<ChunkCache> cache)
{
    OpenedStack stack;
    stack.source = io::Source::parse(request.path);
    stack.source.path = fs::absolute(stack.source.path).lexically_normal();
    if (isProjectFolder(stack.source.path)) {
        openProject(request, stack);
        stack.listing = io::list(io::Source{stack.source.path, {}});
    } else {
        if (request.offerSeries && stack.source.dataset.empty())
            if (const fs::path folder = seriesFolderOf(stack.source.path); !folder.empty()) {
                stack.pickedMember = stack.source.path;
                stack.source.path = folder;
            }
        stack.listing = io::list(io::Source{stack.source.path, {}});
        stack.volume = io::open(stack.source);
        stack.project = projectOfImage(request, stack.source, *stack.volume);
        requireSameExtent(stack.project->state(), *stack.volume, stack.source.text());
    }
    stack.lockOwner = stack.project->lockOwner();
    stack.labels = stack.project->loadAnnotations();
    const auto [low, high] = contrastOf(*stack.volume, stack.volume->extent().z / 2);
    stack.contrastLow = low;
    stack.contrastHigh = high;
    stack.volume = cachedVolume(stack.volume, std::move(cache));
    stack.notices = stack.listing.warnings;
    const auto& own = stack.volume->info().warnings;
    stack.notices.insert(stack.notices.end(), own.begin(), own.end());
    const auto& ofProject = stack.project->notices();
    stack.notices.insert(stack.notices.end(), ofProject.begin(), ofProject.end());
    removeRepeated(stack.notices); // a file and its only array often say the same
    return stack;
}

std::pair<double, double> contrastOf(const Volume& volume, std::int64_t z)
{
    constexpr std::int64_t kEdge = 1536; // pixels: enough for percentiles, a few megabytes to read
    const Extent whole = volume.extent();
    const Extent part{1, std::min(whole.y, kEdge), std::min(whole.x, kEdge)};
    const Region region{{z, (whole.y - part.y) / 2, (whole.x - part.x) / 2}, part};
    const std::vector<float> samples = readAs<float>(volume, region);
    const auto crop = makeMemoryVolume<float>(part, samples);
    SilentProgress silent;
    StatisticsOptions options;
    options.histogramBins = 4096;
    const VolumeStatistics statistics = computeStatistics(*crop, options, silent);
    if (statistics.finite == 0 || statistics.min >= statistics.max)
        return {statistics.finite == 0 ? 0.0 : statistics.min, statistics.finite == 0 ? 1.0 : statistics.min + 1};
    const double low = statistics.percentile(0.005);
    const double high = statistics.percentile(0.995);
    return low < high ? std::pair{low, high} : std::pair{statistics.min, statistics.max};
}

} // namespace voxelscribe::window
