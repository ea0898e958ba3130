#include "core/io/series_names.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

namespace voxelscribe::io {

namespace fs = std::filesystem;

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// First and behind-last position of the last number in a name's stem; equal where it has none.
std::pair<std::size_t, std::size_t> lastNumber(const std::string& name)
{
    const std::size_t dot = name.rfind('.');
    std::size_t end = dot == std::string::npos ? name.size() : dot;
    while (end > 0 && !isDigit(name[end - 1]))
        --end;
    std::size_t begin = end;
    while (begin > 0 && isDigit(name[begin - 1]))
        --begin;
    return {begin, end};
}

std::string patternOf(const std::string& name)
{
    const auto [begin, end] = lastNumber(name);
    if (begin == end)
        return "*" + name.substr(std::min(name.size(), name.rfind('.')));
    return name.substr(0, begin) + "*" + name.substr(end);
}

std::optional<std::int64_t> numberIn(const std::string& name)
{
    const auto [begin, end] = lastNumber(name);
    std::int64_t number = 0;
    const auto [at, fault] = std::from_chars(name.data() + begin, name.data() + end, number);
    if (begin == end || fault != std::errc{} || at != name.data() + end)
        return std::nullopt;
    return number;
}

/// The usual distance of neighbouring numbers: 1, or 50 where every 50th slice was kept.
std::int64_t usualStep(const std::vector<std::int64_t>& numbers)
{
    std::map<std::int64_t, std::int64_t> counts;
    for (std::size_t i = 1; i < numbers.size(); ++i)
        ++counts[numbers[i] - numbers[i - 1]];
    std::int64_t step = 1;
    std::int64_t most = 0;
    for (const auto& [distance, count] : counts)
        if (distance > 0 && count > most) {
            most = count;
            step = distance;
        }
    return step;
}

std::vector<std::string> gapsIn(const std::vector<std::string>& names)
{
    std::vector<std::int64_t> numbers;
    for (const std::string& name : names) {
        const auto number = numberIn(name);
        if (!number)
            return {};
        numbers.push_back(*number);
    }
    const std::int64_t step = usualStep(numbers);
    std::vector<std::string> gaps;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        const std::int64_t first = numbers[i - 1] + step;
        const std::int64_t last = numbers[i] - 1 - (numbers[i] - 1 - first) % step;
        if (numbers[i] - numbers[i - 1] > step)
            gaps.push_back(first == last ? std::to_string(first) : std::to_string(first) + "–" + std::to_string(last));
    }
    return gaps;
}

} // namespace

std::string NamedSeries::text() const
{
    return names.size() == 1 ? names.front() : names.front() + " … " + names.back();
}

std::vector<NamedSeries> groupSeries(std::vector<std::string> names)
{
    std::map<std::string, NamedSeries> groups;
    for (std::string& name : names)
        groups[patternOf(name)].names.push_back(std::move(name));
    std::vector<NamedSeries> series;
    for (auto& [pattern, group] : groups) {
        group.pattern = pattern;
        std::sort(group.names.begin(), group.names.end(), naturalLess);
        group.gaps = gapsIn(group.names);
        series.push_back(std::move(group));
    }
    std::stable_sort(series.begin(), series.end(), [](const NamedSeries& a, const NamedSeries& b) {
        return a.names.size() != b.names.size() ? a.names.size() > b.names.size() : naturalLess(a.names.front(), b.names.front());
    });
    return series;
}

std::vector<std::string> tiffNames(const fs::path& folder, std::int64_t& others)
{
    std::error_code fault;
    fs::directory_iterator entries(folder, fault);
    if (fault)
        throwSystemError("cannot read the folder", folder.string(), fault.value());
    std::vector<std::string> names;
    others = 0;
    for (const fs::directory_entry& entry : entries) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("."))
            continue;
        const std::string ending = lowerCase(entry.path().extension().string());
        if ((ending == ".tif" || ending == ".tiff") && entry.is_regular_file(fault))
            names.push_back(name);
        else
            ++others;
    }
    return names;
}

} // namespace voxelscribe::io
