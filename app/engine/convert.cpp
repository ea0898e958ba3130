#include "app/engine/arguments.h"
#include "app/engine/command.h"
#include "app/engine/stream_options.h"
#include "core/base/error.h"
#include "core/io/mask_metadata.h"
#include "core/io/open.h"
#include "core/io/writer.h"
#include "core/volume/views.h"

#include <CLI/Validators.hpp>

namespace voxelscribe::engine {

using nlohmann::json;

namespace {

std::string checkDType(const std::string& text)
{
    return dtypeFromName(text) ? "" : "\"" + text + "\" is not a sample type; expected uint8, int8, uint16, int16, uint32, int32, uint64, int64, float32 or float64";
}

class Convert : public Command {
public:
    void declare(CLI::App& app) override
    {
        app.add_option("IN", m_input, "image or mask: file or folder, or FILE::/data/set")->required();
        app.add_option("OUT", m_output, "what to write; its format follows from .tif, .h5, .zarr, or / for a TIFF series")->required();
        app.add_option("--dataset", m_dataset, "the array to take from IN");
        app.add_option("--roi", m_roi, "part to take, z0:z1,y0:y1,x0:x1");
        app.add_option("--bin", m_bin, "average blocks of NxNxN voxels (masks: the most frequent value)")->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 20));
        app.add_option("--dtype", m_dtype, "sample type to write: uint8, uint16, float32, ...")->check(checkDType);
        app.add_flag("--overwrite", m_overwrite, "replace an existing OUT");
    }

    json run(const CommonOptions& common, Progress& progress) override
    {
        const auto start = std::chrono::steady_clock::now();
        io::Source source = io::Source::parse(m_input);
        if (!m_dataset.empty())
            source.dataset = m_dataset;
        const VolumePtr stored = io::open(source);
        tellWarnings(*stored, progress);
        const io::MaskMetadata metadata = io::readMaskMetadata(source);
        const std::int64_t budget = memoryBudget(common);
        const VolumePtr volume = viewed(stored, budget, !metadata.classes.empty());
        requireSlicesFit(*volume, budget);
        io::WriteSpec spec;
        spec.extent = volume->extent();
        spec.dtype = volume->info().dtype;
        spec.voxelSizeUm = volume->info().voxelSizeUm;
        spec.classes = metadata.classes;
        spec.attributes = metadata.attributes;
        const auto writer = io::createWriter(m_output, spec, m_overwrite);
        io::copyVolume(*volume, *writer, progress, budget / 4);
        writer->finish();
        return writtenResult(m_output, start, spec.extent.voxels());
    }

private:
    VolumePtr viewed(const VolumePtr& stored, std::int64_t budget, bool isMask) const
    {
        const Region part = parseRoi("--roi", m_roi, stored->extent());
        VolumePtr volume = streamed(stored, budget); // below the crop: the cache's blocks are then those of the file
        if (!(part == Region::whole(stored->extent())))
            volume = cropVolume(volume, part);
        if (m_bin > 1)
            volume = binVolume(volume, m_bin, isMask);
        if (!m_dtype.empty() && *dtypeFromName(m_dtype) != volume->info().dtype)
            volume = castVolume(volume, *dtypeFromName(m_dtype));
        return volume;
    }

    std::string m_input;
    std::string m_output;
    std::string m_dataset;
    std::string m_roi;
    std::int64_t m_bin = 1;
    std::string m_dtype;
    bool m_overwrite = false;
};

} // namespace

std::unique_ptr<Command> makeConvert()
{
    return std::make_unique<Convert>();
}

} // namespace voxelscribe::engine
