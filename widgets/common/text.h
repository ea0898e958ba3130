#pragma once

#include "core/base/extent.h"

#include <QString>
#include <cstdint>
#include <optional>

namespace voxelscribe::common {

/// Seconds as people say them: "less than a second", "12 s", "1 min 20 s", "2 h 5 min", "3 days".
QString formatDuration(double seconds);
/// "about 2 min left"; empty without an estimate.
QString formatRemaining(std::optional<double> seconds);
/// With separators: 1240 → "1,240".
QString formatCount(std::int64_t count);
/// "1 slice", "1,240 slices".
QString formatCounted(std::int64_t count, const QString& singular, const QString& plural);
/// A share 0…1 with a sensible number of digits: "34.2 %", "0.07 %", "< 0.01 %".
QString formatShare(double share);
/// A length or a value with four significant digits at the most and no trailing zeros.
QString formatNumber(double value);
/// Begins with a capital letter where it begins with a plain word; file and data set names stay as they are.
QString sentence(const QString& text);
/// A volume in the unit that keeps the number readable: nm³, µm³ or mm³.
QString formatVolumeUm3(double volumeUm3);
/// "0.5 × 0.5 × 1 µm" or "unknown", z first.
QString formatVoxelSize(const std::optional<VoxelSizeUm>& size);

} // namespace voxelscribe::common
