#include "core/base/dtype.h"

#include <array>
#include <type_traits>

namespace voxelscribe {

namespace {
constexpr std::array<std::string_view, 10> kNames{"uint8", "int8", "uint16", "int16", "uint32",
                                                  "int32", "uint64", "int64", "float32", "float64"};
}

std::string_view dtypeName(DType dtype)
{
    return kNames[static_cast<std::size_t>(dtype)];
}

std::optional<DType> dtypeFromName(std::string_view name)
{
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (kNames[i] == name)
            return static_cast<DType>(i);
    return std::nullopt;
}

std::size_t dtypeSize(DType dtype)
{
    return visitDType(dtype, [](auto sample) { return sizeof(sample); });
}

bool dtypeIsInteger(DType dtype)
{
    return visitDType(dtype, [](auto sample) { return std::is_integral_v<decltype(sample)>; });
}

} // namespace voxelscribe
