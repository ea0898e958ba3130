#pragma once

#include "core/labels/label_volume.h"

#include <functional>

namespace voxelscribe::labels {

/// Throws Error(shape) unless `source` has the extent of the annotations, naming both; Error(format) unless its samples are integers.
void requireImportable(const Volume& source, const Extent& extent);

/// Writes the labels of `source` that are not 0, but for voxels whose present id `isKept` protects. `onEdit` gets every chunk
/// that changed. Reads a band of rows at a time. @throws Error(format) for a sample outside 0 … 65535, naming its slice;
/// what came before is then written.
Region importLabels(const Volume& source, LabelVolume& labels, const std::function<bool(std::uint16_t)>& isKept,
                    const std::function<void(const ChunkEdit&, const Region&)>& onEdit);

} // namespace voxelscribe::labels
