#include "core/io/tiff_page_writer.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <libdeflate.h>
#include <limits>
#include <omp.h>
#include <unistd.h>
#include <utility>

namespace voxelscribe::io {

namespace {

constexpr std::int64_t kStripBytes = 64 << 10; ///< before compression; small enough for all cores to share a page
constexpr std::int64_t kStripsAtOnce = 256;

enum Type : std::uint16_t { kAscii = 2, kShort = 3, kLong = 4, kRational = 5, kLong8 = 16 };

template <typename T>
void put(std::vector<std::byte>& bytes, T value)
{
    const auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
    for (const std::byte byte : raw) // a range insert here makes GCC 12 see an overflow
        bytes.push_back(byte);
}

/// The nearest fraction with 32-bit terms (by continued fractions).
std::pair<std::uint32_t, std::uint32_t> fraction(double value)
{
    constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
    double p0 = 0;
    double p1 = 1;
    double q0 = 1;
    double q1 = 0;
    double rest = value;
    for (int step = 0; step < 64; ++step) {
        const double whole = std::floor(rest);
        const double p2 = whole * p1 + p0;
        const double q2 = whole * q1 + q0;
        if (p2 > kMost || q2 > kMost)
            break;
        p0 = std::exchange(p1, p2);
        q0 = std::exchange(q1, q2);
        if (rest - whole < 1e-12 || std::abs(p1 / q1 - value) <= value * 1e-16)
            break;
        rest = 1 / (rest - whole);
    }
    return q1 > 0 && p1 > 0 ? std::pair(static_cast<std::uint32_t>(p1), static_cast<std::uint32_t>(q1))
                            : std::pair(std::uint32_t{1}, std::numeric_limits<std::uint32_t>::max());
}

int sampleFormat(DType dtype)
{
    switch (dtype) {
    case DType::int8: case DType::int16: case DType::int32: case DType::int64: return 2;
    case DType::float32: case DType::float64: return 3;
    default: return 1;
    }
}

} // namespace

bool TiffPageSpec::needsBig() const
{
    const double samples = static_cast<double>(pages) * static_cast<double>(height) * static_cast<double>(rowBytes());
    const double directories = static_cast<double>(pages) * (2048 + static_cast<double>(height) * static_cast<double>(rowBytes()) / kStripBytes * 8);
    return samples * 1.002 + directories + static_cast<double>(description.size()) > 3.9e9; // Deflate adds little to what it cannot compress
}

struct TiffPageWriter::Entry {
    std::uint16_t tag = 0;
    Type type = kShort;
    std::int64_t count = 1;
    std::vector<std::byte> values;

    static Entry shorts(std::uint16_t tag, std::span<const std::uint16_t> values)
    {
        Entry entry{tag, kShort, static_cast<std::int64_t>(values.size()), {}};
        for (const std::uint16_t value : values)
            put(entry.values, value);
        return entry;
    }
    static Entry number(std::uint16_t tag, int value)
    {
        const auto narrow = static_cast<std::uint16_t>(value);
        return shorts(tag, {&narrow, 1});
    }
    static Entry longs(std::uint16_t tag, std::span<const std::int64_t> values, bool big)
    {
        Entry entry{tag, big ? kLong8 : kLong, static_cast<std::int64_t>(values.size()), {}};
        for (const std::int64_t value : values)
            if (big)
                put(entry.values, value);
            else
                put(entry.values, static_cast<std::uint32_t>(value));
        return entry;
    }
    static Entry text(std::uint16_t tag, const std::string& text)
    {
        Entry entry{tag, kAscii, static_cast<std::int64_t>(text.size()) + 1, {}};
        for (const char c : text)
            entry.values.push_back(static_cast<std::byte>(c));
        entry.values.push_back(std::byte{0});
        return entry;
    }
    static Entry rational(std::uint16_t tag, double value)
    {
        const auto [numerator, denominator] = fraction(value);
        Entry entry{tag, kRational, 1, {}};
        put(entry.values, numerator);
        put(entry.values, denominator);
        return entry;
    }
};

TiffPageWriter::TiffPageWriter(const std::filesystem::path& path, std::string name, TiffPageSpec spec)
    : m_name(std::move(name)), m_spec(std::move(spec)), m_big(m_spec.needsBig()),
      m_descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666))
{
    if (m_descriptor.id() < 0)
        throwSystemError("cannot write", m_name, errno);
    const auto strips = static_cast<int>(std::min<std::int64_t>(1024, 1 + m_spec.height * m_spec.rowBytes() / kStripBytes));
    for (int i = 0; m_spec.compress && i < std::clamp(omp_get_max_threads(), 1, strips); ++i) {
        m_compressors.emplace_back(libdeflate_alloc_compressor(m_spec.level));
        if (!m_compressors.back())
            throw Error(ErrorCode::memory, m_name + ": no memory to compress");
    }
    std::vector<std::byte> header(2, std::endian::native == std::endian::little ? std::byte{'I'} : std::byte{'M'});
    put(header, std::uint16_t(m_big ? 43 : 42));
    if (m_big) {
        put(header, std::uint16_t{8});
        put(header, std::uint16_t{0});
    }
    m_link = static_cast<std::int64_t>(header.size());
    const auto none = offsetBytes(0);
    header.insert(header.end(), none.begin(), none.end());
    append(header);
}

void TiffPageWriter::FreeCompressor::operator()(libdeflate_compressor* compressor) const
{
    libdeflate_free_compressor(compressor);
}

std::vector<std::byte> TiffPageWriter::offsetBytes(std::int64_t offset) const
{
    std::vector<std::byte> bytes;
    if (m_big)
        put(bytes, offset);
    else
        put(bytes, static_cast<std::uint32_t>(offset));
    return bytes;
}

void TiffPageWriter::append(std::span<const std::byte> bytes)
{
    overwrite(m_end, bytes);
    m_end += static_cast<std::int64_t>(bytes.size());
}

void TiffPageWriter::overwrite(std::int64_t offset, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(m_descriptor.id(), bytes.data(), bytes.size(), offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            throwSystemError("cannot write", m_name, errno);
        offset += written;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void TiffPageWriter::addPage(std::span<const std::byte> samples)
{
    if (m_spec.compress) {
        const Strips strips = compressStrips(samples);
        writeDirectory(m_added, strips);
    } else {
        append(samples);
    }
    ++m_added;
}

TiffPageWriter::Strips TiffPageWriter::compressStrips(std::span<const std::byte> samples)
{
    Strips strips;
    const std::int64_t rowBytes = m_spec.rowBytes();
    strips.rows = std::clamp<std::int64_t>(kStripBytes / rowBytes, 1, m_spec.height);
    const std::int64_t count = (m_spec.height + strips.rows - 1) / strips.rows;
    const auto stripBytes = static_cast<std::size_t>(strips.rows * rowBytes);
    for (std::int64_t first = 0; first < count; first += kStripsAtOnce) {
        const std::int64_t here = std::min(kStripsAtOnce, count - first);
        std::vector<std::vector<std::byte>> packed(static_cast<std::size_t>(here));
        for (auto& strip : packed)
            strip.resize(libdeflate_zlib_compress_bound(m_compressors.front().get(), stripBytes));
        bool failed = false;
        #pragma omp parallel for schedule(dynamic) reduction(|| : failed) num_threads(static_cast<int>(m_compressors.size())) if (here > 1)
        for (std::int64_t i = 0; i < here; ++i) {
            const std::size_t at = static_cast<std::size_t>(first + i) * stripBytes;
            const std::size_t length = std::min(stripBytes, samples.size() - at);
            auto& to = packed[static_cast<std::size_t>(i)];
            libdeflate_compressor* compressor = m_compressors[static_cast<std::size_t>(omp_get_thread_num())].get();
            const std::size_t size = libdeflate_zlib_compress(compressor, samples.data() + at, length, to.data(), to.size());
            failed = failed || size == 0;
            to.resize(size); // smaller: allocates nothing
        }
        if (failed)
            throw Error(ErrorCode::memory, m_name + ": a strip could not be compressed");
        for (const auto& strip : packed) {
            strips.offsets.push_back(m_end);
            strips.byteCounts.push_back(static_cast<std::int64_t>(strip.size()));
            append(strip);
        }
    }
    return strips;
}

std::vector<TiffPageWriter::Entry> TiffPageWriter::entries(std::int64_t page, const Strips& strips) const
{
    std::vector<Entry> entries; // by ascending tag, as TIFF demands
    const std::array<std::int64_t, 2> size{m_spec.width, m_spec.height};
    entries.push_back(Entry::longs(256, {&size[0], 1}, false));
    entries.push_back(Entry::longs(257, {&size[1], 1}, false));
    entries.push_back(Entry::number(258, static_cast<int>(8 * dtypeSize(m_spec.dtype))));
    entries.push_back(Entry::number(259, m_spec.compress ? 8 : 1));
    entries.push_back(Entry::number(262, m_spec.palette.empty() ? 1 : 3));
    if (page == 0 && !m_spec.description.empty())
        entries.push_back(Entry::text(270, m_spec.description));
    entries.push_back(Entry::longs(273, strips.offsets, m_big));
    entries.push_back(Entry::number(277, 1));
    entries.push_back(Entry::longs(278, {&strips.rows, 1}, false));
    entries.push_back(Entry::longs(279, strips.byteCounts, m_big));
    if (m_spec.xResolution > 0 && m_spec.yResolution > 0) {
        entries.push_back(Entry::rational(282, m_spec.xResolution));
        entries.push_back(Entry::rational(283, m_spec.yResolution));
        entries.push_back(Entry::number(296, m_spec.resolutionUnit));
    }
    entries.push_back(Entry::text(305, "Voxelscribe"));
    if (!m_spec.palette.empty())
        entries.push_back(Entry::shorts(320, m_spec.palette));
    entries.push_back(Entry::number(339, sampleFormat(m_spec.dtype)));
    return entries;
}

void TiffPageWriter::writeDirectory(std::int64_t page, const Strips& strips)
{
    if (m_end % 2 != 0)
        append(std::array<std::byte, 1>{});
    const std::vector<Entry> all = entries(page, strips);
    const std::size_t inlineBytes = m_big ? 8 : 4;
    const std::int64_t directoryBytes = m_big ? 8 + 20 * static_cast<std::int64_t>(all.size()) + 8 : 2 + 12 * static_cast<std::int64_t>(all.size()) + 4;
    std::vector<std::byte> bytes;
    std::vector<std::byte> behind; // values that do not fit into their entries
    if (m_big)
        put(bytes, static_cast<std::uint64_t>(all.size()));
    else
        put(bytes, static_cast<std::uint16_t>(all.size()));
    for (const Entry& entry : all) {
        put(bytes, entry.tag);
        put(bytes, static_cast<std::uint16_t>(entry.type));
        if (m_big)
            put(bytes, entry.count);
        else
            put(bytes, static_cast<std::uint32_t>(entry.count));
        std::vector<std::byte> value = entry.values;
        if (value.size() > inlineBytes) {
            value = offsetBytes(m_end + directoryBytes + static_cast<std::int64_t>(behind.size()));
            behind.insert(behind.end(), entry.values.begin(), entry.values.end());
            behind.resize((behind.size() + 7) / 8 * 8);
        }
        value.resize(inlineBytes);
        bytes.insert(bytes.end(), value.begin(), value.end());
    }
    const std::int64_t link = m_end + static_cast<std::int64_t>(bytes.size());
    const auto none = offsetBytes(0);
    bytes.insert(bytes.end(), none.begin(), none.end());
    bytes.insert(bytes.end(), behind.begin(), behind.end());
    overwrite(m_link, offsetBytes(m_end));
    append(bytes);
    m_link = link;
}

void TiffPageWriter::finish()
{
    if (!m_spec.compress) {
        const std::int64_t pageBytes = m_spec.rowBytes() * m_spec.height;
        const std::int64_t data = m_big ? 16 : 8;
        for (std::int64_t page = 0; page < m_added; ++page)
            writeDirectory(page, Strips{m_spec.height, {data + page * pageBytes}, {pageBytes}});
    }
    if (!m_descriptor.close())
        throwSystemError("cannot finish writing", m_name, errno);
}

} // namespace voxelscribe::io
