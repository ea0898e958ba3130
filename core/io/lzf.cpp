#include "core/io/lzf.h"

#include <cstring>

namespace voxelscribe::io {

bool lzfDecode(std::span<const std::byte> in, std::span<std::byte> out)
{
    std::size_t from = 0;
    std::size_t to = 0;
    const auto next = [&] { return std::to_integer<std::size_t>(in[from++]); };
    while (from < in.size()) {
        const std::size_t control = next();
        if (control < 32) { // literal bytes
            const std::size_t count = control + 1;
            if (count > in.size() - from || count > out.size() - to)
                return false;
            std::memcpy(out.data() + to, in.data() + from, count);
            from += count;
            to += count;
            continue;
        }
        std::size_t count = control >> 5U; // bytes that came before
        if (in.size() - from < (count == 7 ? 2U : 1U))
            return false;
        if (count == 7)
            count += next();
        count += 2;
        const std::size_t back = ((control & 31U) << 8U | next()) + 1;
        if (back > to || count > out.size() - to)
            return false;
        for (std::size_t i = 0; i < count; ++i, ++to) // may overlap: one by one
            out[to] = out[to - back];
    }
    return to == out.size();
}

} // namespace voxelscribe::io
