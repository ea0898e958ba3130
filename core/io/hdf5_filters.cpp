#include "core/io/hdf5_filters.h"

#include "core/io/bitshuffle.h"
#include "core/io/lzf.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <lz4.h>
#include <span>
#include <utility>
#include <vector>
#include <zstd.h>

namespace voxelscribe::io {

namespace {

constexpr H5Z_filter_t kLzf = 32000;
constexpr H5Z_filter_t kBitshuffle = 32008;
constexpr H5Z_filter_t kZstd = 32015;

std::uint64_t bigEndian(const std::byte* at, std::size_t bytes)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        value = value << 8U | std::to_integer<std::uint64_t>(at[i]);
    return value;
}

/// One chunk of bitshuffle being decoded: a header of size and block size where it is also compressed, then blocks, then the
/// samples that fill no group of eight, as they are.
struct Bitshuffled {
    std::span<const std::byte> in;
    std::span<std::byte> out;
    std::size_t sampleBytes = 1;
    std::size_t blockSamples = 0;
    unsigned compression = 0; ///< 0 none, 2 LZ4, 3 Zstandard

    bool decodeBlock(std::span<std::byte> block)
    {
        std::vector<std::byte> planes(block.size());
        std::size_t stored = block.size();
        if (compression != 0) {
            if (in.size() < 4)
                return false;
            stored = bigEndian(in.data(), 4);
            in = in.subspan(4);
        }
        if (in.size() < stored)
            return false;
        if (!expand(in.first(stored), planes))
            return false;
        in = in.subspan(stored);
        bitUnshuffle(planes, block, sampleBytes);
        return true;
    }

    bool expand(std::span<const std::byte> from, std::span<std::byte> to) const
    {
        if (compression == 2)
            return LZ4_decompress_safe(reinterpret_cast<const char*>(from.data()), reinterpret_cast<char*>(to.data()),
                                       static_cast<int>(from.size()), static_cast<int>(to.size()))
                   == static_cast<int>(to.size());
        if (compression == 3)
            return ZSTD_decompress(to.data(), to.size(), from.data(), from.size()) == to.size();
        std::memcpy(to.data(), from.data(), to.size());
        return true;
    }

    bool decode()
    {
        std::size_t samples = out.size() / sampleBytes;
        std::span<std::byte> rest = out;
        while (samples >= 8) {
            const std::size_t count = std::min(blockSamples, samples / 8 * 8);
            if (!decodeBlock(rest.first(count * sampleBytes)))
                return false;
            rest = rest.subspan(count * sampleBytes);
            samples -= count;
        }
        if (in.size() < rest.size())
            return false;
        std::memcpy(rest.data(), in.data(), rest.size());
        return true;
    }
};

/// Hands a new buffer to HDF5, which frees it with free().
std::size_t giveBack(std::size_t bytes, void* decoded, std::size_t* bufferSize, void** buffer)
{
    std::free(*buffer);
    *buffer = decoded;
    *bufferSize = bytes;
    return bytes;
}

/// Filter parameters: major, minor, bytes a sample, samples a block (0: by the library), compression.
std::size_t bitshuffleFilter(unsigned flags, std::size_t count, const unsigned* values, std::size_t bytes, std::size_t* bufferSize, void** buffer)
{
    if ((flags & H5Z_FLAG_REVERSE) == 0 || count < 3 || values[2] == 0)
        return 0;
    Bitshuffled chunk;
    chunk.in = {static_cast<const std::byte*>(*buffer), bytes};
    chunk.sampleBytes = values[2];
    chunk.blockSamples = count > 3 ? values[3] : 0;
    chunk.compression = count > 4 ? values[4] : 0;
    std::size_t size = bytes;
    if (chunk.compression != 0) {
        constexpr std::size_t kHeader = 12;
        if (bytes < kHeader)
            return 0;
        size = bigEndian(chunk.in.data(), 8);
        chunk.blockSamples = bigEndian(chunk.in.data() + 8, 4) / chunk.sampleBytes;
        chunk.in = chunk.in.subspan(kHeader);
    }
    if (chunk.blockSamples == 0) // as bitshuffle chooses: about 8 KiB, a multiple of eight, at least 128
        chunk.blockSamples = std::max<std::size_t>(128, 8192 / chunk.sampleBytes / 8 * 8);
    void* decoded = std::malloc(std::max<std::size_t>(1, size));
    if (decoded == nullptr)
        return 0;
    chunk.out = {static_cast<std::byte*>(decoded), size};
    if (chunk.blockSamples % 8 != 0 || !chunk.decode()) {
        std::free(decoded);
        return 0;
    }
    return giveBack(size, decoded, bufferSize, buffer);
}

std::size_t zstdFilter(unsigned flags, std::size_t, const unsigned*, std::size_t bytes, std::size_t* bufferSize, void** buffer)
{
    if ((flags & H5Z_FLAG_REVERSE) == 0)
        return 0;
    const unsigned long long size = ZSTD_getFrameContentSize(*buffer, bytes);
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
        return 0;
    void* decoded = std::malloc(std::max<std::size_t>(1, size));
    if (decoded == nullptr)
        return 0;
    if (ZSTD_decompress(decoded, size, *buffer, bytes) != size) {
        std::free(decoded);
        return 0;
    }
    return giveBack(size, decoded, bufferSize, buffer);
}

/// Filter parameters: version, LZF's version, bytes of a chunk.
std::size_t lzfFilter(unsigned flags, std::size_t count, const unsigned* values, std::size_t bytes, std::size_t* bufferSize, void** buffer)
{
    if ((flags & H5Z_FLAG_REVERSE) == 0 || count < 3)
        return 0;
    const std::size_t size = values[2];
    void* decoded = std::malloc(std::max<std::size_t>(1, size));
    if (decoded == nullptr)
        return 0;
    if (!lzfDecode({static_cast<const std::byte*>(*buffer), bytes}, {static_cast<std::byte*>(decoded), size})) {
        std::free(decoded);
        return 0;
    }
    return giveBack(size, decoded, bufferSize, buffer);
}

void registerDecoder(H5Z_filter_t filter, const char* name, H5Z_func_t function)
{
    const H5Z_class2_t description{H5Z_CLASS_T_VERS, filter, 0, 1, name, nullptr, nullptr, function};
    H5Zregister(&description);
}

struct KnownFilter {
    H5Z_filter_t id;
    const char* name;
    const char* advice;
};

constexpr const char* kInstallPlugins = "install Debian's hdf5-filter-plugin";
constexpr const char* kRewrite = "install its HDF5 plugin and name its folder in HDF5_PLUGIN_PATH, or write the file with gzip";

constexpr std::array<KnownFilter, 22> kFilters{{
    {1, "gzip", kRewrite}, {2, "shuffle", kRewrite}, {3, "Fletcher32", kRewrite}, {4, "szip", kRewrite}, {5, "nbit", kRewrite},
    {6, "scale-offset", kRewrite}, {307, "bzip2", kInstallPlugins}, {32000, "LZF", kRewrite},
    {32001, "Blosc", "install Debian's hdf5-filter-plugin-blosc-serial"}, {32004, "LZ4", kInstallPlugins}, {32008, "bitshuffle", kRewrite},
    {32013, "ZFP", kRewrite}, {32015, "Zstandard", kRewrite}, {32017, "SZ", kRewrite}, {32018, "FCIDECOMP", kRewrite},
    {32019, "JPEG", kRewrite}, {32022, "VBZ", kRewrite}, {32024, "SZ3", kRewrite}, {32026, "Blosc2", kRewrite},
    {32027, "FLAC", kRewrite}, {32028, "SPERR", kRewrite}, {32029, "TERSE/PROLIX", kRewrite}}};

} // namespace

void registerHdf5Filters()
{
    registerDecoder(kLzf, "lzf", lzfFilter);
    registerDecoder(kBitshuffle, "bitshuffle", bitshuffleFilter);
    registerDecoder(kZstd, "zstd", zstdFilter);
}

std::string hdf5FilterName(H5Z_filter_t filter)
{
    for (const KnownFilter& known : kFilters)
        if (known.id == filter)
            return std::string(known.name) + " (filter " + std::to_string(filter) + ")";
    return "filter " + std::to_string(filter);
}

std::string missingHdf5Filter(hid_t creationProperties)
{
    const int count = H5Pget_nfilters(creationProperties);
    for (int i = 0; i < count; ++i) {
        unsigned flags = 0;
        std::size_t values = 0;
        const H5Z_filter_t filter = H5Pget_filter2(creationProperties, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
        if (filter < 0 || H5Zfilter_avail(filter) > 0)
            continue;
        H5Eclear2(H5E_DEFAULT);
        const auto known = std::find_if(kFilters.begin(), kFilters.end(), [&](const KnownFilter& entry) { return entry.id == filter; });
        return "its samples are compressed with " + hdf5FilterName(filter) + ", which is not installed; " + (known != kFilters.end() ? known->advice : kRewrite);
    }
    return {};
}

} // namespace voxelscribe::io
