#include "core/io/tiff_decoder.h"

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/extent.h"
#include "core/io/tiff_handle.h"
#include "core/io/tiff_samples.h"

#include <algorithm>
#include <tiffio.h>
#include <utility>
#include <vector>

namespace voxelscribe::io {

namespace {

/// Most bytes that a byte of this compression can stand for, generously; a header that claims more is not believed.
std::int64_t largestExpansion(int compression)
{
    switch (compression) {
    case COMPRESSION_NONE: return 1;
    case COMPRESSION_PACKBITS: return 128;
    case COMPRESSION_LZW: return 8192;
    case COMPRESSION_ADOBE_DEFLATE:
    case COMPRESSION_DEFLATE: return 2048;
    default: return 200000;
    }
}

constexpr std::int64_t kBufferBytes = std::int64_t{4} << 20; ///< of uncompressed rows that are sorted on the way
constexpr std::int64_t kAlwaysAllowed = std::int64_t{64} << 20;

bool isJustified(std::int64_t bytes, std::int64_t storedBytes, int compression)
{
    return bytes <= kAlwaysAllowed || (bytes - kAlwaysAllowed) / largestExpansion(compression) <= storedBytes;
}

[[noreturn]] void throwFormat(const TiffFile& file, const std::string& what)
{
    throw Error(ErrorCode::format, file.path().string() + ": " + what);
}

[[noreturn]] void throwTruncated(const TiffFile& file, const std::string& where, std::int64_t offset, std::int64_t expected)
{
    throw Error(ErrorCode::format, where + ": truncated: expected " + std::to_string(expected) + " bytes at byte " + std::to_string(offset)
                                       + ", found " + std::to_string(std::clamp<std::int64_t>(file.size() - offset, 0, expected))
                                       + " (the file has " + std::to_string(file.size()) + " bytes); copy it again from its source");
}

DType integerType(const TiffFile& file, const TiffPage& page)
{
    const bool isSigned = page.sampleFormat == SAMPLEFORMAT_INT;
    switch (page.bits) {
    case 8: return isSigned ? DType::int8 : DType::uint8;
    case 16: return isSigned ? DType::int16 : DType::uint16;
    case 32: return isSigned ? DType::int32 : DType::uint32;
    case 64: return isSigned ? DType::int64 : DType::uint64;
    default: break;
    }
    if (isSigned || page.bits > 32)
        throwFormat(file, std::to_string(page.bits) + "-bit " + (isSigned ? "signed " : "") + "integers cannot be read; "
                              "save it with 8, 16, 32 or 64 bits");
    return page.bits < 8 ? DType::uint8 : page.bits < 16 ? DType::uint16 : DType::uint32;
}

DType sampleType(const TiffFile& file, const TiffPage& page)
{
    if (page.bits == 0)
        throwFormat(file, "the samples of a pixel have different bit depths, which cannot be read");
    switch (page.sampleFormat) {
    case SAMPLEFORMAT_COMPLEXINT:
    case SAMPLEFORMAT_COMPLEXIEEEFP: throwFormat(file, "holds complex numbers; save the magnitude or the real part as float32");
    case SAMPLEFORMAT_IEEEFP:
        if (page.bits == 64)
            return DType::float64;
        if (page.bits == 16 || page.bits == 32)
            return DType::float32;
        throwFormat(file, std::to_string(page.bits) + "-bit floating point cannot be read; save it as float32");
    default: return integerType(file, page);
    }
}

} // namespace

DType requireReadable(const TiffFile& file, const TiffPage& page)
{
    if (page.width <= 0 || page.height <= 0)
        throwFormat(file, "a page of " + std::to_string(page.height) + "×" + std::to_string(page.width) + " pixels is no image");
    if (page.isTiled() ? page.tileHeight <= 0 : page.rowsPerStrip <= 0)
        throwFormat(file, "the size of its strips or tiles is missing");
    const DType dtype = sampleType(file, page);
    if (page.chunkOffsets.count == 0)
        throwFormat(file, "damaged: a page does not say where its samples lie");
    if (page.compression == COMPRESSION_OJPEG || TIFFIsCODECConfigured(static_cast<std::uint16_t>(page.compression)) == 0)
        throwFormat(file, "the compression with number " + std::to_string(page.compression)
                              + " cannot be read; save it with Deflate or LZW");
    if (page.photometric == PHOTOMETRIC_SEPARATED)
        throwFormat(file, "holds the inks of a printer (CMYK), no measured values; save it as grey or RGB");
    if (page.photometric == PHOTOMETRIC_YCBCR && page.compression != COMPRESSION_JPEG)
        throwFormat(file, "YCbCr samples outside JPEG cannot be read; save it as grey or RGB");
    const std::int64_t bytes = page.pageBytes();
    const std::int64_t chunk = checkedProduct(page.chunkRowBytes(), page.chunkHeight(), "TIFF strip or tile");
    if (!isJustified(std::max(bytes, chunk), file.size(), page.compression))
        throwFormat(file, "its header claims pages of " + byteSizeText(std::max(bytes, chunk)) + " ("
                              + std::to_string(page.height) + "×" + std::to_string(page.width) + " pixels), but the whole file has "
                              + byteSizeText(file.size()) + ": it is truncated or damaged; copy it again from its source");
    return dtype;
}

namespace {

/// One strip or tile that a window touches, and the pixels of it that are wanted.
struct TouchedChunk {
    std::int64_t index = 0;
    std::int64_t rows = 0; ///< stored rows
    std::int64_t y0 = 0;   ///< inside the chunk
    std::int64_t y1 = 0;
    std::int64_t x0 = 0;
    std::int64_t x1 = 0;
    std::int64_t outY = 0; ///< inside the window
    std::int64_t outX = 0;
};

template <typename F>
void forEachChunk(const TiffPage& page, const TiffWindow& window, const F& f)
{
    const std::int64_t width = page.chunkWidth();
    const std::int64_t height = page.chunkHeight();
    const std::int64_t across = (page.width + width - 1) / width;
    const std::int64_t down = (page.height + height - 1) / height;
    const std::int64_t plane = page.planar == 2 ? window.sample * across * down : 0;
    for (std::int64_t row = window.y / height; row * height < window.y + window.height; ++row)
        for (std::int64_t column = window.x / width; column * width < window.x + window.width; ++column) {
            TouchedChunk chunk;
            chunk.index = plane + row * across + column;
            chunk.rows = page.isTiled() ? height : std::min(height, page.height - row * height);
            chunk.y0 = std::max<std::int64_t>(0, window.y - row * height);
            chunk.y1 = std::min(chunk.rows, window.y + window.height - row * height);
            chunk.x0 = std::max<std::int64_t>(0, window.x - column * width);
            chunk.x1 = std::min(width, window.x + window.width - column * width);
            chunk.outY = row * height + chunk.y0 - window.y;
            chunk.outX = column * width + chunk.x0 - window.x;
            f(chunk);
        }
}

TiffRowLayout rowLayout(const TiffPage& page, const TiffWindow& window, std::int64_t x0)
{
    TiffRowLayout layout;
    layout.bits = page.bits;
    layout.isFloat = page.sampleFormat == SAMPLEFORMAT_IEEEFP;
    layout.stride = page.samplesTogether();
    layout.first = x0 * layout.stride + (page.planar == 2 ? 0 : window.sample);
    return layout;
}

/// Where chunks of a page lie and whether they are there: a byte count of 0 marks a chunk that was never written, all zero.
class ChunkPlaces {
public:
    ChunkPlaces(const TiffFile& file, const TiffPage& page, std::optional<std::int64_t> dataOffset)
        : m_file(file), m_page(page), m_dataOffset(dataOffset)
    {
        constexpr std::int64_t kReadAtOnce = 1 << 16;
        if (!dataOffset && page.chunkOffsets.count <= kReadAtOnce)
            m_offsets = file.integers(page.chunkOffsets);
    }
    std::int64_t offset(const TouchedChunk& chunk) const
    {
        if (m_dataOffset)
            return *m_dataOffset + chunk.index * m_page.chunkHeight() * m_page.chunkRowBytes();
        if (chunk.index < static_cast<std::int64_t>(m_offsets.size()))
            return m_offsets[static_cast<std::size_t>(chunk.index)];
        return value(m_page.chunkOffsets, chunk.index);
    }
    bool isSparse(const TouchedChunk& chunk) const
    {
        return !m_dataOffset && offset(chunk) == 0 && m_page.chunkByteCounts.count > chunk.index
               && value(m_page.chunkByteCounts, chunk.index) == 0;
    }

private:
    std::int64_t value(const TiffField& field, std::int64_t index) const
    {
        return m_file.integers(field, index, 1).front();
    }

    const TiffFile& m_file;
    const TiffPage& m_page;
    std::optional<std::int64_t> m_dataOffset;
    std::vector<std::int64_t> m_offsets;
};

} // namespace

TiffDecoder::TiffDecoder(std::shared_ptr<const TiffFile> file) : m_file(std::move(file)), m_pool(std::make_unique<TiffHandlePool>()) {}
TiffDecoder::~TiffDecoder() = default;

void TiffDecoder::read(const TiffPage& page, const TiffWindow& window, std::span<std::byte> out,
                       std::optional<std::int64_t> dataOffset) const
{
    if (page.isRaw())
        readRaw(page, window, out, dataOffset);
    else
        decode(page, window, out);
}

void TiffDecoder::readRaw(const TiffPage& page, const TiffWindow& window, std::span<std::byte> out,
                          std::optional<std::int64_t> dataOffset) const
{
    const std::int64_t pixelBytes = page.samplesTogether() * page.bits / 8;
    const std::int64_t outBytes = static_cast<std::int64_t>(out.size()) / (window.width * window.height);
    const bool asStored = page.samplesTogether() == 1 && outBytes == pixelBytes;
    const ChunkPlaces places(*m_file, page, dataOffset);
    std::vector<std::byte> rows;
    forEachChunk(page, window, [&](const TouchedChunk& chunk) {
        std::byte* to = out.data() + (chunk.outY * window.width + chunk.outX) * outBytes;
        const bool fullRows = chunk.x0 == 0 && chunk.x1 == page.chunkWidth();
        const bool direct = asStored && (window.width == chunk.x1 - chunk.x0);
        const std::int64_t rowBytes = (chunk.x1 - chunk.x0) * pixelBytes;
        const std::int64_t atOnce = direct ? chunk.y1 - chunk.y0 : std::max<std::int64_t>(1, kBufferBytes / rowBytes);
        const bool sparse = places.isSparse(chunk);
        const std::int64_t base = sparse ? 0 : places.offset(chunk);
        for (std::int64_t y = chunk.y0; y < chunk.y1;) {
            const std::int64_t together = fullRows ? std::min(atOnce, chunk.y1 - y) : 1;
            std::span<std::byte> bytes(to, static_cast<std::size_t>(direct ? together * rowBytes : 0));
            if (!direct) {
                rows.resize(static_cast<std::size_t>(together * rowBytes));
                bytes = rows;
            }
            const std::int64_t at = base + y * page.chunkRowBytes() + chunk.x0 * pixelBytes;
            if (sparse)
                std::fill(bytes.begin(), bytes.end(), std::byte{0});
            else if (base < 0 || m_file->readSome(at, bytes) != static_cast<std::int64_t>(bytes.size()))
                throwTruncated(*m_file, window.where, at, static_cast<std::int64_t>(bytes.size()));
            if (m_file->isSwapped())
                swapSamples(bytes, page.bits / 8);
            if (!direct)
                for (std::int64_t row = 0; row < together; ++row)
                    extractTiffRow(bytes.subspan(static_cast<std::size_t>(row * rowBytes), static_cast<std::size_t>(rowBytes)),
                                   rowLayout(page, window, 0), chunk.x1 - chunk.x0, to + row * window.width * outBytes);
            to += together * window.width * outBytes;
            y += together;
        }
    });
}

void TiffDecoder::decode(const TiffPage& page, const TiffWindow& window, std::span<std::byte> out) const
{
    const TiffHandlePool::Lease lease(*m_pool, *m_file, page);
    TiffHandle& handle = *lease;
    const auto fail = [&](const std::string& what) {
        throw Error(ErrorCode::format, window.where + ": damaged: " + what
                                           + (handle.message.empty() ? "" : " (" + handle.message + ")"));
    };
    if (!handle.goTo(page))
        fail("the page's directory cannot be read");
    const std::int64_t outBytes = static_cast<std::int64_t>(out.size()) / (window.width * window.height);
    const std::int64_t rowBytes = page.isTiled() ? TIFFTileRowSize64(handle.tiff) : TIFFScanlineSize64(handle.tiff);
    if (rowBytes < page.chunkRowBytes())
        fail("rows of " + std::to_string(page.chunkRowBytes()) + " bytes expected, " + std::to_string(rowBytes) + " found");
    forEachChunk(page, window, [&](const TouchedChunk& chunk) {
        const auto index = static_cast<std::uint32_t>(chunk.index);
        const auto offset = static_cast<std::int64_t>(TIFFGetStrileOffset(handle.tiff, index));
        const auto stored = static_cast<std::int64_t>(TIFFGetStrileByteCount(handle.tiff, index));
        const std::int64_t expected = checkedProduct(rowBytes, chunk.rows, "TIFF strip or tile");
        handle.chunk.resize(static_cast<std::size_t>(expected));
        if (stored == 0 && offset == 0) {
            std::fill(handle.chunk.begin(), handle.chunk.end(), std::byte{0});
        } else {
            if (offset > m_file->size() || stored > m_file->size() - offset)
                throwTruncated(*m_file, window.where, offset, stored);
            const auto found = page.isTiled() ? TIFFReadEncodedTile(handle.tiff, index, handle.chunk.data(), expected)
                                              : TIFFReadEncodedStrip(handle.tiff, index, handle.chunk.data(), expected);
            if (found != expected)
                fail("strip or tile " + std::to_string(chunk.index) + " should decode to " + std::to_string(expected) + " bytes, got "
                     + std::to_string(std::max<std::int64_t>(0, found)));
        }
        if (page.bits == 24 && m_file->isSwapped())
            swapSamples(handle.chunk, 3); // libtiff swapped them; packed bits begin with the most significant
        const std::span<const std::byte> bytes(handle.chunk);
        for (std::int64_t y = chunk.y0; y < chunk.y1; ++y)
            extractTiffRow(bytes.subspan(static_cast<std::size_t>(y * rowBytes), static_cast<std::size_t>(rowBytes)),
                           rowLayout(page, window, chunk.x0), chunk.x1 - chunk.x0,
                           out.data() + ((chunk.outY + y - chunk.y0) * window.width + chunk.outX) * outBytes);
    });
}

} // namespace voxelscribe::io
