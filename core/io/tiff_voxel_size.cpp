#include "core/io/tiff_voxel_size.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace voxelscribe::io {

namespace {

bool isPrintResolution(double perInch)
{
    constexpr std::array<double, 16> kUsual{1, 72, 90, 96, 100, 120, 150, 180, 200, 240, 300, 360, 400, 600, 1200, 2400};
    return std::any_of(kUsual.begin(), kUsual.end(), [&](double usual) { return std::abs(perInch / usual - 1) < 0.002; });
}

/// Micrometres a pixel from resolutions in inches or centimetres.
std::optional<VoxelSizeUm> fromResolution(const TiffPage& page, double x, double y)
{
    if (page.resolutionUnit != 2 && page.resolutionUnit != 3)
        return std::nullopt;
    const double unitUm = page.resolutionUnit == 2 ? 25400.0 : 10000.0;
    if (isPrintResolution(x * 25400.0 / unitUm) || x == 1)
        return std::nullopt;
    return VoxelSizeUm{unitUm / y, unitUm / y, unitUm / x};
}

} // namespace

std::optional<VoxelSizeUm> tiffVoxelSize(const TiffFile& file, const TiffPage& page, const TiffDescription& description,
                                         bool isStack, std::vector<std::string>& warnings)
{
    const auto missingSpacing = [&](double taken) {
        if (isStack)
            warnings.push_back("the distance of the slices is not in the file: taken to be the pixel height, "
                               + std::to_string(taken) + " µm");
    };
    if (description.xUm && description.yUm) {
        if (!description.zUm)
            missingSpacing(*description.yUm);
        return VoxelSizeUm{description.zUm.value_or(*description.yUm), *description.yUm, *description.xUm};
    }
    const auto x = file.rational(page.xResolution);
    const auto y = file.rational(page.yResolution);
    if (!x || !y)
        return std::nullopt;
    if (description.imageJ && description.unitUm) { // ImageJ: pixels a unit, whatever the resolution unit
        const double z = description.spacing > 0 ? description.spacing : 1;
        return VoxelSizeUm{z * *description.unitUm, *description.unitUm / *y, *description.unitUm / *x};
    }
    const auto size = description.imageJ ? std::nullopt : fromResolution(page, *x, *y);
    if (size)
        missingSpacing(size->y);
    return size;
}

} // namespace voxelscribe::io
