#include "core/io/slice_counter.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>

namespace voxelscribe::io {

SliceCounter::SliceCounter(std::string file, const WriteSpec& spec) : m_file(std::move(file)), m_slices(spec.extent.z)
{
    const std::int64_t samples = checkedProduct(checkedProduct(spec.extent.y, spec.extent.x, "slice"), std::max<std::int64_t>(1, spec.channels), "slice");
    m_sliceBytes = static_cast<std::size_t>(checkedProduct(samples, static_cast<std::int64_t>(dtypeSize(spec.dtype)), "slice"));
}

std::int64_t SliceCounter::take(std::span<const std::byte> samples)
{
    const auto slices = static_cast<std::int64_t>(samples.size() / m_sliceBytes);
    if (samples.size() % m_sliceBytes != 0 || slices > m_slices - m_written)
        throw Error(ErrorCode::shape, m_file + ": " + std::to_string(samples.size()) + " bytes were handed over, expected at most "
                                          + counted(m_slices - m_written, "slice", "slices") + " of " + std::to_string(m_sliceBytes) + " bytes");
    m_written += slices;
    return slices;
}

void SliceCounter::requireComplete() const
{
    if (m_written != m_slices)
        throw Error(ErrorCode::io, m_file + ": only " + std::to_string(m_written) + " of " + counted(m_slices, "slice", "slices")
                                       + " were written; the file is not put in place");
}

} // namespace voxelscribe::io
