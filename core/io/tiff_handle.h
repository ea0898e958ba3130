#pragma once

#include "core/io/tiff_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <tiffio.h>
#include <vector>

namespace voxelscribe::io {

/// One libtiff handle on a TiffFile, the page that it stands on and what libtiff said last. For one thread at a time.
struct TiffHandle {
    explicit TiffHandle(const TiffFile& source);
    ~TiffHandle();
    TiffHandle(const TiffHandle&) = delete;
    TiffHandle& operator=(const TiffHandle&) = delete;

    /// False, with `message`, if libtiff cannot read the page's directory.
    bool goTo(const TiffPage& wanted);

    const TiffFile& file;
    TIFF* tiff = nullptr;
    std::int64_t position = 0;    ///< in the file
    std::int64_t page = -1;       ///< offset of its directory
    std::string message;
    std::vector<std::byte> chunk; ///< the strip or tile decoded last
};

/// Idle handles of one file.
class TiffHandlePool {
public:
    /// A handle for the time of one read; the one that stands on the page already if there is one.
    class Lease {
    public:
        Lease(TiffHandlePool& pool, const TiffFile& file, const TiffPage& page);
        ~Lease();
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        TiffHandle& operator*() const { return *m_handle; }

    private:
        TiffHandlePool& m_pool;
        std::unique_ptr<TiffHandle> m_handle;
    };

private:
    std::mutex m_mutex;
    std::vector<std::unique_ptr<TiffHandle>> m_idle;
};

} // namespace voxelscribe::io
