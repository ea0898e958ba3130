#include "core/io/tiff_stack.h"

#include "core/base/error.h"

#include <algorithm>
#include <utility>

namespace voxelscribe::io {

namespace {

constexpr std::int64_t kBlockBytes = std::int64_t{16} << 20; ///< pages up to this size are one block

class TiffVolume : public Volume {
public:
    TiffVolume(TiffArray array, std::shared_ptr<const TiffDecoder> decoder)
        : Volume(std::move(array.info)), m_planes(std::move(array.planes)), m_order(array.order), m_decoder(std::move(decoder))
    {
    }

private:
    void readRegion(const Region& region, std::span<std::byte> out) const override
    {
        const std::size_t sliceBytes = out.size() / static_cast<std::size_t>(region.extent.z);
        for (std::int64_t i = 0; i < region.extent.z; ++i) {
            const std::int64_t z = region.origin.z + i;
            TiffWindow window;
            window.y = region.origin.y;
            window.x = region.origin.x;
            window.height = region.extent.y;
            window.width = region.extent.x;
            window.where = m_decoder->file().path().string() + ": slice " + std::to_string(z);
            readSlice(z, window, out.subspan(static_cast<std::size_t>(i) * sliceBytes, sliceBytes));
        }
    }

    void readSlice(std::int64_t z, TiffWindow& window, std::span<std::byte> out) const
    {
        const std::int64_t slice = z / m_order.samplesAsSlices;
        window.sample = m_order.samplesAsSlices > 1 ? z % m_order.samplesAsSlices : m_order.sample;
        const std::int64_t plane = m_order.firstPlane + slice / m_order.slices * m_order.frameStep
                                   + slice % m_order.slices * m_order.sliceStep;
        if (m_planes->dataOffset) {
            const TiffPage& page = m_planes->page;
            m_decoder->read(page, window, out, *m_planes->dataOffset + plane * page.pageBytes());
        } else if (plane == 0) {
            m_decoder->read(m_planes->page, window, out);
        } else {
            const auto page = m_decoder->file().readPage(m_planes->directories[static_cast<std::size_t>(plane)]);
            if (!page || !page->matches(m_planes->page))
                throw Error(ErrorCode::format, window.where + ": the page changed since the file was opened; open it again");
            m_decoder->read(*page, window, out);
        }
    }

    std::shared_ptr<const TiffPlanes> m_planes;
    TiffSliceOrder m_order;
    std::shared_ptr<const TiffDecoder> m_decoder;
};

} // namespace

Extent cheapestBlock(const TiffPage& page, DType dtype)
{
    const std::int64_t rowBytes = page.width * static_cast<std::int64_t>(dtypeSize(dtype));
    if (rowBytes * page.height <= kBlockBytes)
        return {1, page.height, page.width};
    if (page.isTiled()) {
        const std::int64_t across = std::max<std::int64_t>(1, 1024 / page.tileWidth);
        const std::int64_t down = std::max<std::int64_t>(1, 1024 / page.tileHeight);
        return {1, std::min(page.height, down * page.tileHeight), std::min(page.width, across * page.tileWidth)};
    }
    const std::int64_t strip = page.isRaw() ? 1 : page.rowsPerStrip; // uncompressed rows are read one by one
    const std::int64_t rows = std::max<std::int64_t>(1, kBlockBytes / rowBytes / strip) * strip;
    return {1, std::min(page.height, rows), page.width};
}

VolumePtr makeTiffVolume(TiffArray array, std::shared_ptr<const TiffDecoder> decoder)
{
    return std::make_shared<TiffVolume>(std::move(array), std::move(decoder));
}

} // namespace voxelscribe::io
