#pragma once

#include <filesystem>
#include <hdf5.h>
#include <mutex>
#include <string>
#include <utility>

namespace voxelscribe::io {

/// Holds the one lock under which all HDF5 calls of the process run: Debian's library is not thread-safe. The first one readies
/// the library: plugin folder, the filters built in here, no messages printed.
class Hdf5Lock {
public:
    Hdf5Lock();

private:
    std::unique_lock<std::recursive_mutex> m_lock;
};

/// An HDF5 identifier that closes itself; hold the lock when it goes.
class Hdf5Id {
public:
    Hdf5Id() = default;
    explicit Hdf5Id(hid_t id) : m_id(id) {}
    Hdf5Id(Hdf5Id&& other) noexcept : m_id(std::exchange(other.m_id, -1)) {}
    Hdf5Id& operator=(Hdf5Id&& other) noexcept
    {
        std::swap(m_id, other.m_id);
        return *this;
    }
    ~Hdf5Id();

    hid_t get() const { return m_id; }
    /// Gives the identifier up without closing it.
    void abandon() { m_id = -1; }
    explicit operator bool() const { return m_id >= 0; }

private:
    hid_t m_id = -1;
};

/// What HDF5 last complained about, in one line; the record is cleared.
std::string takeHdf5Error();
/// Throws Error(io) if the record tells of a full disk or another system error, else Error(format): "WHAT: complaint".
[[noreturn]] void throwHdf5(const std::string& what);
/// `id`, or the error `what` where it is negative.
Hdf5Id requireHdf5(hid_t id, const std::string& what);
void requireHdf5Status(herr_t status, const std::string& what);

/// Opens for reading without locks, also while another program writes it. @throws Error(io | format).
Hdf5Id openHdf5File(const std::filesystem::path& path);

} // namespace voxelscribe::io
