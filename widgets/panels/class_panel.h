#pragma once

#include "core/model/class_info.h"

#include <QWidget>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace voxelscribe::panels {

/// Step 2: the classes (colour, name, visibility, lock, labelled voxels), which of them is painted, and the brush.
class ClassPanel : public QWidget {
    Q_OBJECT
public:
    explicit ClassPanel(QWidget* parent = nullptr);
    ~ClassPanel() override;

    /// Keeps the row that is being edited.
    void setClasses(const std::vector<ClassInfo>& classes);
    void setLabelledVoxels(const std::map<std::uint16_t, std::int64_t>& counts);
    void setActiveClass(std::uint16_t id);
    std::uint16_t activeClass() const;
    void setBrushRadius(double radiusPixels);
    void setReadOnly(bool readOnly);
    /// Starts the editing of a name, for a class just added.
    void editName(std::uint16_t id);

Q_SIGNALS:
    void activeClassChosen(quint16 id);
    void classEdited(const voxelscribe::ClassInfo& info);   ///< name, colour, visibility or lock
    void addRequested();
    void removeRequested(quint16 id);
    void brushRadiusChosen(double radiusPixels);
    /// A name field was left by Enter or Escape: give the focus back to the image.
    void nameEditingDone();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::panels
