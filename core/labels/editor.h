#pragma once

#include "core/labels/class_table.h"
#include "core/labels/label_volume.h"
#include "core/volume/plane.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace voxelscribe::labels {

/// A round brush in a plane. The radius is in pixels of the plane's finer axis; on anisotropic voxels the disc is
/// round in micrometres. The pixel under the centre is always painted.
struct Brush {
    double radius = 4;
    std::uint16_t classId = 0;      ///< 0 erases
    Plane plane = Plane::xy;
    std::int64_t slice = 0;
};

/// One undoable step: the chunks as they were before and after. "Brush: quartz, slice 12".
struct EditStep {
    std::string description;
    Region dirty;
    std::map<LabelVolume::ChunkKey, std::pair<LabelVolume::Chunk, LabelVolume::Chunk>, bool (*)(const Extent&, const Extent&)> chunks;
};

/// Paints into a label volume and keeps the journal of undoable steps. Voxels of a locked class are never overwritten.
class Editor {
public:
    Editor(LabelVolume& labels, const ClassTable& classes, std::optional<VoxelSizeUm> voxelSizeUm);

    /// A stroke: begin, any number of segments, end. Each returns the region that changed (empty extent: nothing).
    Region beginStroke(const Brush& brush, PlanePoint at);
    Region extendStroke(PlanePoint to);            ///< gapless from the last point
    /// Puts the stroke into the journal; a stroke that changed nothing adds no step.
    void endStroke();
    /// Takes the running stroke back; returns what changed.
    Region cancelStroke();
    /// Fills the connected pixels of one label value in the plane around `at` (4-neighbours) with `brush.classId`; one step.
    Region fill(const Brush& brush, PlanePoint at);
    /// Removes all labels of a class; one step.
    Region clearClass(std::uint16_t id);
    /// Removes all labels in the slice; one step.
    Region clearSlice(Plane plane, std::int64_t slice);

    bool canUndo() const;
    bool canRedo() const;
    std::string undoText() const;                  ///< description of the step that undo takes back
    std::string redoText() const;
    Region undo();                                 ///< returns what changed; also across slices
    Region redo();
    bool isStroking() const;

    /// Called after each finished step, undo and redo with the keys of the chunks that changed (for saving).
    std::function<void(const std::vector<LabelVolume::ChunkKey>&)> onChunksChanged;

    struct Impl;
    ~Editor();

private:
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::labels
