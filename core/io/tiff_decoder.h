#pragma once

#include "core/base/dtype.h"
#include "core/io/tiff_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace voxelscribe::io {

class TiffHandlePool;

/// A rectangle of one sample (channel) of a page.
struct TiffWindow {
    std::int64_t y = 0;
    std::int64_t x = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t sample = 0;
    std::string where; ///< for messages: "stack.tif: slice 12"
};

/// The type in which samples of this page are given: odd bit depths in the next wider unsigned type, half floats as float32.
/// @throws Error(format) saying what it is where the page cannot be read, for example complex samples or an unknown compression.
DType requireReadable(const TiffFile& file, const TiffPage& page);

/// Reads windows of a file's pages from any thread: uncompressed samples directly, others through libtiff, of which a few handles
/// are kept. Nothing outside the strips or tiles that a window touches is decoded; libtiff's messages go into the errors.
class TiffDecoder {
public:
    explicit TiffDecoder(std::shared_ptr<const TiffFile> file);
    ~TiffDecoder();
    const TiffFile& file() const { return *m_file; }

    /// Fills `out` with a window, native byte order. Where `dataOffset` is given the page's samples lie there, uncompressed and in one
    /// piece, instead of where its directory says. @throws Error(io | format).
    void read(const TiffPage& page, const TiffWindow& window, std::span<std::byte> out,
              std::optional<std::int64_t> dataOffset = std::nullopt) const;

private:
    void readRaw(const TiffPage& page, const TiffWindow& window, std::span<std::byte> out, std::optional<std::int64_t> dataOffset) const;
    void decode(const TiffPage& page, const TiffWindow& window, std::span<std::byte> out) const;

    std::shared_ptr<const TiffFile> m_file;
    std::unique_ptr<TiffHandlePool> m_pool;
};

} // namespace voxelscribe::io
