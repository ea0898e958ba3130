#include "core/labels/edit_journal.h"

#include <algorithm>

namespace voxelscribe::labels {

Region united(const Region& a, const Region& b)
{
    if (a.extent.isEmpty())
        return b;
    if (b.extent.isEmpty())
        return a;
    const Extent aEnd = a.end();
    const Extent bEnd = b.end();
    const Extent from{std::min(a.origin.z, b.origin.z), std::min(a.origin.y, b.origin.y), std::min(a.origin.x, b.origin.x)};
    const Extent to{std::max(aEnd.z, bEnd.z), std::max(aEnd.y, bEnd.y), std::max(aEnd.x, bEnd.x)};
    return {from, {to.z - from.z, to.y - from.y, to.x - from.x}};
}

std::int64_t EditJournal::Step::bytes() const
{
    std::int64_t bytes = 0;
    for (const auto& [key, ids] : chunks)
        if (ids)
            bytes += static_cast<std::int64_t>(ids->size() * sizeof(LabelVolume::Chunk::value_type));
    return bytes;
}

EditJournal::Keys EditJournal::Step::keys() const
{
    Keys keys;
    keys.reserve(chunks.size());
    for (const auto& entry : chunks)
        keys.push_back(entry.first);
    return keys;
}

void EditJournal::begin(std::string description)
{
    m_labels.beginStep();
    m_running.emplace();
    m_running->description = std::move(description);
}

void EditJournal::note(const ChunkEdit& edit, const Region& dirty)
{
    m_running->dirty = united(m_running->dirty, dirty);
    if (edit.before())
        m_running->chunks.try_emplace(edit.key(), *edit.before()); // a second "before" is from within the step
}

EditJournal::Keys EditJournal::finish()
{
    if (!m_running)
        return {};
    Step step = std::move(*m_running);
    m_running.reset();
    if (step.chunks.empty())
        return {};
    for (const Step& undone : m_redo)
        m_bytes -= undone.bytes();
    m_redo.clear();
    m_bytes += step.bytes();
    Keys keys = step.keys();
    m_undo.push_back(std::move(step));
    while (m_bytes > m_budgetBytes && m_undo.size() > 1) {
        m_bytes -= m_undo.front().bytes();
        m_undo.pop_front();
    }
    return keys;
}

Region EditJournal::rollback()
{
    if (!m_running)
        return {};
    swapChunks(*m_running);
    const Region dirty = m_running->dirty;
    m_running.reset();
    return dirty;
}

std::string EditJournal::undoText() const
{
    if (m_running)
        return m_running->description;
    return m_undo.empty() ? std::string() : m_undo.back().description;
}

EditJournal::Change EditJournal::swapStep(std::deque<Step>& from, std::deque<Step>& to)
{
    if (from.empty())
        return {};
    Step step = std::move(from.back());
    from.pop_back();
    m_bytes -= step.bytes();
    swapChunks(step);
    m_bytes += step.bytes();
    Change change{step.dirty, step.keys()};
    to.push_back(std::move(step));
    return change;
}

void EditJournal::swapChunks(Step& step)
{
    for (auto& [key, ids] : step.chunks)
        ids = m_labels.exchangeChunk(key, std::move(ids));
}

} // namespace voxelscribe::labels
