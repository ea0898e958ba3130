#include "core/io/zarr_codec.h"

#include "core/base/error.h"

#include <blosc.h>
#include <cstring>
#include <lz4.h>
#include <zlib.h>
#include <zstd.h>

namespace voxelscribe::io {

using nlohmann::json;

namespace {

[[noreturn]] void throwDamaged(const std::string& file, const std::string& found)
{
    throw Error(ErrorCode::format, file + ": the chunk is damaged (" + found + "); restore it from a copy, or delete it to read its voxels as empty");
}

void requireSize(std::size_t found, std::size_t expected, const std::string& file)
{
    if (found != expected)
        throwDamaged(file, "it holds " + std::to_string(found) + " bytes of samples, expected " + std::to_string(expected));
}

void decodeBlosc(std::span<const std::byte> stored, std::span<std::byte> out, const std::string& file)
{
    std::size_t size = 0;
    if (blosc_cbuffer_validate(stored.data(), stored.size(), &size) < 0)
        throwDamaged(file, "its Blosc header does not fit its " + std::to_string(stored.size()) + " bytes");
    requireSize(size, out.size(), file);
    if (blosc_decompress_ctx(stored.data(), out.data(), out.size(), 1) != static_cast<int>(out.size()))
        throwDamaged(file, "Blosc cannot decode it");
}

/// zlib or gzip, told apart by their headers.
void decodeZlib(std::span<const std::byte> stored, std::span<std::byte> out, const std::string& file)
{
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 32) != Z_OK)
        throw Error(ErrorCode::memory, file + ": no memory to decode a zlib chunk; close other programs and try again");
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(stored.data())); // zlib's interface is not const
    stream.avail_in = static_cast<uInt>(stored.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int status = inflate(&stream, Z_FINISH);
    const std::size_t size = stream.total_out;
    inflateEnd(&stream);
    if (status != Z_STREAM_END)
        throwDamaged(file, "zlib cannot decode it");
    requireSize(size, out.size(), file);
}

void decodeZstd(std::span<const std::byte> stored, std::span<std::byte> out, const std::string& file)
{
    const std::size_t size = ZSTD_decompress(out.data(), out.size(), stored.data(), stored.size());
    if (ZSTD_isError(size) != 0U)
        throwDamaged(file, std::string("Zstandard: ") + ZSTD_getErrorName(size));
    requireSize(size, out.size(), file);
}

/// numcodecs' LZ4: the decoded size in four bytes, then one block.
void decodeLz4(std::span<const std::byte> stored, std::span<std::byte> out, const std::string& file)
{
    constexpr std::size_t kHeader = 4;
    if (stored.size() < kHeader)
        throwDamaged(file, "it has " + std::to_string(stored.size()) + " bytes");
    const int size = LZ4_decompress_safe(reinterpret_cast<const char*>(stored.data() + kHeader), reinterpret_cast<char*>(out.data()),
                                         static_cast<int>(stored.size() - kHeader), static_cast<int>(out.size()));
    if (size < 0)
        throwDamaged(file, "LZ4 cannot decode it");
    requireSize(static_cast<std::size_t>(size), out.size(), file);
}

} // namespace

json bloscLz4()
{
    return {{"id", "blosc"}, {"cname", "lz4"}, {"clevel", 5}, {"shuffle", 1}, {"blocksize", 0}};
}

std::vector<std::byte> encodeBlosc(std::span<const std::byte> samples, std::size_t sampleBytes)
{
    if (samples.size() > BLOSC_MAX_BUFFERSIZE)
        throw Error(ErrorCode::format, "a Zarr chunk of " + std::to_string(samples.size()) + " bytes is too large for Blosc (2 GiB); choose smaller chunks");
    std::vector<std::byte> stored(samples.size() + BLOSC_MAX_OVERHEAD);
    // The _ctx functions keep no global state: chunks are coded from many threads.
    const int size = blosc_compress_ctx(5, BLOSC_SHUFFLE, sampleBytes, samples.size(), samples.data(), stored.data(), stored.size(),
                                        BLOSC_LZ4_COMPNAME, 0, 1);
    if (size <= 0)
        throw Error(ErrorCode::io, "Blosc failed to compress a chunk of " + std::to_string(samples.size()) + " bytes; write without compression");
    stored.resize(static_cast<std::size_t>(size));
    return stored;
}

void decodeChunk(const json& compressor, std::span<const std::byte> stored, std::span<std::byte> out, const std::string& file)
{
    const std::string id = compressor.is_null() ? "" : compressor.value("id", "?");
    if (id.empty()) {
        requireSize(stored.size(), out.size(), file);
        std::memcpy(out.data(), stored.data(), out.size());
    } else if (id == "blosc") {
        decodeBlosc(stored, out, file);
    } else if (id == "zlib" || id == "gzip") {
        decodeZlib(stored, out, file);
    } else if (id == "zstd") {
        decodeZstd(stored, out, file);
    } else if (id == "lz4") {
        decodeLz4(stored, out, file);
    } else {
        throw Error(ErrorCode::format, file + ": the array is compressed with \"" + id
                                           + "\"; this program reads blosc, zlib, gzip, zstd, lz4 and uncompressed chunks; write it with one of those");
    }
}

} // namespace voxelscribe::io
