#include "core/io/zarr_group.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/dataset_choice.h"
#include "core/io/folded_shape.h"
#include "core/io/mask_metadata.h"
#include "core/io/units.h"
#include "core/io/zarr_volume.h"

#include <algorithm>

namespace voxelscribe::io {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kDeepest = 16;

json attributesIn(const fs::path& folder)
{
    return fs::exists(folder / ".zattrs") ? readZarrJson(folder / ".zattrs") : json::object();
}

std::vector<double> scaleOf(const json& holder)
{
    for (const json& transform : holder.value("coordinateTransformations", json::array()))
        if (transform.is_object() && transform.value("type", "") == "scale" && transform.contains("scale"))
            return transform.at("scale").get<std::vector<double>>();
    return {};
}

/// What a multiscale says of one of its arrays.
struct Level {
    std::string axes;
    std::vector<double> scaleUm;  ///< an axis; 0 where no unit of length is given
    bool isFirst = false;
};

std::optional<Level> levelOf(const json& attributes, const std::string& path)
{
    for (const json& multiscale : attributes.value("multiscales", json::array())) {
        const json datasets = multiscale.value("datasets", json::array());
        for (std::size_t i = 0; i < datasets.size(); ++i) {
            if (datasets[i].value("path", "") != path)
                continue;
            Level level;
            level.isFirst = i == 0;
            const std::vector<double> own = scaleOf(datasets[i]);
            const std::vector<double> common = scaleOf(multiscale);
            for (const json& axis : multiscale.value("axes", json::array())) {
                const std::size_t at = level.scaleUm.size();
                const std::string name = axis.is_string() ? axis.get<std::string>() : axis.value("name", "?");
                const std::string unit = axis.is_object() ? axis.value("unit", "") : "";
                level.axes += name.empty() ? '?' : name.front();
                level.scaleUm.push_back(micrometresIn(unit).value_or(0) * (at < own.size() ? own[at] : 1) * (at < common.size() ? common[at] : 1));
            }
            return level;
        }
    }
    return std::nullopt;
}

std::optional<VoxelSizeUm> voxelSizeOf(const FoldedShape& shape, const std::vector<double>& scaleUm)
{
    const std::vector<int> axes = shape.spatialAxes();
    const auto along = [&](int axis) { return axis < 0 ? 0.0 : scaleUm[static_cast<std::size_t>(axis)]; };
    if (scaleUm.size() != shape.shape().size() || !(along(axes[1]) > 0) || !(along(axes[2]) > 0) || (axes[0] >= 0 && !(along(axes[0]) > 0)))
        return std::nullopt;
    return VoxelSizeUm{axes[0] < 0 ? along(axes[1]) : along(axes[0]), along(axes[1]), along(axes[2])};
}

/// Finds the arrays below a folder; a multiscale group hands its attributes down to its levels.
class Walk {
public:
    explicit Walk(std::vector<std::string>& warnings) : m_warnings(warnings) {}

    void visit(const fs::path& folder, const std::string& name, int depth)
    {
        if (fs::exists(folder / ".zarray"))
            return addOrTell(folder, name);
        if (depth >= kDeepest)
            return;
        std::vector<std::string> children;
        std::error_code fault;
        for (const fs::directory_entry& child : fs::directory_iterator(folder, fault))
            if (isZarr(child.path()))
                children.push_back(child.path().filename().string());
        if (fault)
            throwSystemError("cannot read the folder", folder.string(), fault.value());
        std::sort(children.begin(), children.end(), naturalLess);
        for (const std::string& child : children)
            visit(folder / child, name + "/" + child, depth + 1);
    }

    std::vector<ZarrEntry> entries;
    std::string firstFault;

private:
    void addOrTell(const fs::path& folder, const std::string& name)
    {
        try {
            add(folder, name);
        } catch (const Error& error) {
            if (firstFault.empty())
                firstFault = error.what();
            m_warnings.emplace_back(error.what());
        } catch (const json::exception& error) {
            m_warnings.push_back(folder.string() + ": its attributes are not as OME-NGFF has them (" + error.what() + ")");
        }
    }

    void add(const fs::path& folder, const std::string& name)
    {
        ZarrEntry entry;
        entry.folder = folder;
        entry.meta = readZarrMeta(folder);
        if (entry.meta.shape.size() < 2)
            return;
        const FoldedShape shape(entry.meta.shape);
        if (shape.extent().isEmpty())
            throw Error(ErrorCode::format, folder.string() + ": the array is empty (" + shape.extent().text() + "); check whether the program that wrote it ended well");
        entry.attributes = attributesIn(folder);
        VolumeInfo& info = entry.info;
        info.name = name.empty() ? folder.filename().string() : name;
        info.dtype = entry.meta.dtype;
        info.extent = shape.extent();
        info.shape = entry.meta.shape;
        info.chunk = shape.folded(entry.meta.chunks);
        info.axes = defaultAxes(info.shape.size());
        if (shape.isFolded())
            info.warnings.push_back(foldedWarning(info));
        describe(entry, shape);
        if (entry.attributes.value("complete", json(true)) == false)
            info.warnings.push_back(info.name + " is not complete: it is still being written, or its run was stopped; what is missing reads as 0; resume that run to finish it");
        if (!info.voxelSizeUm)
            info.voxelSizeUm = metadataFrom(entry.attributes).voxelSizeUm;
        entries.push_back(std::move(entry));
    }

    /// Axes and voxel size from the multiscale of the group above, or of the one above that.
    static void describe(ZarrEntry& entry, const FoldedShape& shape)
    {
        std::string path;
        fs::path group = entry.folder;
        for (int up = 0; up < 2; ++up) {
            path = group.filename().string() + (path.empty() ? "" : "/" + path);
            group = group.parent_path();
            if (group.empty() || !fs::exists(group / ".zattrs"))
                continue;
            const json attributes = attributesIn(group);
            const std::optional<Level> level = levelOf(attributes, path);
            if (!level)
                continue;
            entry.attributes = attributes;
            entry.isFirstLevel = level->isFirst;
            if (level->axes.size() == entry.info.shape.size())
                entry.info.axes = level->axes;
            entry.info.voxelSizeUm = voxelSizeOf(shape, level->scaleUm);
            return;
        }
    }

    std::vector<std::string>& m_warnings;
};

} // namespace

bool isZarr(const fs::path& folder)
{
    std::error_code ignored; // what cannot be looked at is no Zarr
    for (const char* name : {".zarray", ".zgroup", ".zattrs", "zarr.json"})
        if (fs::is_regular_file(folder / name, ignored))
            return true;
    return false;
}

std::vector<ZarrEntry> zarrEntries(const fs::path& folder, std::vector<std::string>& warnings)
{
    if (fs::exists(folder / "zarr.json") && !fs::exists(folder / ".zarray") && !fs::exists(folder / ".zgroup"))
        throw Error(ErrorCode::format, folder.string() + " is a Zarr of version 3; this program reads version 2; write it with zarr_format=2");
    // The name without a slash at its end: the array's own name comes from it.
    const fs::path clean = folder.has_filename() ? folder : folder.parent_path();
    Walk walk(warnings);
    walk.visit(fs::absolute(clean), "", 0);
    if (walk.entries.empty() && !walk.firstFault.empty())
        throw Error(ErrorCode::format, walk.firstFault);
    if (walk.entries.empty())
        throw Error(ErrorCode::format, folder.string() + ": a Zarr folder without an image; expected an array of two or more axes; check the path");
    const auto level = std::find_if(walk.entries.begin(), walk.entries.end(), [](const ZarrEntry& entry) { return entry.isFirstLevel; });
    const auto chosen = level != walk.entries.end() ? level : largestImage(walk.entries.begin(), walk.entries.end(), [](const ZarrEntry& entry) -> const VolumeInfo& { return entry.info; });
    std::rotate(walk.entries.begin(), chosen, chosen + 1);
    return std::move(walk.entries);
}

ZarrEntry& findZarrEntry(std::vector<ZarrEntry>& entries, const fs::path& folder, const std::string& dataset)
{
    if (dataset.empty())
        return entries.front();
    std::vector<std::string> names;
    for (ZarrEntry& entry : entries) {
        if (sameDataset(entry.info.name, dataset))
            return entry;
        names.push_back(entry.info.name);
    }
    throwUnknownDataset(folder, dataset, names);
}

} // namespace voxelscribe::io
