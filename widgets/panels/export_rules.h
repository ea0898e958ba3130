#pragma once

#include "widgets/panels/export_dialog.h"

#include <optional>
#include <vector>

namespace voxelscribe::panels {

/// What `values` may be in a format: a colour table exists only in 8-bit TIFF.
std::vector<ExportValues> possibleValues(io::OutputFormat format, DType dtype);
DType exportedDType(ExportValues values, DType dtype);
/// Uncompressed bytes of all files.
std::int64_t exportedBytes(const ExportSubject& subject, ExportValues values);

/// The path with the suffix of `format` instead of another format's.
QString withFormatSuffix(const QString& path, io::OutputFormat format);
/// The absolute path that will be written: "~" and `folder` resolved, suffix added, "/" after a series' folder. Empty stays empty.
QString completedPath(const QString& typed, io::OutputFormat format, const QString& folder);

/// Why nothing can be written there, whatever is ticked.
std::optional<QString> refusalOf(const QString& path, io::OutputFormat format, const TargetState& state, bool touchesProtected);

} // namespace voxelscribe::panels
