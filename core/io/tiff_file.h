#pragma once

#include "core/io/descriptor.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace voxelscribe::io {

/// Where the values of a tag lie in the file.
struct TiffField {
    std::uint16_t type = 0;
    std::int64_t count = 0;  ///< 0: the tag is absent
    std::int64_t offset = 0; ///< of the first value
};

/// One page: the tags of its directory that say how samples are stored (TIFF 6.0, https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf).
struct TiffPage {
    std::int64_t offset = 0; ///< of the directory
    std::int64_t next = 0;   ///< of the next page's directory; 0 behind the last
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::int64_t samples = 1;
    std::int64_t rowsPerStrip = 0;
    std::int64_t tileWidth = 0; ///< 0: strips
    std::int64_t tileHeight = 0;
    int bits = 1;               ///< a sample; 0 where samples differ
    int sampleFormat = 1;       ///< 1 unsigned, 2 signed, 3 floating point, 5 and 6 complex
    int compression = 1;
    int photometric = 1;
    int planar = 1;             ///< 1 samples of a pixel together, 2 plane by plane
    int fillOrder = 1;
    int subfileType = 0;        ///< bit 0 reduced resolution, bit 2 transparency mask
    int resolutionUnit = 2;     ///< 1 none, 2 inch, 3 centimetre
    TiffField bitsField;
    TiffField chunkOffsets;     ///< of strips or tiles
    TiffField chunkByteCounts;
    TiffField description;
    TiffField xResolution;
    TiffField yResolution;

    bool isTiled() const { return tileWidth > 0; }
    /// Samples side by side in one chunk: all of a pixel, or one where they are planar.
    std::int64_t samplesTogether() const { return planar == 2 ? 1 : samples; }
    std::int64_t chunkWidth() const { return isTiled() ? tileWidth : width; }
    std::int64_t chunkHeight() const { return isTiled() ? tileHeight : rowsPerStrip; }
    /// Bytes of a chunk's row, uncompressed.
    std::int64_t chunkRowBytes() const;
    /// Bytes of the whole page, uncompressed.
    std::int64_t pageBytes() const;
    /// Whether samples are stored as they are, in whole bytes.
    bool isRaw() const { return compression == 1 && fillOrder == 1 && (bits == 8 || bits == 16 || bits == 32 || bits == 64); }
    /// Whether both can be slices of one stack.
    bool matches(const TiffPage& other) const;
};

/// A TIFF file open for reading. All functions may be called from any thread.
class TiffFile {
public:
    /// @throws Error(io) if it cannot be opened, Error(format) if it is no TIFF.
    explicit TiffFile(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return m_path; }
    std::int64_t size() const { return m_size; }
    bool isBig() const { return m_big; }
    /// Whether its numbers have the other byte order than this computer.
    bool isSwapped() const { return m_swapped; }
    std::int64_t firstDirectory() const { return m_first; }

    /// Reads up to `out.size()` bytes; fewer only at the end of the file. @throws Error(io).
    std::int64_t readSome(std::int64_t offset, std::span<std::byte> out) const;
    /// The page whose directory lies at `offset`; nothing if none can lie there. @throws Error(io | format).
    std::optional<TiffPage> readPage(std::int64_t offset) const;
    /// Values `first` … of an integer tag. @throws Error(format) if they lie outside the file.
    std::vector<std::int64_t> integers(const TiffField& field, std::int64_t first = 0, std::int64_t count = -1) const;
    /// The first value of a rational tag; nothing where it is absent, zero, infinite or not in the file.
    std::optional<double> rational(const TiffField& field) const;
    std::string text(const TiffField& field) const;

private:
    template <typename T>
    T number(std::span<const std::byte> bytes, std::size_t at) const;
    std::int64_t integerAt(std::span<const std::byte> bytes, std::size_t at, int type) const;
    void takeEntry(TiffPage& page, std::uint16_t tag, const TiffField& field) const;

    std::filesystem::path m_path;
    Descriptor m_descriptor;
    std::int64_t m_size = 0;
    std::int64_t m_first = 0;
    bool m_big = false;
    bool m_swapped = false;
};

} // namespace voxelscribe::io
