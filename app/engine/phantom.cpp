#include "app/engine/arguments.h"
#include "app/engine/command.h"
#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/io/writer.h"
#include "core/ops/phantom.h"
#include "core/ops/phantom_strokes.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace voxelscribe::engine {

using nlohmann::json;

namespace {

/// `phantom OUT`: simulates a tomography stack, its truth and example strokes, slice by slice.
class PhantomCommand : public Command {
public:
    void declare(CLI::App& app) override
    {
        app.add_option("output", m_output, "where the image goes: .tif, .h5, .zarr, or a name ending in / for a TIFF series")->required();
        app.add_option("--shape", m_shape, "voxels along z, y and x, for example 64,512,512")->required();
        app.add_option("--dtype", m_dtype, "sample type of the image")->capture_default_str();
        app.add_option("--labels", m_labels, "also write the truth here: 1 pore, 2 grain, 3 second mineral, 4 crack");
        app.add_option("--strokes", m_strokes, "also write example strokes here: 0 unlabelled, else a class of the truth");
        app.add_flag("--overwrite", m_overwrite, "replace what is there already");
    }

    json run(const CommonOptions& common, Progress& progress) override
    {
        const auto begin = std::chrono::steady_clock::now();
        const Extent extent = parseExtent("--shape", m_shape);
        const std::optional<DType> dtype = dtypeFromName(m_dtype);
        if (!dtype)
            throw CLI::ValidationError("--dtype", "\"" + m_dtype + "\" is not a sample type; expected for example uint8, uint16 or float32");
        requireDifferentOutputs();
        makeStack(extent, *dtype, common.seed, progress);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        return {{"output", m_output}, {"seconds", seconds.count()}, {"voxels", extent.voxels()}, {"peakMemoryBytes", peakMemoryBytes()}};
    }

private:
    using WriterPtr = std::unique_ptr<io::VolumeWriter>;

    void requireDifferentOutputs() const
    {
        std::vector<std::string> names{m_output, m_labels, m_strokes};
        std::erase(names, "");
        std::sort(names.begin(), names.end());
        if (std::adjacent_find(names.begin(), names.end()) != names.end())
            throw CLI::ValidationError("--labels", "image, labels and strokes are three volumes; expected three different names");
    }

    io::WriteSpec specOf(const Extent& extent, DType dtype, std::uint64_t seed) const
    {
        io::WriteSpec spec;
        spec.extent = extent;
        spec.dtype = dtype;
        spec.voxelSizeUm = VoxelSizeUm{ops::kPhantomVoxelUm, ops::kPhantomVoxelUm, ops::kPhantomVoxelUm};
        spec.attributes = {{"simulated", "voxelscribe phantom"}, {"seed", seed}};
        return spec;
    }

    WriterPtr imageWriter(const Extent& extent, DType dtype, std::uint64_t seed) const
    {
        io::WriteSpec spec = specOf(extent, dtype, seed);
        spec.compress = false; // noise does not compress, trying takes most of the time
        return io::createWriter(m_output, spec, m_overwrite);
    }

    WriterPtr maskWriter(const std::string& path, const Extent& extent, std::uint64_t seed) const
    {
        if (path.empty())
            return nullptr;
        io::WriteSpec spec = specOf(extent, DType::uint8, seed);
        spec.classes = ops::phantomClasses();
        return io::createWriter(path, spec, m_overwrite);
    }

    static std::vector<std::uint8_t> strokesOf(std::span<const std::uint8_t> truth, std::int64_t width, std::uint64_t seed, std::int64_t z)
    {
        ops::StrokeSpec spec;
        spec.seed = seed + static_cast<std::uint64_t>(z);
        return ops::paintStrokes(truth, width, spec);
    }

    void makeStack(const Extent& extent, DType dtype, std::uint64_t seed, Progress& progress) const
    {
        const WriterPtr image = imageWriter(extent, dtype, seed);
        const WriterPtr labels = maskWriter(m_labels, extent, seed);
        const WriterPtr strokes = maskWriter(m_strokes, extent, seed);
        const std::vector<std::int64_t> painted = ops::strokeSlices(extent.z);
        const auto count = static_cast<std::size_t>(checkedProduct(extent.y, extent.x, "--shape"));
        ops::Phantom phantom({extent, seed});
        std::vector<float> values(count);
        std::vector<std::uint8_t> truth(count);
        std::vector<std::byte> samples(count * dtypeSize(dtype));
        progress.update("phantom", 0, extent.z);
        for (std::int64_t z = 0; z < extent.z; ++z) {
            phantom.makeSlice(z, values, truth);
            ops::phantomSamples(values, dtype, samples);
            image->write(samples);
            if (labels)
                labels->write(std::as_bytes(std::span(truth)));
            if (strokes) {
                const bool isPainted = std::binary_search(painted.begin(), painted.end(), z);
                const std::vector<std::uint8_t> slice = isPainted ? strokesOf(truth, extent.x, seed, z) : std::vector<std::uint8_t>(count);
                strokes->write(std::as_bytes(std::span(slice)));
            }
            progress.update("phantom", z + 1, extent.z);
        }
        for (const WriterPtr* writer : {&strokes, &labels, &image}) // the image last: where it stands, the others do too
            if (*writer)
                (*writer)->finish();
    }

    std::string m_output;
    std::string m_shape;
    std::string m_dtype = "uint16";
    std::string m_labels;
    std::string m_strokes;
    bool m_overwrite = false;
};

} // namespace

std::unique_ptr<Command> makePhantom()
{
    return std::make_unique<PhantomCommand>();
}

} // namespace voxelscribe::engine
