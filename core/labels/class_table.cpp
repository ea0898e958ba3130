#include "core/labels/class_table.h"

#include "core/base/error.h"

#include <algorithm>
#include <limits>

namespace voxelscribe::labels {

namespace {

constexpr std::uint16_t kLargestId = std::numeric_limits<std::uint16_t>::max();

[[noreturn]] void throwUnknown(std::uint16_t id)
{
    throw Error(ErrorCode::format, "there is no class " + std::to_string(id) + " in this project; it may have been removed");
}

} // namespace

const ClassInfo* ClassTable::find(std::uint16_t id) const
{
    const auto at = std::ranges::find(m_classes, id, &ClassInfo::id);
    return at == m_classes.end() ? nullptr : &*at;
}

const ClassInfo& ClassTable::add(const std::string& name)
{
    if (m_nextId == 0)
        throw Error(ErrorCode::format, "no class can be added: all ids up to " + std::to_string(kLargestId)
                                           + " were given, and an id is never given twice; start a new project");
    ClassInfo info;
    info.id = m_nextId;
    info.name = name.empty() ? "Class " + std::to_string(info.id) : name;
    info.colour = defaultClassColour(info.id);
    m_classes.push_back(info);
    m_nextId = m_nextId == kLargestId ? std::uint16_t{0} : static_cast<std::uint16_t>(m_nextId + 1);
    return m_classes.back();
}

void ClassTable::update(const ClassInfo& info)
{
    const auto at = std::ranges::find(m_classes, info.id, &ClassInfo::id);
    if (at == m_classes.end())
        throwUnknown(info.id);
    *at = info;
}

void ClassTable::remove(std::uint16_t id)
{
    const auto at = std::ranges::find(m_classes, id, &ClassInfo::id);
    if (at == m_classes.end())
        throwUnknown(id);
    m_classes.erase(at);
}

bool ClassTable::isLocked(std::uint16_t id) const
{
    const ClassInfo* info = find(id);
    return info != nullptr && info->locked;
}

void ClassTable::restore(std::vector<ClassInfo> classes, std::uint16_t nextId)
{
    bool exhausted = nextId == 0;
    for (auto at = classes.begin(); at != classes.end(); ++at) {
        if (at->id == 0)
            throw Error(ErrorCode::format, "class \"" + at->name + "\" has the id 0, which means unlabelled; expected 1 or more");
        if (std::ranges::find(classes.begin(), at, at->id, &ClassInfo::id) != at)
            throw Error(ErrorCode::format, "two classes have the id " + std::to_string(at->id) + ": \"" + at->name
                                               + "\" is the second; ids must differ");
        exhausted = exhausted || at->id == kLargestId;
        if (!exhausted)
            nextId = std::max(nextId, static_cast<std::uint16_t>(at->id + 1));
    }
    m_classes = std::move(classes);
    m_nextId = exhausted ? std::uint16_t{0} : nextId;
}

} // namespace voxelscribe::labels
