#include "core/io/tiff_file.h"

#include "core/base/error.h"
#include "core/base/extent.h"
#include "core/io/tiff_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_set>

namespace voxelscribe::io {

namespace {

constexpr std::int64_t kDirectoryGuess = 1024; ///< bytes that hold most directories, read at once

/// Bytes of one value of a TIFF field type; 0 for an unknown type.
std::int64_t typeSize(int type)
{
    switch (type) {
    case 1: case 2: case 6: case 7: return 1;
    case 3: case 8: return 2;
    case 4: case 9: case 11: case 13: return 4;
    case 5: case 10: case 12: case 16: case 17: case 18: return 8;
    default: return 0;
    }
}

} // namespace

bool isTiff(std::span<const std::byte> firstBytes)
{
    if (firstBytes.size() < 4)
        return false;
    std::array<char, 4> magic{};
    std::memcpy(magic.data(), firstBytes.data(), magic.size());
    const std::string_view text(magic.data(), magic.size());
    return text == std::string_view("II*\0", 4) || text == std::string_view("MM\0*", 4) || text == std::string_view("II+\0", 4)
           || text == std::string_view("MM\0+", 4);
}

namespace {

std::int64_t packedBytes(std::int64_t samples, int bits)
{
    const std::int64_t all = checkedProduct(samples, bits, "TIFF row");
    return all / 8 + (all % 8 != 0 ? 1 : 0);
}

} // namespace

std::int64_t TiffPage::chunkRowBytes() const
{
    return packedBytes(checkedProduct(chunkWidth(), samplesTogether(), "TIFF row"), bits);
}

std::int64_t TiffPage::pageBytes() const
{
    const std::int64_t rowBytes = packedBytes(checkedProduct(width, samplesTogether(), "TIFF row"), bits);
    return checkedProduct(rowBytes, checkedProduct(height, planar == 2 ? samples : 1, "TIFF page"), "TIFF page");
}

bool TiffPage::matches(const TiffPage& other) const
{
    return width == other.width && height == other.height && samples == other.samples && bits == other.bits
           && sampleFormat == other.sampleFormat && (subfileType & 5) == (other.subfileType & 5);
}

TiffFile::TiffFile(const std::filesystem::path& path) : m_path(path), m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC))
{
    if (m_descriptor.id() < 0)
        throwSystemError("cannot read", path.string(), errno);
    struct stat status {};
    ::fstat(m_descriptor.id(), &status);
    m_size = status.st_size;
    std::array<std::byte, 16> header{};
    const std::int64_t found = readSome(0, header);
    const bool little = header[0] == std::byte{'I'};
    m_big = header[2] == std::byte{'+'} || header[3] == std::byte{'+'};
    m_swapped = little != (std::endian::native == std::endian::little);
    if (!isTiff(header) || found < (m_big ? 16 : 8))
        throw Error(ErrorCode::format, path.string() + ": expected a TIFF file, found "
                                           + (found == 0 ? "an empty file" : found < 8 ? "only " + std::to_string(found) + " bytes"
                                                                                       : "other content")
                                           + "; copy it again from its source, or take it out of the folder");
    m_first = m_big ? static_cast<std::int64_t>(number<std::uint64_t>(header, 8)) : number<std::uint32_t>(header, 4);
}

std::int64_t TiffFile::readSome(std::int64_t offset, std::span<std::byte> out) const
{
    std::int64_t done = 0;
    while (done < static_cast<std::int64_t>(out.size())) {
        const ssize_t got = ::pread(m_descriptor.id(), out.data() + done, out.size() - static_cast<std::size_t>(done), offset + done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            throwSystemError("cannot read", m_path.string(), errno);
        if (got == 0)
            break;
        done += got;
    }
    return done;
}

template <typename T>
T TiffFile::number(std::span<const std::byte> bytes, std::size_t at) const
{
    std::array<std::byte, sizeof(T)> raw{};
    std::memcpy(raw.data(), bytes.data() + at, sizeof(T));
    if (m_swapped)
        std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
}

std::int64_t TiffFile::integerAt(std::span<const std::byte> bytes, std::size_t at, int type) const
{
    switch (type) {
    case 1: case 7: return number<std::uint8_t>(bytes, at);
    case 3: return number<std::uint16_t>(bytes, at);
    case 4: case 13: return number<std::uint32_t>(bytes, at);
    case 6: return number<std::int8_t>(bytes, at);
    case 8: return number<std::int16_t>(bytes, at);
    case 9: return number<std::int32_t>(bytes, at);
    case 16: case 17: case 18: return number<std::int64_t>(bytes, at);
    default: return 0;
    }
}

std::vector<std::int64_t> TiffFile::integers(const TiffField& field, std::int64_t first, std::int64_t count) const
{
    const std::int64_t size = typeSize(field.type);
    if (count < 0)
        count = field.count - first;
    if (size == 0 || first < 0 || count < 0 || first + count > field.count || field.count > m_size / size
        || field.offset < 0 || field.offset > m_size - field.count * size)
        throw Error(ErrorCode::format, m_path.string() + ": damaged: " + std::to_string(first + count) + " values of a tag expected at byte "
                                           + std::to_string(field.offset) + ", the tag has " + std::to_string(field.count)
                                           + " and the file " + std::to_string(m_size) + " bytes");
    std::vector<std::byte> bytes(static_cast<std::size_t>(count * size));
    readSome(field.offset + first * size, bytes);
    std::vector<std::int64_t> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = integerAt(bytes, i * static_cast<std::size_t>(size), field.type);
    return values;
}

std::optional<double> TiffFile::rational(const TiffField& field) const
{
    std::array<std::byte, 8> bytes{};
    if (field.count < 1 || typeSize(field.type) > 8 || readSome(field.offset, bytes) < typeSize(field.type))
        return std::nullopt;
    double value = 0;
    if (field.type == 5)
        value = static_cast<double>(number<std::uint32_t>(bytes, 0)) / static_cast<double>(number<std::uint32_t>(bytes, 4));
    else if (field.type == 11)
        value = static_cast<double>(number<float>(bytes, 0));
    else if (field.type == 12)
        value = number<double>(bytes, 0);
    else
        value = static_cast<double>(integerAt(bytes, 0, field.type));
    if (!std::isfinite(value) || value <= 0)
        return std::nullopt;
    return value;
}

std::string TiffFile::text(const TiffField& field) const
{
    constexpr std::int64_t kLongest = 64 << 20; // OME-XML of large plates runs to megabytes
    std::string text(static_cast<std::size_t>(std::clamp<std::int64_t>(field.count, 0, std::min(kLongest, m_size))), '\0');
    const std::int64_t found = readSome(field.offset, std::as_writable_bytes(std::span(text)));
    text.resize(static_cast<std::size_t>(found));
    while (!text.empty() && text.back() == '\0')
        text.pop_back();
    return text;
}

std::optional<TiffPage> TiffFile::readPage(std::int64_t offset) const
{
    const std::size_t countBytes = m_big ? 8 : 2;
    const std::size_t entryBytes = m_big ? 20 : 12;
    if (offset < 8 || offset > m_size - static_cast<std::int64_t>(countBytes))
        return std::nullopt;
    std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(kDirectoryGuess, m_size - offset)));
    bytes.resize(static_cast<std::size_t>(readSome(offset, bytes)));
    if (bytes.size() < countBytes)
        return std::nullopt;
    const std::uint64_t count = m_big ? number<std::uint64_t>(bytes, 0) : number<std::uint16_t>(bytes, 0);
    const std::size_t needed = countBytes + static_cast<std::size_t>(std::min<std::uint64_t>(count, 65536)) * entryBytes;
    if (count == 0 || count > 65535 || static_cast<std::int64_t>(needed) > m_size - offset)
        return std::nullopt;
    if (bytes.size() < needed + countBytes + 8) {
        bytes.resize(static_cast<std::size_t>(std::min<std::int64_t>(static_cast<std::int64_t>(needed + 8), m_size - offset)));
        bytes.resize(static_cast<std::size_t>(readSome(offset, bytes)));
    }
    TiffPage page;
    page.offset = offset;
    std::unordered_set<std::uint16_t> seen;
    for (std::size_t at = countBytes; at < needed; at += entryBytes) {
        TiffField field;
        field.type = number<std::uint16_t>(bytes, at + 2);
        const std::uint64_t values = m_big ? number<std::uint64_t>(bytes, at + 4) : number<std::uint32_t>(bytes, at + 4);
        const std::size_t inlineBytes = m_big ? 8 : 4;
        const std::size_t valueAt = at + entryBytes - inlineBytes;
        if (typeSize(field.type) == 0 || values > static_cast<std::uint64_t>(m_size))
            continue; // unknown or impossible: as if it were not there
        field.count = static_cast<std::int64_t>(values);
        field.offset = offset + static_cast<std::int64_t>(valueAt);
        if (field.count * typeSize(field.type) > static_cast<std::int64_t>(inlineBytes))
            field.offset = m_big ? number<std::int64_t>(bytes, valueAt) : number<std::uint32_t>(bytes, valueAt);
        if (const auto tag = number<std::uint16_t>(bytes, at); field.count > 0 && seen.insert(tag).second)
            takeEntry(page, tag, field); // of a tag that stands there twice the first counts, as for libtiff
    }
    if (page.bitsField.count > 0) {
        const auto bits = integers(page.bitsField, 0, std::min({page.bitsField.count, page.samples, std::int64_t{64}}));
        const bool same = std::all_of(bits.begin(), bits.end(), [&](std::int64_t b) { return b == bits.front(); });
        page.bits = same && bits.front() > 0 && bits.front() <= 128 ? static_cast<int>(bits.front()) : 0;
    }
    if (page.rowsPerStrip <= 0 || page.rowsPerStrip > page.height)
        page.rowsPerStrip = page.height;
    const std::size_t nextBytes = m_big ? 8 : 4;
    if (bytes.size() >= needed + nextBytes)
        page.next = m_big ? number<std::int64_t>(bytes, needed) : number<std::uint32_t>(bytes, needed);
    return page;
}

void TiffFile::takeEntry(TiffPage& page, std::uint16_t tag, const TiffField& field) const
{
    const auto value = [&] {
        const auto values = integers(field, 0, 1);
        return values.front();
    };
    const auto small = [&] { return static_cast<int>(std::clamp<std::int64_t>(value(), 0, std::numeric_limits<int>::max())); };
    switch (tag) {
    case 254: page.subfileType = small(); break;
    case 256: page.width = value(); break;
    case 257: page.height = value(); break;
    case 258: page.bitsField = field; break;
    case 259: page.compression = small(); break;
    case 262: page.photometric = small(); break;
    case 266: page.fillOrder = small(); break;
    case 270: page.description = field; break;
    case 273: case 324: page.chunkOffsets = field; break;
    case 277: page.samples = std::max<std::int64_t>(1, value()); break;
    case 278: page.rowsPerStrip = value(); break;
    case 279: case 325: page.chunkByteCounts = field; break;
    case 282: page.xResolution = field; break;
    case 283: page.yResolution = field; break;
    case 284: page.planar = small() == 2 ? 2 : 1; break;
    case 296: page.resolutionUnit = small(); break;
    case 322: page.tileWidth = value(); break;
    case 323: page.tileHeight = value(); break;
    case 339: page.sampleFormat = small(); break;
    default: break;
    }
}

} // namespace voxelscribe::io
