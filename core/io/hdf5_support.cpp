#include "core/io/hdf5_support.h"

#include "core/base/error.h"
#include "core/io/hdf5_filters.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

namespace voxelscribe::io {

namespace fs = std::filesystem;

namespace {

std::recursive_mutex& hdf5Mutex()
{
    static std::recursive_mutex mutex;
    return mutex;
}

void readyLibrary()
{
    H5dont_atexit(); // closing what a failed write left behind would crash: see Hdf5Writer
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    if (std::getenv("HDF5_PLUGIN_PATH") == nullptr)
        H5PLappend(VOXELSCRIBE_HDF5_PLUGINS);
    registerHdf5Filters();
}

herr_t collect(unsigned, const H5E_error2_t* entry, void* data)
{
    auto& lines = *static_cast<std::string*>(data);
    if (entry->desc != nullptr && std::strlen(entry->desc) > 0)
        lines += (lines.empty() ? "" : "; ") + std::string(entry->desc);
    return 0;
}

} // namespace

Hdf5Lock::Hdf5Lock() : m_lock(hdf5Mutex())
{
    static const bool ready = (readyLibrary(), true);
    static_cast<void>(ready);
}

Hdf5Id::~Hdf5Id()
{
    if (m_id < 0)
        return;
    const Hdf5Lock lock;
    if (H5Idec_ref(m_id) < 0)
        H5Eclear2(H5E_DEFAULT); // what could not be closed is told where closing matters: in the writer
}

std::string takeHdf5Error()
{
    std::string lines;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &lines); // the innermost complaint first
    H5Eclear2(H5E_DEFAULT);
    return lines.empty() ? "HDF5 gives no reason" : lines;
}

void throwHdf5(const std::string& what)
{
    const std::string complaint = takeHdf5Error();
    const std::string reason = complaint.substr(0, complaint.find("; "));
    constexpr std::string_view kErrno = "errno = ";
    if (const std::size_t at = complaint.find(kErrno); at != std::string::npos) {
        const int number = std::atoi(complaint.c_str() + at + kErrno.size());
        throw Error(ErrorCode::io, what + ": " + std::generic_category().message(number) + "; "
                                       + (number == ENOSPC ? "free some space there or choose another folder" : "check the disk or the network share and try again"));
    }
    if (complaint.find("truncated file") != std::string::npos)
        throw Error(ErrorCode::format, what + ": the file is truncated (" + reason + "); copy or transfer it again");
    throw Error(ErrorCode::format, what + ": " + reason + "; check the file with h5dump, or copy it again");
}

Hdf5Id requireHdf5(hid_t id, const std::string& what)
{
    if (id < 0)
        throwHdf5(what);
    return Hdf5Id(id);
}

void requireHdf5Status(herr_t status, const std::string& what)
{
    if (status < 0)
        throwHdf5(what);
}

Hdf5Id openHdf5File(const fs::path& path)
{
    const Hdf5Lock lock;
    const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS));
    // A running scan may hold the file: never lock it, and where the file system knows no locks do not mind.
    H5Pset_file_locking(access.get(), false, true);
    H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
    hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get());
    if (id < 0) { // marked as open for writing: read what is there
        const std::string complaint = takeHdf5Error();
        id = H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.get());
        if (id < 0) {
            takeHdf5Error();
            H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()); // for the first complaint
            throwHdf5("cannot open " + path.string() + " as HDF5");
        }
    }
    return Hdf5Id(id);
}

} // namespace voxelscribe::io
