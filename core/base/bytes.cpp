#include "core/base/bytes.h"

#include "core/base/error.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace voxelscribe {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void throwBadSize(std::string_view text)
{
    throw Error(ErrorCode::format, "\"" + std::string(text) + "\" is not a memory size: expected a number with B, KB, MB, GB, "
                                   "KiB, MiB or GiB behind it, for example 4GiB");
}

double unitFactor(std::string_view unit, std::string_view whole)
{
    constexpr std::array<std::pair<std::string_view, double>, 10> kUnits{{{"", 1.0}, {"B", 1.0},
        {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
        {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}, {"TiB", 1099511627776.0}}};
    for (const auto& [name, factor] : kUnits)
        if (name == unit)
            return factor;
    throwBadSize(whole);
}

std::int64_t memInfoBytes(const std::string& key)
{
    std::ifstream in("/proc/meminfo");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(key))
            return std::stoll(line.substr(key.size() + 1)) * 1024;
    return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

} // namespace

std::int64_t parseByteSize(std::string_view text)
{
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (unit.starts_with(' '))
        unit.remove_prefix(1);
    const double bytes = value * unitFactor(fault == std::errc{} ? unit : "no number", text);
    if (!(bytes >= 0 && bytes < 9e18))
        throwBadSize(text);
    return static_cast<std::int64_t>(bytes);
}

std::string byteSizeText(std::int64_t bytes)
{
    constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit)
        value /= 1024;
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
    return text.data();
}

std::int64_t peakMemoryBytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

std::int64_t defaultMemoryBudgetBytes()
{
    return memInfoBytes("MemAvailable:") / 2;
}

std::int64_t freeDiskBytes(const fs::path& path)
{
    fs::path there = fs::absolute(path);
    std::error_code fault;
    while (!fs::exists(there, fault) && there.has_relative_path())
        there = there.parent_path();
    const fs::space_info space = fs::space(there, fault);
    if (fault)
        throwSystemError("cannot tell the free space of", there.string(), fault.value());
    return static_cast<std::int64_t>(space.available);
}

void requireDiskSpace(const fs::path& path, std::int64_t neededBytes)
{
    const std::int64_t free = freeDiskBytes(path);
    if (free < neededBytes)
        throw Error(ErrorCode::io, "not enough disk space for " + path.string() + ": up to " + byteSizeText(neededBytes)
                                       + " needed, " + byteSizeText(free) + " free; free some space or choose another folder");
}

} // namespace voxelscribe
