#pragma once

#include <QJsonObject>
#include <QString>

namespace voxelscribe::bench {

/// What a person waits for after the file dialog, and what browsing keeps in memory: opens `path` with the window's loader,
/// shows its middle slice in a slice view of 1600×1000 and then `slices` others at random. Needs a QApplication.
QJsonObject measureOpening(const QString& path, int slices);

/// Writes back and drops what the kernel keeps in memory of a file or of all files below a folder.
void dropFromPageCache(const QString& path);

} // namespace voxelscribe::bench
