#include "app/engine/command.h"
#include "app/engine/mask_values.h"
#include "app/engine/stream_options.h"
#include "core/base/error.h"
#include "core/io/mask_metadata.h"
#include "core/io/open.h"
#include "core/io/writer.h"
#include "core/volume/views.h"

#include <algorithm>
#include <filesystem>

namespace voxelscribe::engine {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A class's name as part of a file's name: what could be read as a path becomes "_".
std::string fileNamePart(std::string name)
{
    for (char& c : name)
        if (static_cast<unsigned char>(c) < 0x20 || std::string_view("/\\:*?\"<>| ").find(c) != std::string_view::npos)
            c = '_';
    return name;
}

/// "mask.tif" → "mask_3_quartz.tif", "mask/" → "mask_3_quartz/".
std::string pathOfClass(const std::string& output, const ClassInfo& info)
{
    const bool isFolder = output.ends_with('/');
    const fs::path path = isFolder ? fs::path(output).parent_path() : fs::path(output);
    const bool isSeries = isFolder && path.extension() != ".zarr";
    const std::string stem = isSeries ? path.filename().string() : path.stem().string();
    const std::string ending = isSeries ? "/" : path.extension().string();
    return (path.parent_path() / (stem + "_" + std::to_string(info.id) + "_" + fileNamePart(info.name))).string() + ending;
}

class Export : public Command {
public:
    void declare(CLI::App& app) override
    {
        app.add_option("MASK", m_input, "mask: file or folder, or FILE::/data/set")->required();
        app.add_option("OUT", m_output, "what to write; its format follows from .tif, .h5, .zarr, or / for a TIFF series")->required();
        CLI::Option* palette = app.add_flag("--colour-table,--color-table", m_colourTable, "TIFF with a palette of the class colours");
        CLI::Option* perClass = app.add_flag("--per-class", m_perClass, "one output a class, OUT_ID_NAME: the id where the class is, else 0");
        CLI::Option* scaled = app.add_flag("--scale255", m_scale255, "spread the ids over 0 to 255 for viewing (with --per-class: 0 and 255)");
        palette->excludes(perClass)->excludes(scaled);
        app.add_flag("--overwrite", m_overwrite, "replace an existing OUT");
    }

    json run(const CommonOptions& common, Progress& progress) override
    {
        const auto start = std::chrono::steady_clock::now();
        const io::Source source = io::Source::parse(m_input);
        m_budget = memoryBudget(common);
        m_mask = streamed(io::open(source), m_budget);
        if (!dtypeIsInteger(m_mask->info().dtype))
            throw Error(ErrorCode::format, m_input + ": expected a mask of whole numbers, found " + std::string(dtypeName(m_mask->info().dtype))
                                               + "; use convert for images");
        requireSlicesFit(*m_mask, m_budget);
        tellWarnings(*m_mask, progress);
        m_metadata = io::readMaskMetadata(source);
        const bool needsClasses = m_colourTable || m_perClass || m_scale255;
        if (m_metadata.classes.empty() && needsClasses)
            m_metadata.classes = classesIn(*m_mask, progress);
        const std::vector<std::string> outputs = m_perClass ? writeClasses(progress) : std::vector{writeAll(progress)};
        json result = writtenResult(outputs.front(), start, m_mask->extent().voxels());
        if (m_perClass)
            result["outputs"] = outputs;
        return result;
    }

private:
    std::uint16_t largestId() const
    {
        std::uint16_t largest = 0;
        for (const ClassInfo& info : m_metadata.classes)
            largest = std::max(largest, info.id);
        return largest;
    }

    std::string writeAll(Progress& progress)
    {
        if (m_scale255) {
            const unsigned largest = std::max<unsigned>(1, largestId());
            m_metadata.attributes["scaled_from_largest_id"] = largest;
            m_metadata.classes.clear(); // the values are no ids any more
            write(mapIds(m_mask, [largest](std::uint16_t id) { return static_cast<std::uint8_t>(std::min(255U, (id * 255U + largest / 2) / largest)); }), m_output, progress);
            return m_output;
        }
        VolumePtr mask = m_mask;
        if (m_colourTable && mask->info().dtype != DType::uint8) {
            if (largestId() > 255)
                throw Error(ErrorCode::format, m_input + ": a colour table holds ids up to 255, this mask has " + std::to_string(largestId()) + "; export it without --colour-table");
            mask = castVolume(mask, DType::uint8);
        }
        write(mask, m_output, progress);
        return m_output;
    }

    std::vector<std::string> writeClasses(Progress& progress)
    {
        if (m_metadata.classes.empty())
            throw Error(ErrorCode::format, m_input + ": there is no class in this mask, all voxels are 0; nothing is written");
        const std::vector<ClassInfo> classes = m_metadata.classes;
        std::vector<std::string> outputs;
        for (const ClassInfo& info : classes) {
            if (info.id > 255 && !m_scale255)
                throw Error(ErrorCode::format, m_input + ": the class \"" + info.name + "\" has the id " + std::to_string(info.id)
                                                   + ", more than the 255 that fit into a file a class; add --scale255");
            const std::uint8_t value = m_scale255 ? 255 : static_cast<std::uint8_t>(info.id);
            m_metadata.classes = {{value, info.name, info.colour}};
            outputs.push_back(pathOfClass(m_output, info));
            write(mapIds(m_mask, [&](std::uint16_t id) { return id == info.id ? value : std::uint8_t{0}; }), outputs.back(), progress);
        }
        return outputs;
    }

    void write(const VolumePtr& volume, const std::string& output, Progress& progress) const
    {
        const io::OutputFormat format = io::formatOfName(output);
        const bool isTiff = format == io::OutputFormat::tiff || format == io::OutputFormat::tiffSeries;
        if (m_colourTable && !isTiff)
            throw Error(ErrorCode::format, output + ": a colour table belongs to TIFF; HDF5 and Zarr carry the class colours without being asked; leave --colour-table out");
        io::WriteSpec spec;
        spec.extent = volume->extent();
        spec.dtype = volume->info().dtype;
        spec.voxelSizeUm = m_metadata.voxelSizeUm;
        spec.classes = m_metadata.classes;
        spec.attributes = m_metadata.attributes;
        spec.colourTable = m_colourTable;
        const auto writer = io::createWriter(output, spec, m_overwrite);
        io::copyVolume(*volume, *writer, progress, m_budget / 8); // ids are held in 16 bits beside the 8 that are written
        writer->finish();
    }

    std::string m_input;
    std::string m_output;
    bool m_colourTable = false;
    bool m_perClass = false;
    bool m_scale255 = false;
    bool m_overwrite = false;
    std::int64_t m_budget = 0;
    VolumePtr m_mask;
    io::MaskMetadata m_metadata;
};

} // namespace

std::unique_ptr<Command> makeExport()
{
    return std::make_unique<Export>();
}

} // namespace voxelscribe::engine
