#include "truth.h"

#include "core/io/open.h"

#include <algorithm>

namespace voxelscribe::test {

namespace {

/// The pixels of a slice where a stroke may go; each stroke takes its surroundings out.
struct Room {
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::vector<char> isFree;

    bool at(std::int64_t x, std::int64_t y) const { return x >= 0 && y >= 0 && x < width && y < height && isFree[static_cast<std::size_t>(y * width + x)] != 0; }

    std::int64_t runFrom(std::int64_t x, std::int64_t y, bool down, int longest) const
    {
        std::int64_t length = 0;
        while (length < longest && at(x + (down ? 0 : length), y + (down ? length : 0)))
            ++length;
        return length;
    }

    void take(const Segment& stroke, std::int64_t around)
    {
        for (std::int64_t y = 0; y < height; ++y)
            for (std::int64_t x = 0; x < width; ++x)
                if (double(y + around) > stroke.from.v && double(y - around) < stroke.to.v && double(x + around) > stroke.from.u && double(x - around) < stroke.to.u)
                    isFree[static_cast<std::size_t>(y * width + x)] = 0;
    }
};

Room roomFor(const Volume& truth, std::int64_t slice, std::uint16_t classId, int margin)
{
    const Extent& extent = truth.extent();
    const std::vector<std::uint16_t> ids = readAs<std::uint16_t>(truth, Region::slice(extent, slice));
    Room room{extent.x, extent.y, std::vector<char>(ids.size(), 0)};
    for (std::int64_t y = margin; y < extent.y - margin; ++y)
        for (std::int64_t x = margin; x < extent.x - margin; ++x) {
            bool inside = true;
            for (std::int64_t v = y - margin; v <= y + margin && inside; ++v)
                for (std::int64_t u = x - margin; u <= x + margin && inside; ++u)
                    inside = ids[static_cast<std::size_t>(v * extent.x + u)] == classId;
            room.isFree[static_cast<std::size_t>(y * extent.x + x)] = inside ? 1 : 0;
        }
    return room;
}

} // namespace

std::vector<Segment> strokesInside(const Volume& truth, std::int64_t slice, std::uint16_t classId, int margin, int longest, int count)
{
    constexpr std::int64_t kApart = 24; // pixels
    Room room = roomFor(truth, slice, classId, margin);
    std::vector<Segment> strokes;
    while (static_cast<int>(strokes.size()) < count) {
        std::int64_t best = 1;
        Segment chosen;
        for (std::int64_t y = 0; y < room.height; ++y)
            for (std::int64_t x = 0; x < room.width; ++x)
                for (const bool down : {false, true})
                    if (const std::int64_t length = room.runFrom(x, y, down, longest); length > best) {
                        best = length;
                        chosen.from = {double(x) + 0.5, double(y) + 0.5};
                        chosen.to = {double(x + (down ? 0 : length - 1)) + 0.5, double(y + (down ? length - 1 : 0)) + 0.5};
                    }
        if (best == 1)
            break;
        strokes.push_back(chosen);
        room.take(chosen, kApart);
    }
    return strokes;
}

std::vector<std::uint16_t> idsOf(const Volume& volume)
{
    return readAs<std::uint16_t>(volume, {{0, 0, 0}, volume.extent()});
}

std::vector<std::uint16_t> idsOf(const QString& path)
{
    return idsOf(*io::open(io::Source::parse(path.toStdString())));
}

std::int64_t countOf(const std::vector<std::uint16_t>& ids, std::uint16_t id)
{
    return std::ranges::count(ids, id);
}

} // namespace voxelscribe::test
