#include "core/io/tiff_writer.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/io/mask_metadata.h"
#include "core/io/slice_counter.h"
#include "core/io/tiff_page_writer.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace voxelscribe::io {

namespace fs = std::filesystem;

namespace {

bool imageJReads(DType dtype)
{
    return dtype == DType::uint8 || dtype == DType::uint16 || dtype == DType::float32;
}

/// ImageJ's lines, where ImageJ can read the type, and a line of JSON with all there is to say.
std::string descriptionOf(const WriteSpec& spec, std::int64_t pages)
{
    std::string text;
    if (imageJReads(spec.dtype)) {
        text = "ImageJ=1.54f\nimages=" + std::to_string(pages) + "\nslices=" + std::to_string(pages) + "\n";
        if (spec.voxelSizeUm)
            text += "unit=um\nspacing=" + nlohmann::json(spec.voxelSizeUm->z).dump() + "\n";
        text += "loop=false\n";
    }
    const nlohmann::json flat = flatAttributes(spec);
    if (!flat.empty())
        text += flat.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n"; // other characters escaped: TIFF texts are ASCII
    return text;
}

std::vector<std::uint16_t> paletteOf(const WriteSpec& spec)
{
    if (!spec.colourTable || spec.dtype != DType::uint8 || spec.classes.empty())
        return {};
    std::vector<std::uint16_t> palette(3 * 256);
    for (const ClassInfo& info : spec.classes)
        if (info.id < 256)
            for (std::size_t i = 0; i < 3; ++i)
                palette[i * 256 + info.id] = static_cast<std::uint16_t>((info.colour >> (16 - 8 * i) & 0xffU) * 257U);
    return palette;
}

TiffPageSpec pageSpec(const WriteSpec& spec, std::int64_t pages)
{
    TiffPageSpec page;
    page.pages = pages;
    page.height = spec.extent.y;
    page.width = spec.extent.x;
    page.dtype = spec.dtype;
    page.compress = spec.compress;
    page.level = spec.classes.empty() ? 1 : 6; // images are mostly noise, which higher levels cannot shrink either
    page.description = descriptionOf(spec, pages);
    if (spec.voxelSizeUm) {
        const double unit = imageJReads(spec.dtype) ? 1 : 10000;
        page.xResolution = unit / spec.voxelSizeUm->x;
        page.yResolution = unit / spec.voxelSizeUm->y;
        page.resolutionUnit = imageJReads(spec.dtype) ? 1 : 3;
    }
    page.palette = paletteOf(spec);
    return page;
}

class TiffStackWriter : public VolumeWriter {
public:
    TiffStackWriter(const fs::path& path, const WriteSpec& spec)
        : m_file(path), m_slices(path.string(), spec), m_pages(m_file.temporary(), path.string(), pageSpec(spec, spec.extent.z))
    {
    }

    void write(std::span<const std::byte> samples) override
    {
        const std::int64_t count = m_slices.take(samples);
        for (std::int64_t i = 0; i < count; ++i)
            m_pages.addPage(samples.subspan(static_cast<std::size_t>(i) * m_slices.sliceBytes(), m_slices.sliceBytes()));
    }

    void finish() override
    {
        m_slices.requireComplete();
        m_pages.finish();
        m_file.commit();
    }

private:
    AtomicPath m_file;
    SliceCounter m_slices;
    TiffPageWriter m_pages;
};

class TiffSeriesWriter : public VolumeWriter {
public:
    TiffSeriesWriter(const fs::path& path, const WriteSpec& spec)
        : m_folder(path), m_slices(path.string(), spec), m_page(pageSpec(spec, 1)),
          m_digits(std::max<int>(5, static_cast<int>(std::to_string(spec.extent.z - 1).size()))),
          m_name((path.has_filename() ? path : path.parent_path()).filename().string())
    {
        std::error_code fault;
        fs::create_directory(m_folder.temporary(), fault);
        if (fault)
            throwSystemError("cannot make the folder", path.string(), fault.value());
    }

    void write(std::span<const std::byte> samples) override
    {
        const std::int64_t first = m_slices.written();
        const std::int64_t count = m_slices.take(samples);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::string name = memberName(first + i);
            TiffPageWriter file(m_folder.temporary() / name, (m_folder.target() / name).string(), m_page);
            file.addPage(samples.subspan(static_cast<std::size_t>(i) * m_slices.sliceBytes(), m_slices.sliceBytes()));
            file.finish();
        }
    }

    void finish() override
    {
        m_slices.requireComplete();
        syncMembers();
        m_folder.commit();
    }

private:
    std::string memberName(std::int64_t slice) const
    {
        std::string number = std::to_string(slice);
        number.insert(0, static_cast<std::size_t>(std::max(0, m_digits - static_cast<int>(number.size()))), '0');
        return m_name + "_" + number + ".tif";
    }

    /// All members at once: syncing thousands of files one by one takes minutes on a spinning disk.
    void syncMembers() const
    {
        const Descriptor folder(::open(m_folder.temporary().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (folder.id() < 0 || ::syncfs(folder.id()) != 0)
            throwSystemError("cannot finish writing", m_folder.target().string(), errno);
    }

    AtomicPath m_folder;
    SliceCounter m_slices;
    TiffPageSpec m_page;
    int m_digits;
    std::string m_name;
};

} // namespace

std::unique_ptr<VolumeWriter> createTiffWriter(const fs::path& path, const WriteSpec& spec)
{
    return std::make_unique<TiffStackWriter>(path, spec);
}

std::unique_ptr<VolumeWriter> createTiffSeriesWriter(const fs::path& path, const WriteSpec& spec)
{
    return std::make_unique<TiffSeriesWriter>(path, spec);
}

} // namespace voxelscribe::io
