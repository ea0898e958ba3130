#include "core/io/zarr_chunk.h"

#include "core/base/error.h"
#include "core/io/half.h"
#include "core/io/zarr_codec.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace voxelscribe::io {

namespace fs = std::filesystem;

namespace {

/// The bytes of a file; none where it does not exist.
std::vector<std::byte> bytesOf(const fs::path& file)
{
    const int id = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (id < 0 && (errno == ENOENT || errno == ENOTDIR))
        return {};
    if (id < 0)
        throwSystemError("cannot read", file.string(), errno);
    struct stat about{};
    std::vector<std::byte> bytes(::fstat(id, &about) == 0 ? static_cast<std::size_t>(about.st_size) : 0);
    std::size_t done = 0;
    ssize_t got = 1;
    while (done < bytes.size() && got > 0) {
        got = ::read(id, bytes.data() + done, bytes.size() - done);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            done += static_cast<std::size_t>(got);
    }
    const int fault = errno;
    ::close(id);
    if (got < 0)
        throwSystemError("cannot read", file.string(), fault);
    bytes.resize(done);
    return bytes;
}

void fillWith(std::span<const std::byte> sample, std::span<std::byte> out)
{
    if (std::all_of(sample.begin(), sample.end(), [](std::byte b) { return b == std::byte{0}; })) {
        std::memset(out.data(), 0, out.size());
        return;
    }
    for (std::size_t at = 0; at < out.size(); at += sample.size())
        std::memcpy(out.data() + at, sample.data(), sample.size());
}

void swapBytes(std::span<std::byte> samples, std::size_t size)
{
    for (std::size_t at = 0; at + size <= samples.size(); at += size)
        std::reverse(samples.begin() + static_cast<std::ptrdiff_t>(at), samples.begin() + static_cast<std::ptrdiff_t>(at + size));
}

/// Samples that run first axis fastest, put into C order.
void transpose(const ZarrMeta& meta, std::span<const std::byte> from, std::span<std::byte> to)
{
    const std::size_t size = meta.storedSize;
    std::vector<std::int64_t> strides(meta.chunks.size());
    std::int64_t stride = 1;
    for (std::size_t axis = 0; axis < strides.size(); ++axis) {
        strides[axis] = stride;
        stride *= meta.chunks[axis];
    }
    std::vector<std::int64_t> index(strides.size(), 0);
    std::int64_t source = 0;
    for (std::size_t at = 0; at < to.size(); at += size) {
        std::memcpy(to.data() + at, from.data() + static_cast<std::size_t>(source) * size, size);
        for (std::size_t axis = index.size(); axis-- > 0;) {
            source += strides[axis];
            if (++index[axis] < meta.chunks[axis])
                break;
            source -= strides[axis] * meta.chunks[axis];
            index[axis] = 0;
        }
    }
}

} // namespace

bool readStoredChunk(const ZarrMeta& meta, const fs::path& file, std::span<std::byte> out)
{
    const std::vector<std::byte> stored = bytesOf(file);
    if (stored.empty()) {
        fillWith(std::span(meta.fill).first(dtypeSize(meta.dtype)), out);
        return false;
    }
    const bool plain = !meta.fortranOrder && meta.storedSize == dtypeSize(meta.dtype);
    if (plain) {
        decodeChunk(meta.compressor, stored, out, file.string());
        if (meta.bigEndian)
            swapBytes(out, meta.storedSize);
        return true;
    }
    std::vector<std::byte> decoded(static_cast<std::size_t>(meta.chunkSamples()) * meta.storedSize);
    decodeChunk(meta.compressor, stored, decoded, file.string());
    if (meta.bigEndian)
        swapBytes(decoded, meta.storedSize);
    if (meta.fortranOrder) {
        std::vector<std::byte> ordered(decoded.size());
        transpose(meta, decoded, ordered);
        decoded.swap(ordered);
    }
    if (meta.storedSize == dtypeSize(meta.dtype))
        std::memcpy(out.data(), decoded.data(), out.size());
    else
        halfToFloat(decoded, out);
    return true;
}

} // namespace voxelscribe::io
