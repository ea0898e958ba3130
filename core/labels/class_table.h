#pragma once

#include "core/model/class_info.h"

#include <cstdint>
#include <string>
#include <vector>

namespace voxelscribe::labels {

/// The classes of a project. Ids start at 1, never change and are never given twice, not even after a removal.
class ClassTable {
public:
    const std::vector<ClassInfo>& classes() const { return m_classes; }
    const ClassInfo* find(std::uint16_t id) const;
    /// Adds a class with the next id, the palette's colour and `name` ("Class N" if empty). @throws Error(format) beyond 65535.
    const ClassInfo& add(const std::string& name = {});
    /// Replaces name, colour, visibility and lock of the class with `info.id`. @throws Error(format) if there is none.
    void update(const ClassInfo& info);
    /// @throws Error(format) if there is none.
    void remove(std::uint16_t id);
    bool isLocked(std::uint16_t id) const;
    /// Takes over stored classes; `nextId` keeps removed ids unused and is raised above every id. @throws Error(format) for an id of 0 or given twice.
    void restore(std::vector<ClassInfo> classes, std::uint16_t nextId);
    /// The id that `add` gives next; 0: all were given.
    std::uint16_t nextId() const { return m_nextId; }

private:
    std::vector<ClassInfo> m_classes;
    std::uint16_t m_nextId = 1;
};

} // namespace voxelscribe::labels
