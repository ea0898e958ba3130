#pragma once

#include <unistd.h>
#include <utility>

namespace voxelscribe::io {

/// A file descriptor that closes itself.
class Descriptor {
public:
    explicit Descriptor(int id) : m_id(id) {}
    ~Descriptor()
    {
        if (m_id >= 0)
            ::close(m_id);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int id() const { return m_id; }
    /// Closes now; false, with errno, if the system could not keep what was written.
    bool close() { return ::close(std::exchange(m_id, -1)) == 0; }

private:
    int m_id;
};

} // namespace voxelscribe::io
