#include "core/io/tiff_index.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/tiff_description.h"
#include "core/io/tiff_voxel_size.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace voxelscribe::io {

namespace {

constexpr std::int64_t kListedChannels = 16;

/// The pages of a file, grouped, before they get names.
struct Pages {
    std::vector<TiffPlanes> groups;
    std::int64_t count = 0;
    std::string end; ///< why the chain of pages ends, where it should not
};

/// Offset of the samples of a page that lie in one piece and uncompressed.
std::optional<std::int64_t> onePiece(const TiffFile& file, const TiffPage& page)
{
    if (!page.isRaw() || page.isTiled() || page.planar == 2 || page.chunkOffsets.count < 1 || page.rowsPerStrip < 1
        || page.chunkOffsets.count > (1 << 20))
        return std::nullopt;
    const auto offsets = file.integers(page.chunkOffsets);
    const std::int64_t stripBytes = page.rowsPerStrip * page.chunkRowBytes();
    for (std::size_t i = 1; i < offsets.size(); ++i)
        if (offsets[i] != offsets[0] + static_cast<std::int64_t>(i) * stripBytes)
            return std::nullopt;
    return offsets.front() > 0 ? std::optional(offsets.front()) : std::nullopt;
}

/// Planes that the description puts behind the only directory (ImageJ's way to store more than 4 GB), or that lie so behind many
/// directories, which need not be walked then.
std::optional<TiffPlanes> contiguousPlanes(const TiffFile& file, const TiffPage& first, const TiffDescription& description)
{
    constexpr std::int64_t kWorthwhile = 1000; // fewer directories are walked, to see whether they are as declared
    if (!description.contiguous || (first.next != 0 && description.images < kWorthwhile))
        return std::nullopt;
    const auto offset = onePiece(file, first);
    if (!offset)
        return std::nullopt;
    if (first.next != 0) {
        const auto second = file.readPage(first.next);
        const std::int64_t whole = checkedProduct(first.pageBytes(), description.images, "TIFF stack");
        if (!second || !second->matches(first) || onePiece(file, *second) != *offset + first.pageBytes() || *offset > file.size() - whole
            || (first.next >= *offset && first.next < *offset + whole))
            return std::nullopt;
    }
    TiffPlanes planes;
    planes.page = first;
    planes.dataOffset = offset;
    planes.count = description.images;
    return planes;
}

Pages walk(const TiffFile& file, const TiffPage& first)
{
    Pages pages;
    std::unordered_set<std::int64_t> seen;
    std::int64_t at = first.offset;
    while (at != 0) {
        if (!seen.insert(at).second) {
            pages.end = "its pages run in a loop; the " + counted(pages.count, "page", "pages") + " before it are shown";
            break;
        }
        const auto page = file.readPage(at);
        if (!page) {
            pages.end = "truncated: the directory of page " + std::to_string(pages.count) + " should lie at byte " + std::to_string(at)
                        + ", the file has " + std::to_string(file.size()) + " bytes; only the " + counted(pages.count, "page", "pages")
                        + " before it can be read";
            break;
        }
        ++pages.count;
        auto group = std::find_if(pages.groups.begin(), pages.groups.end(), [&](const TiffPlanes& g) { return g.page.matches(*page); });
        if (group == pages.groups.end()) {
            if (pages.groups.size() >= 256) {
                pages.end = "more than 256 kinds of pages: the file is damaged or no stack; the rest is left out";
                break;
            }
            group = pages.groups.insert(group, TiffPlanes{*page, {}, std::nullopt, 0});
        }
        group->directories.push_back(at);
        ++group->count;
        at = page->next;
    }
    return pages;
}

/// The largest first; reduced copies and masks behind all others.
void sortGroups(std::vector<TiffPlanes>& groups)
{
    const auto weight = [](const TiffPlanes& planes) {
        return static_cast<double>(planes.page.width) * static_cast<double>(planes.page.height) * static_cast<double>(planes.count);
    };
    std::stable_sort(groups.begin(), groups.end(), [&](const TiffPlanes& a, const TiffPlanes& b) {
        const bool aCopy = (a.page.subfileType & 5) != 0;
        const bool bCopy = (b.page.subfileType & 5) != 0;
        return aCopy != bCopy ? bCopy : weight(a) > weight(b);
    });
}

std::string pageText(const TiffPlanes& planes, DType dtype)
{
    return counted(planes.count, "page", "pages") + " of " + std::to_string(planes.page.height) + "×" + std::to_string(planes.page.width) + " "
           + std::string(dtypeName(dtype));
}

/// Turns one group of pages into arrays.
class ArrayMaker {
public:
    ArrayMaker(const TiffFile& file, const TiffDescription& description, std::string name, TiffPlanes planes)
        : m_file(file), m_description(description), m_name(std::move(name)),
          m_planes(std::make_shared<const TiffPlanes>(std::move(planes))), m_dtype(requireReadable(file, m_planes->page))
    {
    }

    DType dtype() const { return m_dtype; }
    const TiffPlanes& planes() const { return *m_planes; }

    std::vector<TiffArray> make()
    {
        const TiffDescription& said = m_description;
        const auto declared = checkedProduct(checkedProduct(said.channels, said.slices, "TIFF stack"), said.frames, "TIFF stack");
        if (m_planes->page.samples > 1)
            makeSamples();
        else if (said.channels > 1 && declared == m_planes->count)
            makeChannels();
        else
            m_arrays.push_back({info(m_name, m_planes->count), m_planes, wholeOrder()});
        if (said.frames > 1 && declared == m_planes->count && said.slices > 1)
            m_arrays.front().info.warnings.push_back(counted(said.frames, "time point", "time points") + " of "
                                                     + counted(said.slices, "slice", "slices") + " follow one another along z");
        return std::move(m_arrays);
    }

private:
    TiffSliceOrder wholeOrder() const
    {
        TiffSliceOrder order;
        order.slices = m_planes->count;
        return order;
    }

    VolumeInfo info(const std::string& name, std::int64_t slices)
    {
        const TiffPage& page = m_planes->page;
        VolumeInfo info;
        info.name = name;
        info.dtype = m_dtype;
        info.extent = {slices, page.height, page.width};
        (void)info.extent.voxels(); // refuses what cannot be addressed
        info.axes = slices == 1 ? "yx" : "zyx";
        info.shape = {slices, page.height, page.width};
        if (slices == 1)
            info.shape.erase(info.shape.begin());
        info.chunk = cheapestBlock(page, m_dtype);
        info.voxelSizeUm = tiffVoxelSize(m_file, page, m_description, slices > 1, info.warnings);
        if (page.photometric == 0)
            info.warnings.push_back("the file shows small values as white (MinIsWhite); values are given as stored");
        if (!m_description.calibration.empty())
            info.warnings.push_back("ImageJ shows calibrated grey values (" + m_description.calibration + "); values are given as stored");
        return info;
    }

    void makeSamples()
    {
        const std::int64_t samples = m_planes->page.samples;
        const bool colour = m_planes->page.photometric == 2 && samples >= 3;
        for (std::int64_t s = 0; s < std::min(samples, kListedChannels); ++s) {
            TiffSliceOrder order = wholeOrder();
            order.sample = s;
            m_arrays.push_back({info(channelName(s), m_planes->count), m_planes, order});
        }
        TiffSliceOrder order = wholeOrder();
        order.samplesAsSlices = samples;
        VolumeInfo all = info(allName(), checkedProduct(m_planes->count, samples, "TIFF stack"));
        all.axes = m_planes->count == 1 ? "syx" : "zsyx";
        all.shape = {m_planes->count, samples, m_planes->page.height, m_planes->page.width};
        if (m_planes->count == 1)
            all.shape.erase(all.shape.begin());
        m_arrays.push_back({std::move(all), m_planes, order});
        sayChannels(counted(samples, "sample", "samples") + " a pixel" + (colour ? " (red, green, blue)" : ""));
    }

    void makeChannels()
    {
        const TiffDescription& said = m_description;
        std::int64_t steps[3] = {1, 1, 1}; // c, z, t
        std::int64_t step = 1;
        for (const char axis : said.order) {
            const std::size_t i = axis == 'c' ? 0 : axis == 'z' ? 1 : 2;
            steps[i] = step;
            step *= i == 0 ? said.channels : i == 1 ? said.slices : said.frames;
        }
        for (std::int64_t c = 0; c < std::min(said.channels, kListedChannels); ++c) {
            const TiffSliceOrder order{said.slices, steps[1], steps[2], c * steps[0], 0, 1};
            m_arrays.push_back({info(channelName(c), said.slices * said.frames), m_planes, order});
        }
        m_arrays.push_back({info(allName(), m_planes->count), m_planes, wholeOrder()});
        VolumeInfo& all = m_arrays.back().info;
        all.axes = "yx";
        all.shape = {all.extent.y, all.extent.x};
        for (const char axis : said.order) {
            const std::int64_t length = axis == 'c' ? said.channels : axis == 'z' ? said.slices : said.frames;
            if (length > 1) {
                all.axes.insert(all.axes.begin(), axis);
                all.shape.insert(all.shape.begin(), length);
            }
        }
        sayChannels(counted(said.channels, "channel", "channels"));
    }

    std::string channelName(std::int64_t channel) const { return m_name + ":channel " + std::to_string(channel + 1); }
    std::string allName() const { return m_name + ":all channels"; }

    void sayChannels(const std::string& what)
    {
        m_arrays.front().info.warnings.push_back(what + ": this is the first; the others are \"" + channelName(1) + "\" and so on, \"" + allName()
                                                 + "\" has all one after the other");
    }

    const TiffFile& m_file;
    const TiffDescription& m_description;
    std::string m_name;
    std::shared_ptr<const TiffPlanes> m_planes;
    DType m_dtype;
    std::vector<TiffArray> m_arrays;
};

void checkDeclaredPlanes(const TiffFile& file, const Pages& pages, const TiffDescription& description, std::vector<std::string>& warnings)
{
    const TiffPlanes& main = pages.groups.front();
    if (main.dataOffset) {
        const std::int64_t present = std::max<std::int64_t>(0, file.size() - *main.dataOffset) / std::max<std::int64_t>(1, main.page.pageBytes());
        if (present >= main.count)
            return;
        if (present == 0 || main.count / 1000 > present)
            throw Error(ErrorCode::format, file.path().string() + ": truncated: " + std::to_string(main.count)
                                               + " slices are declared, the file has room for " + std::to_string(present)
                                               + "; copy it again from its source");
        warnings.push_back("truncated: " + std::to_string(main.count) + " slices are declared, the file holds " + std::to_string(present)
                           + "; reading the others fails");
    } else if (description.imageJ && description.images > 1 && description.images != main.count && pages.groups.size() == 1) {
        warnings.push_back(std::to_string(description.images) + " slices are declared, the file has "
                           + counted(main.count, "page", "pages") + "; the pages that are there are shown");
    }
}

} // namespace

TiffIndex indexTiff(const TiffFile& file)
{
    const auto first = file.readPage(file.firstDirectory());
    if (!first)
        throw Error(ErrorCode::format, file.path().string() + ": truncated or damaged: its first page should be described at byte "
                                           + std::to_string(file.firstDirectory()) + ", the file has " + std::to_string(file.size())
                                           + " bytes; copy it again from its source");
    const TiffDescription description = parseTiffDescription(file.text(first->description));
    Pages pages;
    if (auto planes = contiguousPlanes(file, *first, description)) {
        pages.count = planes->count;
        pages.groups.push_back(std::move(*planes));
    } else {
        pages = walk(file, *first);
        sortGroups(pages.groups);
    }
    TiffIndex index;
    index.pages = pages.count;
    if (!pages.end.empty())
        index.warnings.push_back(pages.end);
    checkDeclaredPlanes(file, pages, description, index.warnings);
    const std::string name = file.path().filename().string();
    std::string refusal;
    std::vector<std::string> others;
    for (TiffPlanes& planes : pages.groups) {
        try {
            const std::string part = index.arrays.empty() ? name : name + ":part " + std::to_string(others.size() + 2);
            ArrayMaker maker(file, description, part, std::move(planes));
            if (!index.arrays.empty())
                others.push_back(pageText(maker.planes(), maker.dtype()) + " (\"" + part + "\")");
            auto arrays = maker.make();
            index.arrays.insert(index.arrays.end(), std::make_move_iterator(arrays.begin()), std::make_move_iterator(arrays.end()));
        } catch (const Error& error) {
            refusal = error.what();
            index.warnings.emplace_back(std::string("left out: ") + error.what());
        }
    }
    if (index.arrays.empty())
        throw Error(ErrorCode::format, refusal);
    for (const std::string& other : others)
        index.arrays.front().info.warnings.push_back("the file also holds " + other + ", not part of this stack");
    for (const std::string& warning : index.warnings)
        index.arrays.front().info.warnings.push_back(warning);
    return index;
}

} // namespace voxelscribe::io
