#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace voxelscribe::link {

/// Cuts a stream of bytes into lines. A line longer than the limit is dropped, the rest of the stream is not.
class LineBuffer {
public:
    explicit LineBuffer(std::size_t limitBytes = std::size_t{16} << 20U) : m_limit(limitBytes) {}

    /// Calls `line` with each line that `bytes` completes, without its newline.
    template <typename F>
    void add(std::string_view bytes, F&& line)
    {
        for (std::size_t end = 0; (end = bytes.find('\n')) != std::string_view::npos; bytes.remove_prefix(end + 1)) {
            append(bytes.substr(0, end));
            if (!m_isTooLong && !m_pending.empty())
                line(std::string_view(m_pending));
            m_pending.clear();
            m_isTooLong = false;
        }
        append(bytes);
    }

private:
    void append(std::string_view bytes)
    {
        if (m_isTooLong || m_pending.size() + bytes.size() > m_limit) {
            m_isTooLong = true;
            m_pending.clear();
            return;
        }
        m_pending.append(bytes);
    }

    std::size_t m_limit;
    std::string m_pending;
    bool m_isTooLong = false;
};

} // namespace voxelscribe::link
