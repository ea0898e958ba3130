#include "core/base/error.h"
#include "core/nn/backend_entry.h"

#include <cstdlib>
#include <dlfcn.h>
#include <vector>

namespace voxelscribe::nn {
namespace {

constexpr const char* kLibrary = "libvoxelscribe-nn.so";

/// Where the library may lie: named by the environment, or installed or built beside this program.
std::vector<std::filesystem::path> candidates()
{
    if (const char* named = std::getenv("VOXELSCRIBE_NN_LIBRARY"); named != nullptr && *named != '\0')
        return {named};
    std::error_code fault;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", fault).parent_path();
    return {folder / ".." / "lib" / kLibrary, folder / kLibrary, folder / ".." / "lib" / "voxelscribe" / kLibrary};
}

Backend& open(const std::filesystem::path& path)
{
    const auto fail = [&path](const std::string& reason) {
        throw Error(ErrorCode::device, "cannot load the networks from " + path.string() + ": " + reason
                                           + "; install LibTorch (Debian: libtorch1.13) and build or install Voxelscribe again");
    };
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        fail(dlerror());
    auto* entry = reinterpret_cast<decltype(&voxelscribeOpenBackend)>(dlsym(library, kBackendEntry));
    Backend* backend = entry != nullptr ? entry(kBackendVersion) : nullptr;
    if (backend == nullptr)
        fail("it is of another version than this program");
    return *backend;
}

Backend& openFirst()
{
    const auto paths = candidates();
    for (const auto& path : paths)
        if (std::filesystem::exists(path))
            return open(path);
    throw Error(ErrorCode::device, "the networks (" + paths.front().string()
                                       + ") are missing; build or install Voxelscribe again, or name the file in VOXELSCRIBE_NN_LIBRARY");
}

} // namespace

Backend& loadBackend()
{
    static Backend& backend = openFirst(); // a library with LibTorch is never unloaded again
    return backend;
}

} // namespace voxelscribe::nn
