#pragma once

#include "core/labels/class_table.h"
#include "core/labels/label_volume.h"
#include "core/volume/plane.h"

#include <cstdint>
#include <functional>
#include <memory>
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

/// Paints into a label volume and keeps the journal of undoable steps. Voxels of a locked class are never overwritten nor
/// erased; adding to a locked class is allowed. A stroke costs what lies in its dirty rectangle, however large the stack.
class Editor {
public:
    static constexpr std::int64_t kJournalBytes = std::int64_t{512} << 20;

    /// Beyond `journalBytes` of changed chunks the oldest steps can no longer be undone. The volume is changed by this
    /// editor alone as long as there are steps; both outlive it.
    Editor(LabelVolume& labels, const ClassTable& classes, std::optional<VoxelSizeUm> voxelSizeUm, std::int64_t journalBytes = kJournalBytes);
    ~Editor();
    void setVoxelSizeUm(std::optional<VoxelSizeUm> voxelSizeUm);

    /// A stroke: begin, any number of segments, end. Each returns the region that changed (empty extent: nothing).
    /// @throws Error(shape) for a slice outside the volume.
    Region beginStroke(const Brush& brush, PlanePoint at);
    Region extendStroke(PlanePoint to);            ///< gapless from the last point
    /// Puts the stroke into the journal; a stroke that changed nothing adds no step.
    void endStroke();
    /// Takes the running stroke back; returns what changed.
    Region cancelStroke();
    /// Fills the connected pixels of one label value in the plane around `at` (4-neighbours) with `brush.classId`; one step.
    /// @throws Error(memory) for an area across more chunks than 512 MiB hold (an open background in xz or zy); nothing has changed then.
    Region fill(const Brush& brush, PlanePoint at);
    /// Removes all labels of a class; one step. A locked class stays as it is.
    Region clearClass(std::uint16_t id);
    /// Removes all labels in the slice, but for locked classes; one step.
    Region clearSlice(Plane plane, std::int64_t slice);
    /// Takes over the labels of an integer volume of the same extent as one step; its zeros change nothing. Without `overwrite`
    /// only unlabelled voxels are set. @throws Error(shape) for another extent, Error(format) for samples that are not ids
    /// (whole numbers from 0 to 65535); nothing has changed then.
    Region importLabels(const Volume& source, bool overwrite);

    bool canUndo() const;
    bool canRedo() const;
    std::string undoText() const;                  ///< description of the step that undo takes back: "Brush: quartz, slice 12"
    std::string redoText() const;
    Region undo();                                 ///< returns what changed; also across slices
    Region redo();
    bool isStroking() const;
    /// What the journal keeps from being freed.
    std::int64_t journalBytes() const;

    /// Called after each finished step, undo and redo with the keys of the chunks that changed (for saving).
    std::function<void(const std::vector<LabelVolume::ChunkKey>&)> onChunksChanged;

private:
    struct Impl;
    Region finishStep(const Region& dirty);

    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::labels
