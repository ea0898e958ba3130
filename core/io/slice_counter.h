#pragma once

#include "core/io/writer.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace voxelscribe::io {

/// Checks what a writer is handed: whole slices, no more than it was made for, and at the end all of them.
class SliceCounter {
public:
    SliceCounter(std::string file, const WriteSpec& spec);

    /// Samples appended for one z.
    std::size_t sliceBytes() const { return m_sliceBytes; }
    std::int64_t written() const { return m_written; }
    /// Slices that `samples` adds; they count as written. @throws Error(shape).
    std::int64_t take(std::span<const std::byte> samples);
    /// @throws Error(io) if slices are missing.
    void requireComplete() const;

private:
    std::string m_file;
    std::int64_t m_slices;
    std::size_t m_sliceBytes;
    std::int64_t m_written = 0;
};

} // namespace voxelscribe::io
