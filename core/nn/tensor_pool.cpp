#include "core/nn/tensor_pool.h"

#include <algorithm>
#include <bit>
#include <c10/core/CPUAllocator.h>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace voxelscribe::nn {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kPooled = std::size_t{1} << 20; ///< smaller ones are left to malloc

/// Stands in the 64 bytes before the memory that is handed out.
struct Header {
    std::size_t mappedBytes = 0;      ///< 0: from malloc
};
static_assert(sizeof(Header) <= kAlignment);

Header& headerOf(void* memory) { return *reinterpret_cast<Header*>(static_cast<std::byte*>(memory) - kAlignment); }

void* behindHeader(void* base, std::size_t mappedBytes)
{
    new (base) Header{mappedBytes};
    return static_cast<std::byte*>(base) + kAlignment;
}

/// Up to an eighth more, so that arrays of nearly equal size share memory; whole pages.
std::size_t roundedUp(std::size_t bytes)
{
    const std::size_t step = std::max<std::size_t>(4096, std::bit_floor(bytes) / 8);
    return (bytes + step - 1) / step * step;
}

void* mapped(std::size_t bytes)
{
    void* base = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        throw std::bad_alloc();
    ::madvise(base, bytes, MADV_HUGEPAGE);
    return behindHeader(base, bytes);
}

class PoolAllocator : public c10::Allocator {
public:
    c10::DataPtr allocate(std::size_t bytes) const override
    {
        void* memory = bytes == 0 ? nullptr : pool().allocate(bytes);
        return {memory, memory, &release, c10::Device(c10::DeviceType::CPU)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }

private:
    /// LibTorch's deleters carry nothing but the address; never destroyed, since tensors may outlive everything.
    static TensorPool& pool()
    {
        static auto* pool = new TensorPool(std::size_t{512} << 20);
        return *pool;
    }
    static void release(void* memory)
    {
        if (memory != nullptr)
            pool().release(memory);
    }
};

} // namespace

TensorPool::~TensorPool()
{
    for (const Mapping& mapping : m_unused)
        ::munmap(mapping.memory, mapping.bytes);
}

void* TensorPool::allocate(std::size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        throw std::bad_alloc();
    const std::size_t needed = bytes + kAlignment;
    if (needed >= kPooled) {
        void* again = takeUnused(needed);
        return again != nullptr ? again : mapped(roundedUp(needed));
    }
    void* base = std::aligned_alloc(kAlignment, (needed + kAlignment - 1) / kAlignment * kAlignment);
    if (base == nullptr)
        throw std::bad_alloc();
    return behindHeader(base, 0);
}

void* TensorPool::takeUnused(std::size_t bytes)
{
    const std::lock_guard lock(m_mutex);
    const std::size_t most = roundedUp(bytes) / 4 * 5; // a much larger one is for a larger array
    auto best = m_unused.end();
    for (auto it = m_unused.begin(); it != m_unused.end(); ++it)
        if (it->bytes >= bytes && it->bytes <= most && (best == m_unused.end() || it->bytes < best->bytes))
            best = it;
    if (best == m_unused.end())
        return nullptr;
    const Mapping mapping = *best;
    m_unused.erase(best);
    m_unusedBytes -= mapping.bytes;
    return behindHeader(mapping.memory, mapping.bytes);
}

void TensorPool::release(void* memory) noexcept
{
    Header& header = headerOf(memory);
    if (header.mappedBytes == 0) {
        std::free(&header);
        return;
    }
    std::list<Mapping> doomed;
    std::list<Mapping> given{{&header, header.mappedBytes}};
    {
        const std::lock_guard lock(m_mutex);
        m_unusedBytes += given.front().bytes;
        m_unused.splice(m_unused.begin(), given);
        while (m_unusedBytes > m_keptBytes) {
            m_unusedBytes -= m_unused.back().bytes;
            doomed.splice(doomed.end(), m_unused, std::prev(m_unused.end()));
        }
    }
    for (const Mapping& mapping : doomed)
        ::munmap(mapping.memory, mapping.bytes);
}

std::size_t TensorPool::unusedBytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_unusedBytes;
}

void installTensorPool()
{
    static auto* allocator = new PoolAllocator; // LibTorch uses it to the very end of the process
    c10::SetCPUAllocator(allocator, 1);
}

} // namespace voxelscribe::nn
