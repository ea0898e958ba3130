#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace voxelscribe {

/// Sample types of volumes, native byte order in memory. A boolean is read as uint8 0/1, float16 as float32.
enum class DType { uint8, int8, uint16, int16, uint32, int32, uint64, int64, float32, float64 };

/// NumPy's name: "uint8", "float32"…
std::string_view dtypeName(DType dtype);
std::optional<DType> dtypeFromName(std::string_view name);
std::size_t dtypeSize(DType dtype);
bool dtypeIsInteger(DType dtype);

/// Calls `f(T{})` with the C++ type of `dtype`.
template <typename F>
decltype(auto) visitDType(DType dtype, F&& f)
{
    switch (dtype) {
    case DType::uint8: return std::forward<F>(f)(std::uint8_t{});
    case DType::int8: return std::forward<F>(f)(std::int8_t{});
    case DType::uint16: return std::forward<F>(f)(std::uint16_t{});
    case DType::int16: return std::forward<F>(f)(std::int16_t{});
    case DType::uint32: return std::forward<F>(f)(std::uint32_t{});
    case DType::int32: return std::forward<F>(f)(std::int32_t{});
    case DType::uint64: return std::forward<F>(f)(std::uint64_t{});
    case DType::int64: return std::forward<F>(f)(std::int64_t{});
    case DType::float32: return std::forward<F>(f)(float{});
    case DType::float64: break;
    }
    return std::forward<F>(f)(double{});
}

} // namespace voxelscribe
