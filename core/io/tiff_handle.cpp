#include "core/io/tiff_handle.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <utility>

namespace voxelscribe::io {

namespace {

TiffHandle& handleOf(void* self)
{
    return *static_cast<TiffHandle*>(self);
}

int keepMessage(TIFF*, void* self, const char*, const char* format, va_list arguments)
{
    char text[512];
    std::vsnprintf(text, sizeof text, format, arguments);
    handleOf(self).message = text;
    return 1; // handled: nothing goes to standard error
}

int ignoreMessage(TIFF*, void*, const char*, const char*, va_list)
{
    return 1;
}

tmsize_t readBytes(thandle_t self, void* to, tmsize_t bytes)
{
    TiffHandle& handle = handleOf(self);
    const std::int64_t got = handle.file.readSome(handle.position, {static_cast<std::byte*>(to), static_cast<std::size_t>(bytes)});
    handle.position += got;
    return got;
}

tmsize_t writeBytes(thandle_t, void*, tmsize_t)
{
    return 0;
}

toff_t seekTo(thandle_t self, toff_t offset, int whence)
{
    TiffHandle& handle = handleOf(self);
    const std::int64_t base = whence == SEEK_CUR ? handle.position : whence == SEEK_END ? handle.file.size() : 0;
    handle.position = base + static_cast<std::int64_t>(offset);
    return static_cast<toff_t>(handle.position);
}

int closeNothing(thandle_t)
{
    return 0;
}

toff_t sizeOf(thandle_t self)
{
    return static_cast<toff_t>(handleOf(self).file.size());
}

} // namespace

TiffHandle::TiffHandle(const TiffFile& source) : file(source)
{
    TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
    TIFFOpenOptionsSetErrorHandlerExtR(options, &keepMessage, this);
    TIFFOpenOptionsSetWarningHandlerExtR(options, &ignoreMessage, this);
    // r: read; h: no page yet; m: no memory map (a file that shrinks would kill the program); O: strip offsets on demand;
    // c: strips as stored, not chopped
    tiff = TIFFClientOpenExt(source.path().c_str(), "rhmOc", this, &readBytes, &writeBytes, &seekTo, &closeNothing, &sizeOf, nullptr,
                             nullptr, options);
    TIFFOpenOptionsFree(options);
}

TiffHandle::~TiffHandle()
{
    if (tiff != nullptr)
        TIFFClose(tiff);
}

bool TiffHandle::goTo(const TiffPage& wanted)
{
    message.clear();
    if (tiff == nullptr)
        return false;
    if (page == wanted.offset)
        return true;
    page = -1;
    if (TIFFSetSubDirectory(tiff, static_cast<std::uint64_t>(wanted.offset)) == 0)
        return false;
    if (wanted.compression == COMPRESSION_JPEG && wanted.photometric == PHOTOMETRIC_YCBCR)
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    page = wanted.offset;
    return true;
}

TiffHandlePool::Lease::Lease(TiffHandlePool& pool, const TiffFile& file, const TiffPage& page) : m_pool(pool)
{
    const std::lock_guard lock(pool.m_mutex);
    auto& idle = pool.m_idle;
    auto best = std::find_if(idle.begin(), idle.end(), [&](const auto& handle) { return handle->page == page.offset; });
    if (best == idle.end() && !idle.empty())
        best = idle.end() - 1;
    if (best == idle.end()) {
        m_handle = std::make_unique<TiffHandle>(file);
        return;
    }
    m_handle = std::move(*best);
    idle.erase(best);
}

TiffHandlePool::Lease::~Lease()
{
    constexpr std::size_t kKept = 16;
    const std::lock_guard lock(m_pool.m_mutex);
    if (m_pool.m_idle.size() < kKept)
        m_pool.m_idle.push_back(std::move(m_handle));
}

} // namespace voxelscribe::io
