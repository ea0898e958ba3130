#include "app/engine/predict_store.h"

#include "app/engine/slice_chunks.h"
#include "core/base/atomic_file.h"
#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/io/mask_metadata.h"
#include "core/io/zarr_writer.h"

#include <algorithm>

namespace voxelscribe::engine {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

fs::path withoutSlash(const std::string& path)
{
    const fs::path plain(path);
    return plain.has_filename() ? plain : plain.parent_path();
}

bool isZarrFolder(const fs::path& path)
{
    return fs::exists(path / ".zgroup") || fs::exists(path / ".zarray");
}

/// Something that a run would have to replace; an empty folder is nothing.
bool isThere(const fs::path& path)
{
    return fs::exists(path) && !(fs::is_directory(path) && fs::is_empty(path));
}

/// Takes a folder out of sight at once, so that a kill meanwhile leaves no half of it.
void removeFolder(const fs::path& path)
{
    const fs::path doomed = temporaryBeside(path);
    std::error_code fault;
    fs::rename(path, doomed, fault);
    if (fault)
        throwSystemError("cannot remove", path.string(), fault.value());
    fs::remove_all(doomed, fault); // what is left of it is harmless
}

std::uint16_t largestId(const std::vector<ClassInfo>& classes)
{
    std::uint16_t largest = 0;
    for (const ClassInfo& info : classes)
        largest = std::max(largest, info.id);
    return largest;
}

json attributesOf(const RunIdentity& identity)
{
    return {{"model_sha256", identity.modelSha256()}, {"run_id", identity.runId()}, {"image", identity.toJson().at("image").at("path")},
            {"model", identity.toJson().at("model").at("path")}, {"slices", identity.toJson().at("settings").at("slices")},
            {"program_version", identity.toJson().at("program")}};
}

template <typename T>
std::span<const std::byte> bytesOf(std::span<const T> values)
{
    return std::as_bytes(values);
}

} // namespace

PredictStore::PredictStore(StorePlan plan, const RunIdentity& identity, Progress& progress)
    : m_plan(std::move(plan)), m_identity(identity), m_progress(progress)
{
    io::WriteSpec spec;
    spec.extent = m_plan.extent;
    spec.voxelSizeUm = m_plan.voxelSizeUm;
    spec.attributes = attributesOf(identity);
    io::WriteSpec mask = spec;
    mask.dtype = largestId(m_plan.classes) > 255 ? DType::uint16 : DType::uint8;
    mask.classes = m_plan.classes;
    add(m_plan.mask, mask);
    if (!m_plan.confidence.empty()) {
        spec.attributes["quantity"] = "probability of the chosen class, 255 = certain";
        add(m_plan.confidence, spec);
    }
    if (!m_plan.probabilities.empty()) {
        spec.dtype = DType::float32;
        spec.channels = std::ssize(m_plan.classes);
        spec.attributes["quantity"] = "probability of each class, in the order of channel_class_ids";
        std::string ids;
        for (const ClassInfo& info : m_plan.classes)
            ids += (ids.empty() ? "" : ",") + std::to_string(info.id);
        spec.attributes["channel_class_ids"] = ids;
        add(m_plan.probabilities, spec);
    }
}

void PredictStore::add(const std::string& path, io::WriteSpec spec)
{
    Output output;
    output.path = path;
    output.format = io::formatOfName(path);
    output.spec = std::move(spec);
    const fs::path target = withoutSlash(path);
    output.store = output.isStore() ? target : fs::path(target.string() + ".work.zarr");
    const bool isFolder = output.isStore() || output.format == io::OutputFormat::tiffSeries;
    if (output.spec.channels > 0 && (output.format == io::OutputFormat::tiff || output.format == io::OutputFormat::tiffSeries))
        throw Error(ErrorCode::format, path + ": probabilities are several values a voxel, which go to HDF5 or Zarr; choose a name ending in .h5 or .zarr");
    if (isThere(target) && fs::is_directory(target) != isFolder)
        throw Error(ErrorCode::io, path + (isFolder ? " is a file, where a folder is to be written" : " is a folder, where a file is to be written")
                                       + "; choose another name");
    if (output.isStore() && isThere(target) && !isZarrFolder(target))
        throw Error(ErrorCode::io, path + " is a folder of other files and is not replaced; choose another name");
    const fs::path parent = fs::absolute(target).parent_path();
    if (!fs::is_directory(parent))
        throw Error(ErrorCode::io, "cannot write " + path + ": the folder " + parent.string() + " does not exist; make it or choose another");
    for (const Output& other : m_outputs)
        if (other.store == output.store)
            throw Error(ErrorCode::io, path + " is named for two outputs; choose another name for one");
    m_outputs.push_back(std::move(output));
}

void PredictStore::requireAbsent(const Output& output) const
{
    if (isThere(output.store) && !output.isStore())
        throw Error(ErrorCode::io, output.store.string() + " is left from a run that did not end; go on with it (--resume) or start anew (--overwrite)");
    if (isThere(withoutSlash(output.path)))
        throw Error(ErrorCode::io, output.path + " exists already; choose another name, go on with it (--resume) or replace it (--overwrite)");
}

void PredictStore::requireSameRun(const Output& output) const
{
    const json attributes = io::readNgffAttributes(output.store);
    if (!attributes.contains("run"))
        throw Error(ErrorCode::io, output.store.string() + " was not begun by predict and cannot be resumed; choose another name or replace it (--overwrite)");
    const auto differences = m_identity.differencesFrom(attributes.at("run"));
    if (differences.empty())
        return;
    std::string all;
    for (const std::string& difference : differences)
        all += (all.empty() ? "" : "; ") + difference;
    throw Error(ErrorCode::io, output.store.string() + " cannot be resumed, it belongs to another run: " + all
                                   + ". Use what it was begun with, choose another name, or start anew (--overwrite without --resume)");
}

bool PredictStore::isFinished(const Output& output) const
{
    if (isThere(output.store)) {
        requireSameRun(output);
        return output.isStore() && io::readNgffAttributes(output.store).value("complete", false);
    }
    if (!isThere(withoutSlash(output.path)))
        return false;
    const json attributes = io::readMaskMetadata(io::Source{withoutSlash(output.path), {}}).attributes;
    if (attributes.value("run_id", "") != m_identity.runId())
        throw Error(ErrorCode::io, output.path + " exists already and was made by another run, of which there is nothing to resume; choose another name or replace it (--overwrite)");
    return true;
}

void PredictStore::open()
{
    if (m_plan.resume && std::ranges::all_of(m_outputs, [this](const Output& output) { return isFinished(output); })) {
        m_finishedBefore = true;
        m_reused = std::ssize(m_plan.slices);
        return;
    }
    const bool isBegun = std::ranges::any_of(m_outputs, [](const Output& output) { return isThere(output.store); });
    for (const Output& output : m_outputs)
        if (m_plan.resume && isThere(output.store))
            requireSameRun(output);
        else if (!m_plan.overwrite && !(m_plan.resume && isBegun))
            requireAbsent(output);
    requireSpace();
    for (Output& output : m_outputs) {
        if (m_plan.resume && isThere(output.store)) {
            output.array = io::openNgff(output.store);
            output.array->removeLeftovers();
        } else {
            make(output);
        }
    }
    m_reused = std::ssize(m_plan.slices) - std::ssize(missing());
}

void PredictStore::make(Output& output)
{
    if (isThere(output.store))
        removeFolder(output.store);
    json attributes = io::zarrAttributes(output.spec);
    attributes["run"] = m_identity.toJson();
    attributes["complete"] = false;
    AtomicPath part(output.store); // a kill leaves no store without its attributes
    io::createNgff(part.temporary(), {output.spec.channels, output.spec.extent, io::defaultZarrChunk(output.spec.extent), output.spec.dtype, true},
                   output.spec.voxelSizeUm, attributes);
    part.commit();
    output.made = true;
    output.array = io::openNgff(output.store);
}

void PredictStore::requireSpace() const
{
    // What such chunks take at the least once compressed: masks are runs of equal values, probabilities hardly shrink.
    const std::int64_t voxels = checkedProduct(m_plan.extent.y * m_plan.extent.x, std::ssize(m_plan.slices), "output");
    for (const Output& output : m_outputs) {
        const bool isMask = &output == &m_outputs.front();
        const std::int64_t samples = checkedProduct(voxels, std::max<std::int64_t>(1, output.spec.channels), "output");
        const std::int64_t bytes = checkedProduct(samples, static_cast<std::int64_t>(dtypeSize(output.spec.dtype)), "output");
        requireDiskSpace(output.store, bytes / (isMask ? 100 : 4) * (output.isStore() ? 1 : 2));
    }
}

std::vector<std::int64_t> PredictStore::missing() const
{
    std::vector<std::int64_t> slices;
    if (m_finishedBefore)
        return slices;
    const auto isDone = [this](std::int64_t z) {
        return std::all_of(m_outputs.begin(), m_outputs.end(), [z](const Output& output) {
            for (std::int64_t channel = 0; channel < std::max<std::int64_t>(1, output.spec.channels); ++channel)
                if (!hasSlice(*output.array, z, channel))
                    return false;
            return true;
        });
    };
    std::copy_if(m_plan.slices.begin(), m_plan.slices.end(), std::back_inserter(slices), [&](std::int64_t z) { return !isDone(z); });
    return slices;
}

void PredictStore::take(const nn::SliceResult& result)
{
    for (Output& output : m_outputs) {
        if (output.path == m_plan.confidence && !result.confidence.empty())
            writeSlice(*output.array, result.z, 0, bytesOf(result.confidence));
        const std::size_t pixels = result.classIndex.size();
        for (std::int64_t channel = 0; channel < output.spec.channels; ++channel)
            writeSlice(*output.array, result.z, channel, bytesOf(result.probabilities.subspan(static_cast<std::size_t>(channel) * pixels, pixels)));
    }
    writeMask(result);
    ++m_computed;
    m_progress.event("chunk", {{"output", m_outputs.front().store.string()}, {"slice", result.z}, {"done", m_reused + m_computed},
                               {"total", std::ssize(m_plan.slices)}});
}

void PredictStore::writeMask(const nn::SliceResult& result)
{
    Output& mask = m_outputs.front();
    const auto convert = [&]<typename T>(T) {
        std::vector<T> ids(result.classIndex.size());
        std::transform(result.classIndex.begin(), result.classIndex.end(), ids.begin(),
                       [this](std::uint8_t index) { return static_cast<T>(m_plan.classes[index].id); });
        writeSlice(*mask.array, result.z, 0, bytesOf(std::span<const T>(ids)));
    };
    if (mask.spec.dtype == DType::uint8)
        convert(std::uint8_t{});
    else
        convert(std::uint16_t{});
}

void PredictStore::place(Output& output)
{
    if (output.isStore()) {
        json attributes = io::readNgffAttributes(output.store);
        attributes["complete"] = true;
        io::writeNgffAttributes(output.store, attributes);
        return;
    }
    const auto writer = io::createWriter(output.path, output.spec, m_plan.overwrite || m_plan.resume);
    const std::int64_t channels = std::max<std::int64_t>(1, output.spec.channels);
    const auto planeBytes = static_cast<std::size_t>(m_plan.extent.y * m_plan.extent.x) * dtypeSize(output.spec.dtype);
    std::vector<std::byte> samples(planeBytes * static_cast<std::size_t>(channels));
    for (std::int64_t z = 0; z < m_plan.extent.z; ++z) {
        for (std::int64_t channel = 0; channel < channels; ++channel)
            readSlice(*output.array, z, channel, std::span(samples).subspan(static_cast<std::size_t>(channel) * planeBytes, planeBytes));
        writer->write(samples);
        m_progress.update("writing", z + 1, m_plan.extent.z);
    }
    writer->finish();
}

void PredictStore::finish()
{
    if (m_finishedBefore)
        return;
    for (auto output = m_outputs.rbegin(); output != m_outputs.rend(); ++output)
        place(*output);
    for (Output& output : m_outputs) // all are in place now
        if (!output.isStore())
            removeFolder(output.store);
}

void PredictStore::abandon() noexcept
{
    std::error_code ignored; // an error is on its way already
    for (const Output& output : m_outputs)
        if (output.made && m_computed == 0)
            fs::remove_all(output.store, ignored);
}

} // namespace voxelscribe::engine
