#include "core/project/project_state.h"

#include "core/base/error.h"
#include "core/labels/class_table.h"
#include "core/project/image_link.h"

namespace voxelscribe::project {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kVersion = 1;
constexpr const char* kFormat = "voxelscribe project";

bool isProjectJson(const json& stored)
{
    return stored.is_object() && stored.value("format", json()) == kFormat;
}

ProjectState stateFromJson(const json& stored, const fs::path& folder)
{
    ProjectState state;
    const json& image = stored.at("image");
    state.imageSource = resolvedImage({image.at("source").get<std::string>(), image.value("absolute", std::string())}, folder);
    state.imageFingerprint = image.value("fingerprint", std::string());
    const auto extent = stored.at("extent").get<std::array<std::int64_t, 3>>();
    state.extent = {extent[0], extent[1], extent[2]};
    if (const auto size = stored.find("voxel_size_um"); size != stored.end() && !size->is_null()) {
        const auto um = size->get<std::array<double, 3>>();
        state.voxelSizeUm = VoxelSizeUm{um[0], um[1], um[2]};
    }
    labels::ClassTable classes;
    classes.restore(stored.at("classes").get<std::vector<ClassInfo>>(), stored.value("next_class_id", std::uint16_t{1}));
    state.classes = classes.classes();
    state.nextClassId = classes.nextId();
    state.view = stored.value("view", json::object());
    state.settings = stored.value("settings", json::object());
    state.activeModel = stored.value("active_model", std::string());
    state.activeResult = stored.value("active_result", std::string());
    return state;
}

} // namespace

std::string stateText(const ProjectState& state, const fs::path& folder)
{
    const ImageLink link = imageLink(state.imageSource, folder);
    json stored;
    stored["format"] = kFormat;
    stored["version"] = kVersion;
    stored["image"] = {{"source", link.source}, {"absolute", link.absolute}, {"fingerprint", state.imageFingerprint}};
    stored["extent"] = {state.extent.z, state.extent.y, state.extent.x};
    stored["voxel_size_um"] = state.voxelSizeUm ? json{state.voxelSizeUm->z, state.voxelSizeUm->y, state.voxelSizeUm->x} : json();
    stored["classes"] = state.classes;
    stored["next_class_id"] = state.nextClassId;
    stored["view"] = state.view;
    stored["settings"] = state.settings;
    stored["active_model"] = state.activeModel;
    stored["active_result"] = state.activeResult;
    // A path that is no UTF-8 must not keep everything else from being saved: the image is then asked for when opening.
    return stored.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

bool isOfNewerVersion(const std::string& text)
{
    const json stored = json::parse(text, nullptr, false);
    if (!isProjectJson(stored))
        return false;
    const json version = stored.value("version", json(kVersion));
    return version.is_number() && version.get<double>() > kVersion;
}

ProjectState stateFromText(const std::string& text, const fs::path& file, const fs::path& folder)
{
    const json stored = json::parse(text, nullptr, false);
    if (!isProjectJson(stored))
        throw Error(ErrorCode::format, file.string() + ": expected the settings of a project, found something else; the file is damaged or from another program");
    if (isOfNewerVersion(text))
        throw Error(ErrorCode::format, file.string() + ": the project is of version " + stored.value("version", json()).dump() + ", this program knows up to "
                                           + std::to_string(kVersion) + "; open it with a newer Voxelscribe");
    try {
        ProjectState state = stateFromJson(stored, folder);
        if (state.extent.isEmpty())
            throw Error(ErrorCode::format, "the extent " + state.extent.text() + " is empty");
        return state;
    } catch (const json::exception& error) {
        throw Error(ErrorCode::format, file.string() + ": the file is damaged (" + error.what() + ")");
    } catch (const Error& error) {
        throw Error(ErrorCode::format, file.string() + ": the file is damaged (" + error.what() + ")");
    }
}

} // namespace voxelscribe::project
