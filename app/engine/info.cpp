#include "app/engine/command.h"
#include "app/engine/stream_options.h"
#include "core/base/error.h"
#include "core/io/open.h"
#include "core/volume/statistics.h"

#include <cmath>
#include <optional>

namespace voxelscribe::engine {

using nlohmann::json;

namespace {

json asNumber(double value, DType dtype)
{
    return dtypeIsInteger(dtype) && std::abs(value) < 9e15 ? json(static_cast<std::int64_t>(value)) : json(value);
}

json asJson(const VolumeStatistics& statistics, DType dtype)
{
    const bool any = statistics.finite > 0;
    return {{"min", any ? asNumber(statistics.min, dtype) : json()}, {"max", any ? asNumber(statistics.max, dtype) : json()},
            {"mean", any ? json(statistics.mean) : json()}, {"nonfinite", statistics.nonfinite}, {"sha1", statistics.sha1}};
}

json asJson(const VolumeInfo& info)
{
    json array = {{"name", info.name}, {"dtype", dtypeName(info.dtype)}, {"axes", info.axes}, {"shape", info.shape},
                  {"extent", {info.extent.z, info.extent.y, info.extent.x}}, {"voxelSize", nullptr}, {"unit", nullptr}, {"warnings", info.warnings}};
    if (info.voxelSizeUm) {
        array["voxelSize"] = {info.voxelSizeUm->z, info.voxelSizeUm->y, info.voxelSizeUm->x};
        array["unit"] = "um";
    }
    return array;
}

std::string joined(const json& list, const char* between)
{
    std::string text;
    for (const json& entry : list)
        text += (text.empty() ? "" : between) + entry.dump();
    return text;
}

class Info : public Command {
public:
    void declare(CLI::App& app) override
    {
        app.add_option("PATH", m_path, "file or folder, or FILE::/data/set")->required();
        app.add_option("--dataset", m_dataset, "only this array, for example /entry/data");
        app.add_flag("--stats", m_stats, "read all samples: least, largest and mean value, digest");
    }

    bool emitsEvents() const override { return false; }

    json run(const CommonOptions& common, Progress& progress) override
    {
        io::Source source = io::Source::parse(m_path);
        if (!m_dataset.empty())
            source.dataset = m_dataset;
        io::Listing listing = io::list(source);
        if (!source.dataset.empty())
            listing.arrays.resize(1);
        json result = {{"path", source.path.string()}, {"format", listing.format}, {"arrays", json::array()}, {"warnings", listing.warnings}};
        for (const VolumeInfo& info : listing.arrays)
            result["arrays"].push_back(asJson(info));
        if (m_stats)
            addStatistics(source, listing, memoryBudget(common), progress, result["arrays"]);
        return result;
    }

    std::string text(const json& result) const override
    {
        std::string lines = result["path"].get<std::string>() + ": " + result["format"].get<std::string>() + "\n";
        for (const json& array : result["arrays"])
            lines += textOf(array);
        for (const json& warning : result["warnings"])
            lines += "warning: " + warning.get<std::string>() + "\n";
        return lines;
    }

private:
    /// An array that cannot be read gets a warning; where none can, its error is that of the command.
    static void addStatistics(const io::Source& source, const io::Listing& listing, std::int64_t budget, Progress& progress, json& arrays)
    {
        std::optional<Error> first;
        std::size_t failed = 0;
        for (std::size_t i = 0; i < listing.arrays.size(); ++i)
            try {
                const bool isOnly = listing.arrays.size() == 1;
                const VolumePtr volume = io::open({source.path, isOnly ? source.dataset : listing.arrays[i].name});
                StatisticsOptions options;
                options.sha1 = true;
                arrays[i]["stats"] = asJson(computeStatistics(*streamed(volume, budget), options, progress), volume->info().dtype);
            } catch (const Error& error) {
                if (error.code() == ErrorCode::cancelled)
                    throw;
                ++failed;
                if (!first)
                    first = error;
                arrays[i]["stats"] = nullptr;
                arrays[i]["warnings"].push_back(error.what());
            }
        if (first && failed == listing.arrays.size())
            throw Error(*first);
    }

    static std::string textOf(const json& array)
    {
        std::string lines = "  " + array["name"].get<std::string>() + ": " + array["dtype"].get<std::string>() + ", " + joined(array["shape"], "×") + " ("
                            + array["axes"].get<std::string>() + ")";
        if (!array["voxelSize"].is_null())
            lines += ", voxel " + joined(array["voxelSize"], "×") + " µm";
        lines += "\n";
        if (array.contains("stats") && !array["stats"].is_null()) {
            const json& stats = array["stats"];
            lines += "    " + stats["min"].dump() + " to " + stats["max"].dump() + ", mean " + stats["mean"].dump() + ", "
                     + stats["nonfinite"].dump() + " not finite, SHA-1 " + stats["sha1"].get<std::string>() + "\n";
        }
        for (const json& warning : array["warnings"])
            lines += "    warning: " + warning.get<std::string>() + "\n";
        return lines;
    }

    std::string m_path;
    std::string m_dataset;
    bool m_stats = false;
};

} // namespace

std::unique_ptr<Command> makeInfo()
{
    return std::make_unique<Info>();
}

} // namespace voxelscribe::engine
