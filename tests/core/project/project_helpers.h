#pragma once

#include "core/base/atomic_file.h"
#include "core/labels/class_table.h"
#include "core/project/project.h"
#include "support/thrown.h"

#include <QString>
#include <QTemporaryDir>
#include <filesystem>
#include <string>
#include <vector>

namespace voxelscribe::test {

/// A folder of its own that goes with the test; its name has what real names have.
class Workplace {
public:
    Workplace() : m_folder(QDir::tempPath() + QStringLiteral("/Prüfung mit Leerzeichen XXXXXX")) {}
    std::filesystem::path path() const { return m_folder.path().toStdString(); }

private:
    QTemporaryDir m_folder;
};

inline project::ProjectState stateFor(const std::string& imageSource, const Extent& extent = {3, 300, 530})
{
    labels::ClassTable classes;
    classes.add("quartz");
    classes.add("pore ø");
    project::ProjectState state;
    state.imageSource = imageSource;
    state.imageFingerprint = "as it was";
    state.extent = extent;
    state.classes = classes.classes();
    state.nextClassId = classes.nextId();
    return state;
}

inline void setVoxel(labels::LabelVolume& labels, const Extent& at, std::uint16_t id)
{
    labels.write({at, {1, 1, 1}}, std::vector<std::uint16_t>{id});
}

inline std::vector<std::uint16_t> dense(const labels::LabelVolume& volume)
{
    std::vector<std::uint16_t> ids(static_cast<std::size_t>(volume.extent().voxels()));
    volume.read(Region::whole(volume.extent()), ids);
    return ids;
}

inline bool anyContains(const std::vector<std::string>& texts, const std::string& part)
{
    for (const std::string& text : texts)
        if (text.find(part) != std::string::npos)
            return true;
    return false;
}

} // namespace voxelscribe::test
