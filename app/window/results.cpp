#include "app/window/results.h"

#include "core/base/text.h"
#include "core/io/mask_metadata.h"
#include "core/io/zarr_array.h"
#include "core/io/zarr_writer.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace voxelscribe::window {

namespace fs = std::filesystem;

namespace {

std::vector<std::int64_t> finishedSlices(const io::ZarrArray& array)
{
    const Extent grid = array.chunkGrid();
    std::vector<std::int64_t> slices;
    for (std::int64_t z = 0; z < grid.z; ++z) {
        bool whole = true;
        for (std::int64_t y = 0; y < grid.y && whole; ++y)
            for (std::int64_t x = 0; x < grid.x && whole; ++x)
                whole = array.hasChunk({{z, y, x}, 0});
        if (whole)
            slices.push_back(z);
    }
    return slices;
}

} // namespace

StoredResult readResult(const fs::path& folder)
{
    const io::ZarrArray array = io::openNgff(folder);
    const nlohmann::json attributes = io::readNgffAttributes(folder);
    StoredResult result;
    result.id = folder.filename().string();
    result.folder = folder;
    result.modifiedSeconds = std::chrono::duration_cast<std::chrono::seconds>(
                                 std::chrono::file_clock::to_sys(fs::last_write_time(folder / ".zattrs")).time_since_epoch())
                                 .count();
    result.modelPath = attributes.value("model", std::string());
    result.modelName = fs::path(result.modelPath).stem().string();
    result.classes = io::metadataFrom(attributes).classes;
    result.complete = attributes.value("complete", false);
    result.sliceCount = array.spec().extent.z;
    result.slices = finishedSlices(array);
    result.to = result.sliceCount;
    const auto range = split(attributes.value("slices", std::string()), ':');
    if (range.size() == 2 && !range[0].empty() && !range[1].empty()) {
        result.from = std::atoll(range[0].c_str());
        result.to = std::atoll(range[1].c_str());
    }
    return result;
}

std::vector<StoredResult> listResults(const fs::path& folder)
{
    std::vector<StoredResult> results;
    std::error_code fault;
    for (const auto& entry : fs::directory_iterator(folder, fault)) {
        if (entry.path().extension() != ".zarr" || entry.path().filename().string().starts_with('.'))
            continue;
        try {
            results.push_back(readResult(entry.path()));
        } catch (const std::exception&) {
            continue; // a folder that is no result is nothing to show; opening it by hand says why
        }
    }
    std::ranges::sort(results, [](const auto& a, const auto& b) {
        return a.modifiedSeconds != b.modifiedSeconds ? a.modifiedSeconds > b.modifiedSeconds : naturalLess(b.id, a.id);
    });
    return results;
}

void describeResultAnew(const fs::path& folder, const std::vector<ClassInfo>& classes, const std::optional<VoxelSizeUm>& voxelSizeUm)
{
    const nlohmann::json old = io::readNgffAttributes(folder);
    io::MaskMetadata metadata = io::metadataFrom(old);
    for (ClassInfo& info : metadata.classes)
        for (const ClassInfo& own : classes)
            if (own.id == info.id)
                info = own;
    io::WriteSpec spec;
    spec.classes = metadata.classes;
    spec.voxelSizeUm = voxelSizeUm ? voxelSizeUm : metadata.voxelSizeUm;
    nlohmann::json renewed = old;
    renewed.update(io::zarrAttributes(spec));
    renewed["multiscales"] = io::ngffMultiscales(io::openNgff(folder).spec(), spec.voxelSizeUm);
    if (renewed != old)
        io::writeNgffAttributes(folder, renewed);
}

} // namespace voxelscribe::window
