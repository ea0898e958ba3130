#pragma once

#include "core/io/descriptor.h"
#include "core/io/writer.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct libdeflate_compressor;

namespace voxelscribe::io {

/// What the pages of a TIFF file have in common.
struct TiffPageSpec {
    std::int64_t pages = 1;
    std::int64_t height = 0;
    std::int64_t width = 0;
    DType dtype = DType::uint8;
    bool compress = true;
    int level = 1;                          ///< of Deflate
    std::string description;                ///< of the first page
    double xResolution = 0;                 ///< 0: none
    double yResolution = 0;
    int resolutionUnit = 1;                 ///< 1 none (ImageJ's unit), 3 centimetre
    std::vector<std::uint16_t> palette;     ///< 256 reds, greens, blues; empty: none

    std::int64_t rowBytes() const { return width * static_cast<std::int64_t>(dtypeSize(dtype)); }
    /// Whether the file must be a BigTIFF for its samples to be addressed for sure.
    bool needsBig() const;
};

/// Writes the pages of one new TIFF file in this computer's byte order, front to back. Compressed pages are followed by their directories;
/// uncompressed ones lie in one piece with all directories behind them, as ImageJ expects of its stacks.
class TiffPageWriter {
public:
    /// `name` is what errors call the file. @throws Error(io).
    TiffPageWriter(const std::filesystem::path& path, std::string name, TiffPageSpec spec);

    /// Appends a page. @throws Error(io).
    void addPage(std::span<const std::byte> samples);
    /// Writes what is left and closes the file. @throws Error(io).
    void finish();

private:
    struct Entry;
    struct FreeCompressor {
        void operator()(libdeflate_compressor* compressor) const;
    };
    struct Strips {
        std::int64_t rows = 0; ///< a strip
        std::vector<std::int64_t> offsets;
        std::vector<std::int64_t> byteCounts;
    };

    void append(std::span<const std::byte> bytes);
    void overwrite(std::int64_t offset, std::span<const std::byte> bytes);
    Strips compressStrips(std::span<const std::byte> samples);
    void writeDirectory(std::int64_t page, const Strips& strips);
    std::vector<Entry> entries(std::int64_t page, const Strips& strips) const;
    std::vector<std::byte> offsetBytes(std::int64_t offset) const;

    std::string m_name;
    TiffPageSpec m_spec;
    bool m_big;
    Descriptor m_descriptor;
    std::vector<std::unique_ptr<libdeflate_compressor, FreeCompressor>> m_compressors; ///< one a thread
    std::int64_t m_end = 0;        ///< bytes written
    std::int64_t m_link = 0;       ///< where the offset of the next directory belongs
    std::int64_t m_added = 0;
};

} // namespace voxelscribe::io
