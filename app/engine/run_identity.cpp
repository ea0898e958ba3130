#include "app/engine/run_identity.h"

#include "core/base/hash.h"

#include <algorithm>
#include <chrono>

namespace voxelscribe::engine {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// Hash of a few evenly spaced slices: cheap, and other data of the same shape do not pass for these.
std::string probeOf(const Volume& image)
{
    constexpr std::int64_t kSlices = 5;
    constexpr std::int64_t kLargestSlice = std::int64_t{64} << 20;
    const Extent& extent = image.extent();
    const auto rowBytes = extent.x * static_cast<std::int64_t>(dtypeSize(image.info().dtype));
    const std::int64_t rows = std::clamp<std::int64_t>(kLargestSlice / rowBytes, 1, extent.y);
    const std::int64_t slices = std::min(kSlices, extent.z);
    Hash hash(Hash::Kind::sha256);
    std::vector<std::byte> samples(static_cast<std::size_t>(rows * rowBytes));
    for (std::int64_t i = 0; i < slices; ++i) {
        const std::int64_t z = slices == 1 ? 0 : i * (extent.z - 1) / (slices - 1);
        image.read({{z, (extent.y - rows) / 2, 0}, {1, rows, extent.x}}, samples);
        hash.add(samples);
    }
    return hash.hex();
}

/// Bytes and time of the last change of a file, or of the files that lie directly in a folder.
std::pair<std::int64_t, std::int64_t> sizeAndTime(const fs::path& path)
{
    std::int64_t bytes = 0;
    std::int64_t newest = 0;
    const auto add = [&](const fs::path& file) {
        std::error_code fault;
        const auto size = fs::file_size(file, fault);
        const auto time = fs::last_write_time(file, fault);
        if (fault)
            return;
        bytes += static_cast<std::int64_t>(size);
        newest = std::max<std::int64_t>(newest, std::chrono::duration_cast<std::chrono::microseconds>(
            std::chrono::file_clock::to_sys(time).time_since_epoch()).count());
    };
    if (fs::is_regular_file(path))
        add(path);
    else if (fs::is_directory(path))
        for (const fs::directory_entry& entry : fs::directory_iterator(path))
            if (entry.is_regular_file())
                add(entry.path());
    return {bytes, newest};
}

std::string absoluteText(const fs::path& path)
{
    std::error_code fault;
    const fs::path canonical = fs::weakly_canonical(path, fault);
    return fault ? fs::absolute(path).string() : canonical.string();
}

} // namespace

RunIdentity::RunIdentity(const fs::path& model, const io::Source& source, const Volume& image, json settings)
{
    const auto [bytes, modified] = sizeAndTime(source.path);
    const Extent& extent = image.extent();
    m_json = {{"model", {{"path", absoluteText(model)}, {"sha256", sha256OfFile(model)}}},
              {"image", {{"path", io::Source{absoluteText(source.path), source.dataset}.text()}, {"extent", {extent.z, extent.y, extent.x}},
                         {"dtype", dtypeName(image.info().dtype)}, {"bytes", bytes}, {"modified", modified}, {"probe", probeOf(image)}}},
              {"settings", std::move(settings)},
              {"program", VOXELSCRIBE_VERSION}};
}

std::string RunIdentity::modelSha256() const
{
    return m_json.at("model").at("sha256").get<std::string>();
}

std::string RunIdentity::runId() const
{
    json essence = m_json; // where files lie and when they were touched changes no voxel
    essence["model"].erase("path");
    for (const char* key : {"path", "bytes", "modified"})
        essence["image"].erase(key);
    const std::string text = essence.dump();
    Hash hash(Hash::Kind::sha256);
    hash.add(std::as_bytes(std::span(text.data(), text.size())));
    std::string hex = hash.hex().substr(0, 32);
    hex[12] = '8'; // version
    hex[16] = "89ab"[static_cast<std::size_t>(hex[16]) % 4]; // variant
    return hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" + hex.substr(12, 4) + "-" + hex.substr(16, 4) + "-" + hex.substr(20);
}

std::vector<std::string> RunIdentity::differencesFrom(const json& stored) const
{
    std::vector<std::string> differences;
    const auto compare = [&](const char* part, const char* key, const char* words) {
        const json& now = m_json.at(part).at(key);
        const json before = stored.is_object() && stored.contains(part) && stored.at(part).is_object() ? stored.at(part).value(key, json()) : json();
        if (before != now)
            differences.push_back(std::string(words) + " was " + before.dump() + " and is now " + now.dump());
    };
    compare("model", "sha256", "the model (sha256)");
    compare("image", "extent", "the image's extent");
    compare("image", "dtype", "the image's sample type");
    compare("image", "probe", "the image's content (sha256 of some slices)");
    compare("image", "bytes", "the image's size in bytes");
    compare("image", "modified", "the image's time of change");
    for (const auto& item : m_json.at("settings").items())
        compare("settings", item.key().c_str(), ("the setting " + item.key()).c_str());
    if (!stored.is_object() || stored.value("program", json()) != m_json.at("program"))
        differences.push_back("the program's version was " + (stored.is_object() ? stored.value("program", json()) : json()).dump() + " and is now "
                              + m_json.at("program").dump());
    return differences;
}

} // namespace voxelscribe::engine
