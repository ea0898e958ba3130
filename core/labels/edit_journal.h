#pragma once

#include "core/labels/label_volume.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace voxelscribe::labels {

/// The smallest box around both; an empty one counts as nothing.
Region united(const Region& a, const Region& b);

/// The steps that can be taken back or done again. A step holds, for each chunk it changed, the version that is not in the
/// volume now; undo and redo swap the two, so a step costs pointers and the chunks that nothing else uses.
class EditJournal {
public:
    using Keys = std::vector<LabelVolume::ChunkKey>;

    /// What one undo, redo or rollback did.
    struct Change {
        Region dirty;
        Keys keys;
    };

    /// Beyond `budgetBytes` of chunks the oldest steps are forgotten; the newest stays whatever it takes.
    EditJournal(LabelVolume& labels, std::int64_t budgetBytes) : m_labels(labels), m_budgetBytes(budgetBytes) {}

    void begin(std::string description);
    bool isRunning() const { return m_running.has_value(); }
    /// Notes what `edit` did in the running step.
    void note(const ChunkEdit& edit, const Region& dirty);
    /// Chunks that the running step has changed so far.
    std::size_t runningChunks() const { return m_running ? m_running->chunks.size() : 0; }
    /// Ends the running step; one that changed nothing is forgotten. Otherwise all undone steps are, too.
    Keys finish();
    /// Takes the running step back.
    Region rollback();

    bool canUndo() const { return !m_undo.empty(); }
    bool canRedo() const { return !m_redo.empty(); }
    /// What `undo` would take back; while a step runs, that step.
    std::string undoText() const;
    std::string redoText() const { return m_redo.empty() ? std::string() : m_redo.back().description; }
    Change undo() { return swapStep(m_undo, m_redo); }
    Change redo() { return swapStep(m_redo, m_undo); }
    std::int64_t bytes() const { return m_bytes; }

private:
    struct Step {
        std::string description;
        Region dirty;
        std::map<LabelVolume::ChunkKey, LabelVolume::ChunkPtr, LabelVolume::KeyLess> chunks;

        std::int64_t bytes() const;
        Keys keys() const;
    };
    Change swapStep(std::deque<Step>& from, std::deque<Step>& to);
    void swapChunks(Step& step);

    LabelVolume& m_labels;
    std::int64_t m_budgetBytes;
    std::int64_t m_bytes = 0;
    std::optional<Step> m_running;
    std::deque<Step> m_undo;
    std::deque<Step> m_redo;
};

} // namespace voxelscribe::labels
