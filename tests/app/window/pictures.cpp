#include "pictures.h"

#include "core/io/open.h"
#include "core/model/class_info.h"
#include "widgets/slice/slice_view.h"

#include <QColor>

#include <algorithm>
#include <cstdlib>

namespace voxelscribe::test {

std::map<int, std::int64_t> pixelsOfClasses(const QImage& picture, int classes)
{
    constexpr int kHueReach = 12; // degrees; the hues of the first four classes lie further apart
    std::map<int, std::int64_t> pixels;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) {
            const QColor seen = picture.pixelColor(x, y);
            if (seen.hsvSaturation() < 70)
                continue;
            for (int id = 1; id <= classes; ++id) {
                const int apart = std::abs(seen.hsvHue() - QColor::fromRgb(defaultClassColour(static_cast<std::uint16_t>(id))).hsvHue());
                if (std::min(apart, 360 - apart) <= kHueReach)
                    ++pixels[id];
            }
        }
    return pixels;
}

double colouredShare(slice::SliceView& view, const QString& mask)
{
    constexpr double kMaskOpacity = 0.45; // as the window starts
    const VolumePtr volume = io::open(io::Source::parse(mask.toStdString()));
    const QImage picture = view.grab().toImage();
    const Extent& extent = volume->extent();
    const auto ids = readAs<std::uint16_t>(*volume, Region::slice(extent, view.slice()));
    const auto at = [&](std::int64_t y, std::int64_t x) { return ids[static_cast<std::size_t>(y * extent.x + x)]; };
    std::int64_t looked = 0;
    std::int64_t right = 0;
    for (std::int64_t y = 2; y < extent.y - 2; y += 3)
        for (std::int64_t x = 2; x < extent.x - 2; x += 3) {
            const std::uint16_t id = at(y, x);
            if (id == 0 || at(y - 1, x) != id || at(y + 1, x) != id || at(y, x - 1) != id || at(y, x + 1) != id)
                continue; // pixels at a border may show either class
            ++looked;
            const QColor seen = picture.pixelColor((view.widgetPosition({double(x) + 0.5, double(y) + 0.5}) * picture.devicePixelRatio()).toPoint());
            const QColor colour = QColor::fromRgb(defaultClassColour(id));
            // What remains without the class's colour is the image's grey.
            const double rest[] = {seen.red() - kMaskOpacity * colour.red(), seen.green() - kMaskOpacity * colour.green(), seen.blue() - kMaskOpacity * colour.blue()};
            right += *std::ranges::max_element(rest) - *std::ranges::min_element(rest) < 10 ? 1 : 0;
        }
    return looked == 0 ? 0 : double(right) / double(looked);
}

} // namespace voxelscribe::test
