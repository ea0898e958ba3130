#include "core/labels/editor.h"

#include "core/base/error.h"
#include "core/labels/brush_shape.h"
#include "core/labels/edit_journal.h"
#include "core/labels/flood_fill.h"
#include "core/labels/label_import.h"
#include "core/labels/plane_lines.h"

#include <algorithm>
#include <cmath>

namespace voxelscribe::labels {

struct Editor::Impl {
    /// The stroke that is being made.
    struct Stroke {
        Brush brush;
        PlaneLines lines;
        PlaneLines::Point last;
    };

    LabelVolume& labels;
    const ClassTable& classes;
    std::optional<VoxelSizeUm> voxelSizeUm;
    EditJournal journal;
    std::optional<Stroke> stroke;

    bool isKept(std::uint16_t id) const { return id != 0 && classes.isLocked(id); }
    std::string nameOf(std::uint16_t id) const;
    Region paint(const PlaneLines& lines, const Span& span, std::uint16_t id);
    Region sweep(PlaneLines::Point to, bool isFirst);
    Region flood(const PlaneLines& lines, std::int64_t line, std::int64_t along, std::uint16_t id);
};

namespace {

/// Half a gigabyte of chunks.
constexpr std::int64_t kFillChunks = 4096;

std::int64_t chunksOfSlice(const Extent& extent)
{
    constexpr Extent kChunk = LabelVolume::kChunk;
    return checkedProduct((extent.y + kChunk.y - 1) / kChunk.y, (extent.x + kChunk.x - 1) / kChunk.x, "chunks of a slice");
}

std::string sliceText(Plane plane, std::int64_t slice)
{
    const char* prefix = plane == Plane::xz ? "xz " : plane == Plane::zy ? "zy " : "";
    return prefix + ("slice " + std::to_string(slice));
}

} // namespace

std::string Editor::Impl::nameOf(std::uint16_t id) const
{
    const ClassInfo* info = classes.find(id);
    return info == nullptr ? "class " + std::to_string(id) : info->name;
}

Region Editor::Impl::paint(const PlaneLines& lines, const Span& span, std::uint16_t id)
{
    Region changed;
    for (std::int64_t at = span.first; at < span.end;) {
        const std::int64_t end = std::min(span.end, (at / lines.chunkLength() + 1) * lines.chunkLength());
        const Extent voxel = lines.voxel(span.line, at);
        constexpr Extent kChunk = LabelVolume::kChunk;
        ChunkEdit edit(labels, {voxel.z, voxel.y / kChunk.y, voxel.x / kChunk.x});
        const auto [first, last] = edit.fill(voxel.y % kChunk.y * kChunk.x + voxel.x % kChunk.x, lines.stride(), end - at, id,
                                             [this](std::uint16_t old) { return isKept(old); });
        if (first < last) {
            const Region part = lines.region(span.line, at + first, 1, last - first);
            journal.note(edit, part);
            changed = united(changed, part);
        }
        at = end;
    }
    return changed;
}

Region Editor::Impl::sweep(PlaneLines::Point to, bool isFirst)
{
    const PlaneLines& lines = stroke->lines;
    const PlaneLines::Point pixel = lines.pixelSize(voxelSizeUm);
    const BrushShape shape(stroke->brush.radius, pixel, stroke->last, to);
    // Where the brush stood before, everything is painted already: a slow stroke of a large brush costs only its rim.
    const BrushShape painted(stroke->brush.radius, pixel, stroke->last, stroke->last);
    const bool hasHole = !isFirst && !shape.isThin();
    Region changed;
    const Span range = shape.lineRange(lines.lines);
    for (std::int64_t line = range.first; line < range.end; ++line) {
        const Span hole = hasHole ? painted.span(line, lines.length) : Span{line, 0, 0};
        for (const Span& part : without(shape.span(line, lines.length), hole))
            changed = united(changed, paint(lines, part, stroke->brush.classId));
    }
    stroke->last = to;
    return changed;
}

Region Editor::Impl::flood(const PlaneLines& lines, std::int64_t line, std::int64_t along, std::uint16_t id)
{
    // In xz and zy every line lies in chunks of its own, so an open background could take gigabytes.
    const auto limit = static_cast<std::size_t>(std::max(kFillChunks, chunksOfSlice(labels.extent())));
    Region dirty;
    try {
        FloodFill(labels, lines).run(line, along, [&](const Span& span) {
            dirty = united(dirty, paint(lines, span, id));
            if (journal.runningChunks() > limit)
                throw Error(ErrorCode::memory, "the area to fill reaches across more than " + std::to_string(limit)
                                                   + " blocks of the annotations (" + dirty.extent.text()
                                                   + " voxels so far); nothing was filled: draw a closed border around it, or fill it in the xy slices");
        });
    } catch (...) {
        journal.rollback();
        throw;
    }
    return dirty;
}

Editor::Editor(LabelVolume& labels, const ClassTable& classes, std::optional<VoxelSizeUm> voxelSizeUm, std::int64_t journalBytes)
    : m_impl(new Impl{labels, classes, voxelSizeUm, EditJournal(labels, journalBytes), std::nullopt})
{
}

Editor::~Editor() = default;

void Editor::setVoxelSizeUm(std::optional<VoxelSizeUm> voxelSizeUm)
{
    m_impl->voxelSizeUm = voxelSizeUm;
}

Region Editor::finishStep(const Region& dirty)
{
    const EditJournal::Keys keys = m_impl->journal.finish();
    if (!keys.empty() && onChunksChanged)
        onChunksChanged(keys);
    return dirty;
}

Region Editor::beginStroke(const Brush& brush, PlanePoint at)
{
    endStroke();
    const PlaneLines lines = PlaneLines::of(m_impl->labels.extent(), brush.plane, brush.slice);
    const std::string what = brush.classId == 0 ? "Erase: " : "Brush: " + m_impl->nameOf(brush.classId) + ", ";
    m_impl->journal.begin(what + sliceText(brush.plane, brush.slice));
    m_impl->stroke = {brush, lines, lines.point(at)};
    return m_impl->sweep(lines.point(at), true);
}

Region Editor::extendStroke(PlanePoint to)
{
    return isStroking() ? m_impl->sweep(m_impl->stroke->lines.point(to), false) : Region{};
}

void Editor::endStroke()
{
    if (!isStroking())
        return;
    m_impl->stroke.reset();
    finishStep({});
}

Region Editor::cancelStroke()
{
    if (!isStroking())
        return {};
    m_impl->stroke.reset();
    return m_impl->journal.rollback();
}

Region Editor::fill(const Brush& brush, PlanePoint at)
{
    endStroke();
    const PlaneLines lines = PlaneLines::of(m_impl->labels.extent(), brush.plane, brush.slice);
    const PlaneLines::Point point = lines.point(at);
    const double line = std::floor(point.across);
    const double along = std::floor(point.along);
    const bool isInside = line >= 0 && line < static_cast<double>(lines.lines) && along >= 0 && along < static_cast<double>(lines.length);
    if (!isInside)
        return {};
    const auto startLine = static_cast<std::int64_t>(line);
    const auto startAlong = static_cast<std::int64_t>(along);
    const std::uint16_t old = m_impl->labels.at(lines.voxel(startLine, startAlong));
    if (old == brush.classId || m_impl->isKept(old))
        return {};
    const std::string what = brush.classId == 0 ? "Erase area: " : "Fill: " + m_impl->nameOf(brush.classId) + ", ";
    m_impl->journal.begin(what + sliceText(brush.plane, brush.slice));
    return finishStep(m_impl->flood(lines, startLine, startAlong, brush.classId));
}

Region Editor::clearClass(std::uint16_t id)
{
    endStroke();
    if (m_impl->isKept(id) || !m_impl->labels.voxelsOfClass().contains(id))
        return {};
    m_impl->journal.begin("Clear class: " + m_impl->nameOf(id));
    Region dirty;
    for (const LabelVolume::ChunkKey& key : m_impl->labels.occupiedChunks()) {
        ChunkEdit edit(m_impl->labels, key);
        const auto [first, last] = edit.fill(0, 1, LabelVolume::kChunk.y * LabelVolume::kChunk.x, 0,
                                             [id](std::uint16_t old) { return old != id; });
        if (first == last)
            continue;
        m_impl->journal.note(edit, m_impl->labels.chunkRegion(key));
        dirty = united(dirty, m_impl->labels.chunkRegion(key));
    }
    return finishStep(dirty);
}

Region Editor::clearSlice(Plane plane, std::int64_t slice)
{
    endStroke();
    const PlaneLines lines = PlaneLines::of(m_impl->labels.extent(), plane, slice);
    m_impl->journal.begin("Clear " + sliceText(plane, slice));
    Region dirty;
    for (std::int64_t line = 0; line < lines.lines; ++line)
        dirty = united(dirty, m_impl->paint(lines, {line, 0, lines.length}, 0));
    return finishStep(dirty);
}

Region Editor::importLabels(const Volume& source, bool overwrite)
{
    endStroke();
    requireImportable(source, m_impl->labels.extent());
    m_impl->journal.begin("Import labels: " + source.info().name);
    const auto isKept = [&](std::uint16_t old) { return old != 0 && (!overwrite || m_impl->isKept(old)); };
    Region dirty;
    try {
        dirty = labels::importLabels(source, m_impl->labels, isKept, [this](const ChunkEdit& edit, const Region& part) { m_impl->journal.note(edit, part); });
    } catch (...) {
        m_impl->journal.rollback(); // a file that breaks off half way must not leave half of its labels
        throw;
    }
    return finishStep(dirty);
}

bool Editor::canUndo() const
{
    return m_impl->journal.canUndo() || isStroking();
}

bool Editor::canRedo() const
{
    return m_impl->journal.canRedo();
}

std::string Editor::undoText() const
{
    return m_impl->journal.undoText();
}

std::string Editor::redoText() const
{
    return m_impl->journal.redoText();
}

Region Editor::undo()
{
    endStroke();
    const EditJournal::Change change = m_impl->journal.undo();
    if (!change.keys.empty() && onChunksChanged)
        onChunksChanged(change.keys);
    return change.dirty;
}

Region Editor::redo()
{
    endStroke();
    const EditJournal::Change change = m_impl->journal.redo();
    if (!change.keys.empty() && onChunksChanged)
        onChunksChanged(change.keys);
    return change.dirty;
}

bool Editor::isStroking() const
{
    return m_impl->stroke.has_value();
}

std::int64_t Editor::journalBytes() const
{
    return m_impl->journal.bytes();
}

} // namespace voxelscribe::labels
