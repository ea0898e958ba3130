#include "core/io/tiff_series.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/series_names.h"
#include "core/io/tiff_index.h"
#include "core/io/tiff_reader.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>

namespace voxelscribe::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kCheckedMembers = 256; ///< headers read on opening; longer series are checked where file sizes stand out
constexpr std::size_t kListedSeries = 16;

/// What the header of one member says; `fault` where it is no slice.
struct Member {
    std::size_t index = 0;
    VolumeInfo info;
    std::string fault;
};

std::string slicesText(const VolumeInfo& info)
{
    return (info.extent.z > 1 ? info.extent.text() : std::to_string(info.extent.y) + "×" + std::to_string(info.extent.x)) + " "
           + std::string(dtypeName(info.dtype));
}

bool fits(const VolumeInfo& a, const VolumeInfo& b)
{
    return a.dtype == b.dtype && a.extent.y == b.extent.y && a.extent.x == b.extent.x;
}

/// Says so where uncompressed samples of a one-page member end before they should; empty otherwise.
std::string missingSamples(const TiffFile& file, const TiffPlanes& planes)
{
    const TiffPage& page = planes.page;
    if (!page.isRaw() || planes.count != 1)
        return {};
    const std::int64_t last = file.integers(page.chunkOffsets, page.chunkOffsets.count - 1, 1).front();
    const std::int64_t rows = page.isTiled() ? page.tileHeight : page.height - (page.height - 1) / page.rowsPerStrip * page.rowsPerStrip;
    const std::int64_t end = last + rows * page.chunkRowBytes();
    if (last == 0 || end <= file.size())
        return {};
    return "truncated: " + std::to_string(end) + " bytes expected, the file has " + std::to_string(file.size());
}

Member readMember(const fs::path& folder, const std::string& name, std::size_t index)
{
    Member member;
    member.index = index;
    try {
        const TiffFile file(folder / name);
        const TiffIndex tiff = indexTiff(file);
        member.info = tiff.arrays.front().info;
        member.fault = missingSamples(file, *tiff.arrays.front().planes);
    } catch (const Error& error) {
        member.fault = error.what();
    }
    return member;
}

/// Indices of the members whose headers are read at once: all of a short series, else the first, the last and those whose file size
/// stands out where nearly all are alike.
std::vector<std::size_t> membersToCheck(const fs::path& folder, const std::vector<std::string>& names)
{
    std::vector<std::size_t> chosen;
    if (names.size() <= kCheckedMembers) {
        for (std::size_t i = 0; i < names.size(); ++i)
            chosen.push_back(i);
        return chosen;
    }
    std::vector<std::uintmax_t> sizes;
    for (const std::string& name : names) {
        std::error_code fault;
        sizes.push_back(fs::file_size(folder / name, fault));
    }
    std::vector<std::uintmax_t> sorted = sizes;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
    const std::uintmax_t usual = sorted[sorted.size() / 2];
    const auto alike = static_cast<std::size_t>(std::count(sizes.begin(), sizes.end(), usual));
    chosen = {0, 1, names.size() / 2, names.size() - 1};
    if (alike * 10 >= sizes.size() * 9)
        for (std::size_t i = 2; i + 1 < sizes.size() && chosen.size() < kCheckedMembers; ++i)
            if (sizes[i] != usual && i != names.size() / 2)
                chosen.push_back(i);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

/// A series whose members are known as far as opening needs.
struct Series {
    fs::path folder;
    std::vector<std::string> names;
    VolumeInfo info;            ///< of the whole
    std::int64_t slicesEach = 1;
};

/// What most of the checked members look like.
const VolumeInfo* usualMember(const std::vector<Member>& members)
{
    const VolumeInfo* best = nullptr;
    std::ptrdiff_t most = 0;
    for (const Member& member : members) {
        if (!member.fault.empty() || (best != nullptr && fits(*best, member.info)))
            continue;
        const auto alike = std::count_if(members.begin(), members.end(), [&](const Member& other) {
            return other.fault.empty() && fits(other.info, member.info);
        });
        if (alike > most) {
            most = alike;
            best = &member.info;
        }
    }
    return best;
}

void sayOddMembers(const std::vector<Member>& members, const Series& series, std::vector<std::string>& warnings)
{
    constexpr std::size_t kNamed = 20;
    std::size_t odd = 0;
    VolumeInfo usual = series.info;
    usual.extent.z = series.slicesEach;
    for (const Member& member : members) {
        const std::string& name = series.names[member.index];
        std::string what;
        if (!member.fault.empty())
            what = name + " cannot be read (" + member.fault + ")";
        else if (!fits(member.info, series.info))
            what = name + " is " + slicesText(member.info) + ", the others are " + slicesText(usual);
        else if (member.info.extent.z != series.slicesEach && member.index + 1 != series.names.size())
            what = name + " holds " + counted(member.info.extent.z, "slice", "slices") + ", the others " + std::to_string(series.slicesEach);
        else
            continue;
        if (++odd <= kNamed)
            warnings.push_back(what + "; reading slice " + std::to_string(static_cast<std::int64_t>(member.index) * series.slicesEach) + " fails");
    }
    if (odd > kNamed)
        warnings.push_back("and " + std::to_string(odd - kNamed) + " more members like these");
}

std::string gapText(const NamedSeries& named)
{
    std::string gaps;
    for (std::size_t i = 0; i < named.gaps.size() && i < 10; ++i)
        gaps += (i == 0 ? "" : ", ") + named.gaps[i];
    if (named.gaps.size() > 10)
        gaps += " and " + std::to_string(named.gaps.size() - 10) + " more";
    return "numbers are missing in " + named.text() + ": " + gaps + "; the slices that are there follow one another without a gap";
}

Series describeSeries(const fs::path& folder, const NamedSeries& named)
{
    Series series;
    series.folder = folder;
    series.names = named.names;
    std::vector<Member> members;
    for (const std::size_t index : membersToCheck(folder, named.names))
        members.push_back(readMember(folder, named.names[index], index));
    const VolumeInfo* usual = usualMember(members);
    if (usual == nullptr)
        throw Error(ErrorCode::format, folder.string() + ": no member of " + named.pattern + " can be read: " + members.front().fault);
    const auto lookAlike = std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.fault.empty() && fits(m.info, *usual); });
    const Member& last = members.back();
    const bool lastFits = last.fault.empty() && fits(last.info, *usual);
    series.info = *usual;
    series.slicesEach = lookAlike->info.extent.z;
    VolumeInfo& info = series.info;
    info.extent.z = checkedProduct(static_cast<std::int64_t>(named.names.size() - 1), series.slicesEach, "series")
                    + (lastFits ? last.info.extent.z : series.slicesEach);
    info.name = named.pattern;
    info.axes = "zyx";
    info.shape = {info.extent.z, info.extent.y, info.extent.x};
    if (!named.gaps.empty())
        info.warnings.push_back(gapText(named));
    sayOddMembers(members, series, info.warnings);
    return series;
}

class SeriesVolume : public Volume {
public:
    explicit SeriesVolume(Series series)
        : Volume(std::move(series.info)), m_folder(std::move(series.folder)), m_names(std::move(series.names)), m_slicesEach(series.slicesEach)
    {
    }

private:
    void readRegion(const Region& region, std::span<std::byte> out) const override
    {
        const std::size_t sliceBytes = out.size() / static_cast<std::size_t>(region.extent.z);
        for (std::int64_t z = region.origin.z; z < region.end().z;) {
            const std::int64_t index = std::min(z / m_slicesEach, static_cast<std::int64_t>(m_names.size()) - 1);
            const std::int64_t local = z - index * m_slicesEach;
            const std::int64_t behind = index + 1 == static_cast<std::int64_t>(m_names.size()) ? m_info.extent.z : (index + 1) * m_slicesEach;
            const std::int64_t count = std::min(behind, region.end().z) - z;
            const Region part{{local, region.origin.y, region.origin.x}, {count, region.extent.y, region.extent.x}};
            member(static_cast<std::size_t>(index), behind - index * m_slicesEach)
                ->read(part, out.subspan(static_cast<std::size_t>(z - region.origin.z) * sliceBytes, static_cast<std::size_t>(count) * sliceBytes));
            z += count;
        }
    }

    /// The open member, checked against what the series promised; a few stay open.
    VolumePtr member(std::size_t index, std::int64_t slices) const
    {
        {
            const std::lock_guard lock(m_mutex);
            const auto found = std::find_if(m_open.begin(), m_open.end(), [&](const auto& open) { return open.first == index; });
            if (found != m_open.end()) {
                m_open.splice(m_open.begin(), m_open, found);
                return found->second;
            }
        }
        VolumePtr volume = openTiff(m_folder / m_names[index]);
        const VolumeInfo& found = volume->info();
        if (!fits(found, m_info) || found.extent.z != slices) {
            VolumeInfo expected = m_info;
            expected.extent.z = slices;
            throw Error(ErrorCode::format, (m_folder / m_names[index]).string() + ": does not fit its series: expected " + slicesText(expected)
                                               + ", found " + slicesText(found) + "; move it out of the folder or replace it");
        }
        constexpr std::size_t kOpen = 32;
        const std::lock_guard lock(m_mutex);
        m_open.emplace_front(index, volume);
        if (m_open.size() > kOpen)
            m_open.pop_back();
        return volume;
    }

    fs::path m_folder;
    std::vector<std::string> m_names;
    std::int64_t m_slicesEach;
    mutable std::mutex m_mutex;
    mutable std::list<std::pair<std::size_t, VolumePtr>> m_open; ///< latest first
};

std::vector<NamedSeries> seriesIn(const fs::path& folder)
{
    std::int64_t others = 0;
    std::vector<std::string> names = tiffNames(folder, others);
    if (names.empty())
        throw Error(ErrorCode::format, folder.string() + ": expected a folder with TIFF files, found "
                                           + (others == 0 ? "an empty folder" : counted(others, "other entry", "other entries") + " and no .tif or .tiff"));
    return groupSeries(std::move(names));
}

} // namespace

bool holdsTiffSeries(const fs::path& folder)
{
    std::error_code fault;
    std::int64_t others = 0;
    return fs::is_directory(folder, fault) && !tiffNames(folder, others).empty();
}

Listing listTiffSeries(const fs::path& folder)
{
    const std::vector<NamedSeries> all = seriesIn(folder);
    Listing listing;
    listing.path = folder;
    listing.format = "TIFF series";
    std::string refusal;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0)
            listing.warnings.push_back("the folder also holds " + counted(static_cast<long long>(all[i].names.size()), "file ", "files ")
                                       + all[i].text() + " (\"" + all[i].pattern + "\"), not part of this series");
        if (i >= kListedSeries)
            continue;
        try {
            listing.arrays.push_back(describeSeries(folder, all[i]).info);
        } catch (const Error& error) {
            refusal = error.what();
            listing.warnings.push_back("left out: " + refusal);
        }
    }
    if (listing.arrays.empty())
        throw Error(ErrorCode::format, refusal);
    return listing;
}

VolumePtr openTiffSeries(const fs::path& folder, const std::string& dataset)
{
    std::string names;
    for (const NamedSeries& named : seriesIn(folder)) {
        if (dataset.empty() || dataset == named.pattern)
            return std::make_shared<SeriesVolume>(describeSeries(folder, named));
        names += (names.empty() ? "\"" : ", \"") + named.pattern + "\"";
    }
    throw Error(ErrorCode::format, folder.string() + ": there is no series \"" + dataset + "\"; it has " + names);
}

std::vector<fs::path> seriesOf(const fs::path& member)
{
    const std::string name = member.filename().string();
    std::int64_t others = 0;
    std::error_code fault;
    const fs::path folder = member.has_parent_path() ? member.parent_path() : fs::path(".");
    if (fs::is_directory(member, fault) || !fs::is_directory(folder, fault))
        return {member};
    for (const NamedSeries& named : groupSeries(tiffNames(folder, others))) {
        if (std::find(named.names.begin(), named.names.end(), name) == named.names.end())
            continue;
        if (named.pattern.starts_with("*."))
            break; // names without a number are single images that lie in one folder
        std::vector<fs::path> paths;
        for (const std::string& each : named.names)
            paths.push_back(folder / each);
        return paths;
    }
    return {member};
}

VolumePtr openSeriesOf(const fs::path& member)
{
    if (!isTiffFile(member))
        return open(Source{member, {}});
    VolumePtr alone = openTiff(member);
    const std::vector<fs::path> members = seriesOf(member);
    if (members.size() < 2 || alone->extent().z > 1)
        return alone; // a stack that lies beside others is meant itself
    std::vector<std::string> names;
    for (const fs::path& path : members)
        names.push_back(path.filename().string());
    return std::make_shared<SeriesVolume>(describeSeries(members.front().parent_path(), groupSeries(std::move(names)).front()));
}

} // namespace voxelscribe::io
