#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>

namespace voxelscribe::nn {

/// Keeps the memory of large arrays that were given back, for the next ones. The layers of a network ask for the same few sizes over and
/// over; glibc returns each to the kernel and faults it in anew, or, told not to, lets the heap grow to several times what is in use.
/// Thread-safe.
class TensorPool {
public:
    /// At most `keptBytes` are kept unused; what was given back longest ago goes first.
    explicit TensorPool(std::size_t keptBytes) : m_keptBytes(keptBytes) {}
    ~TensorPool();
    TensorPool(const TensorPool&) = delete;
    TensorPool& operator=(const TensorPool&) = delete;

    /// Memory aligned to 64 bytes. @throws std::bad_alloc.
    void* allocate(std::size_t bytes);
    void release(void* memory) noexcept;
    /// Bytes kept unused now.
    std::size_t unusedBytes() const;

private:
    struct Mapping {
        void* memory = nullptr;
        std::size_t bytes = 0;
    };
    void* takeUnused(std::size_t bytes);

    mutable std::mutex m_mutex;
    std::size_t m_keptBytes;
    std::size_t m_unusedBytes = 0;
    std::list<Mapping> m_unused;      ///< last given back first
};

/// From now on all tensors of the process live in a pool.
void installTensorPool();

} // namespace voxelscribe::nn
