#include "core/io/zarr_writer.h"

#include "core/base/atomic_file.h"
#include "core/io/mask_metadata.h"
#include "core/io/slice_counter.h"
#include "core/io/zarr_array.h"

#include <algorithm>
#include <cstring>
#include <exception>

namespace voxelscribe::io {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

ZarrSpec zarrSpecOf(const WriteSpec& spec)
{
    return {spec.channels, spec.extent, defaultZarrChunk(spec.extent), spec.dtype, spec.compress};
}

class ZarrWriter : public VolumeWriter {
public:
    ZarrWriter(const fs::path& path, const WriteSpec& spec)
        : m_path(path), m_counter(path.string(), spec),
          m_array(createNgff(m_path.temporary(), zarrSpecOf(spec), spec.voxelSizeUm, zarrAttributes(spec)))
    {
    }

    void write(std::span<const std::byte> samples) override
    {
        const std::int64_t first = m_counter.written();
        const std::int64_t slices = m_counter.take(samples);
        const Extent grid = m_array.chunkGrid();
        const std::int64_t channels = std::max<std::int64_t>(1, m_array.spec().channels);
        const std::int64_t tiles = slices * channels * grid.y * grid.x;
        std::exception_ptr fault;
        #pragma omp parallel for schedule(dynamic)
        for (std::int64_t i = 0; i < tiles; ++i)
            try {
                const std::int64_t plane = i / (grid.y * grid.x); // channels of one slice lie side by side
                const std::int64_t tile = i % (grid.y * grid.x);
                writeTile({{first + plane / channels, tile / grid.x, tile % grid.x}, plane % channels}, samples, plane);
            } catch (...) {
                #pragma omp critical(zarrWriterFault)
                fault = std::current_exception();
            }
        if (fault)
            std::rethrow_exception(fault);
    }

    void finish() override
    {
        m_counter.requireComplete();
        m_path.commit();
    }

private:
    void writeTile(const ZarrChunk& at, std::span<const std::byte> samples, std::int64_t plane)
    {
        const Extent& extent = m_array.spec().extent;
        const Extent& chunk = m_array.spec().chunk;
        const std::size_t size = dtypeSize(m_array.spec().dtype);
        const auto planeBytes = static_cast<std::size_t>(extent.y * extent.x) * size;
        const std::span<const std::byte> slice = samples.subspan(static_cast<std::size_t>(plane) * planeBytes, planeBytes);
        if (chunk.y == extent.y && chunk.x == extent.x)
            return m_array.writeChunk(at, slice);
        std::vector<std::byte> tile(static_cast<std::size_t>(chunk.voxels()) * size);
        const std::int64_t y0 = at.index.y * chunk.y;
        const std::int64_t x0 = at.index.x * chunk.x;
        const auto rowBytes = static_cast<std::size_t>(std::min(chunk.x, extent.x - x0)) * size;
        for (std::int64_t y = 0; y < std::min(chunk.y, extent.y - y0); ++y)
            std::memcpy(tile.data() + static_cast<std::size_t>(y * chunk.x) * size, slice.data() + static_cast<std::size_t>((y0 + y) * extent.x + x0) * size, rowBytes);
        m_array.writeChunk(at, tile);
    }

    AtomicPath m_path;
    SliceCounter m_counter;
    ZarrArray m_array;
};

} // namespace

json zarrAttributes(const WriteSpec& spec)
{
    json attributes = flatAttributes(spec);
    if (spec.classes.empty())
        return attributes;
    json colours = json::array();
    json properties = json::array();
    for (const ClassInfo& info : spec.classes) {
        colours.push_back({{"label-value", info.id}, {"rgba", {info.colour >> 16U & 255U, info.colour >> 8U & 255U, info.colour & 255U, 255}}});
        properties.push_back({{"label-value", info.id}, {"name", info.name}});
    }
    attributes["image-label"] = {{"version", "0.4"}, {"colors", colours}, {"properties", properties}};
    return attributes;
}

std::unique_ptr<VolumeWriter> createZarrWriter(const fs::path& path, const WriteSpec& spec)
{
    return std::make_unique<ZarrWriter>(path, spec);
}

} // namespace voxelscribe::io
