#pragma once

#include "widgets/slice/tile_read.h"

#include <QImage>
#include <vector>

namespace voxelscribe::slice {

/// Samples to 8-bit grey through a contrast window: `low` and less is black, `high` and more white, NaN black.
class GreyMap {
public:
    void setWindow(double low, double high);
    double low() const { return m_low; }
    double high() const { return m_high; }

    /// A picture of the tile, `factor` × `factor` of its pixels averaged into one (those at the right and lower end from what there is).
    QImage image(const SampleTile& tile, int factor) const;

private:
    template <typename T>
    void greyLine(const T* samples, std::int64_t count, std::uint8_t* out) const;
    std::uint8_t grey(double value) const;
    const std::vector<std::uint8_t>& table(DType dtype) const;

    double m_low = 0;
    double m_high = 255;
    double m_scale = 1;
    /// Grey of each value of an 8- or 16-bit type, its bits as index; made when first asked for.
    mutable std::vector<std::uint8_t> m_table;
    mutable DType m_tableType = DType::uint8;
};

} // namespace voxelscribe::slice
