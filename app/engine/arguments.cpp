#include "app/engine/arguments.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <charconv>
#include <set>

namespace voxelscribe::engine {

namespace {

std::int64_t parseNumber(const std::string& option, const std::string& text, const char* expected)
{
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [at, fault] = std::from_chars(text.data(), end, number);
    if (fault != std::errc{} || at != end || number < 0)
        throw CLI::ValidationError(option, "\"" + text + "\" is not a number here; expected " + expected);
    return number;
}

/// "a:b" without a look at what it must fit.
SliceRange parseRange(const std::string& option, const std::string& text, std::int64_t end, const char* expected)
{
    const std::vector<std::string> ends = split(text, ':');
    if (ends.size() != 2)
        throw CLI::ValidationError(option, "\"" + text + "\" is not a range; expected " + expected);
    return {ends[0].empty() ? 0 : parseNumber(option, ends[0], expected),
            ends[1].empty() ? end : parseNumber(option, ends[1], expected)};
}

void requireRange(const std::string& option, const std::string& text, const SliceRange& range, std::int64_t end)
{
    if (range.from < range.to && range.to <= end)
        return;
    throw Error(ErrorCode::shape, option + ": \"" + text + "\" does not lie inside the volume; expected a range inside 0:"
                                      + std::to_string(end) + " (the end is excluded)");
}

} // namespace

Extent parseExtent(const std::string& option, const std::string& text)
{
    constexpr const char* kExpected = "Z,Y,X, for example 64,512,512";
    const std::vector<std::string> parts = split(text, ',');
    if (parts.size() != 3)
        throw CLI::ValidationError(option, "\"" + text + "\" is not an extent; expected " + kExpected);
    const Extent extent{parseNumber(option, parts[0], kExpected), parseNumber(option, parts[1], kExpected),
                        parseNumber(option, parts[2], kExpected)};
    if (extent.isEmpty())
        throw CLI::ValidationError(option, "\"" + text + "\" holds no voxel; expected " + kExpected);
    return extent;
}

Region parseRoi(const std::string& option, const std::string& text, const Extent& whole)
{
    constexpr const char* kExpected = "z0:z1,y0:y1,x0:x1, for example 0:8,100:300,:";
    if (text.empty())
        return Region::whole(whole);
    const std::vector<std::string> parts = split(text, ',');
    if (parts.size() != 3)
        throw CLI::ValidationError(option, "\"" + text + "\" is not a region; expected " + kExpected);
    const std::int64_t ends[] = {whole.z, whole.y, whole.x};
    SliceRange ranges[3];
    for (std::size_t axis = 0; axis < 3; ++axis) {
        ranges[axis] = parseRange(option, parts[axis], ends[axis], kExpected);
        requireRange(option, parts[axis], ranges[axis], ends[axis]);
    }
    return {{ranges[0].from, ranges[1].from, ranges[2].from},
            {ranges[0].to - ranges[0].from, ranges[1].to - ranges[1].from, ranges[2].to - ranges[2].from}};
}

SliceRange parseSliceRange(const std::string& option, const std::string& text, std::int64_t depth)
{
    if (text.empty())
        return {0, depth};
    const SliceRange range = parseRange(option, text, depth, "a:b, for example 10:20");
    requireRange(option, text, range, depth);
    return range;
}

std::vector<std::int64_t> parseSlices(const std::string& option, const std::string& text, std::int64_t depth)
{
    constexpr const char* kExpected = "slices and ranges, for example 0,2,5:9";
    std::set<std::int64_t> slices;
    for (const std::string& part : split(text.empty() ? ":" : text, ',')) {
        SliceRange range;
        if (part.find(':') == std::string::npos) {
            range.from = parseNumber(option, part, kExpected);
            range.to = range.from + 1;
        } else {
            range = parseRange(option, part, depth, kExpected);
        }
        requireRange(option, part, range, depth);
        for (std::int64_t slice = range.from; slice < range.to; ++slice)
            slices.insert(slice);
    }
    return {slices.begin(), slices.end()};
}

} // namespace voxelscribe::engine
