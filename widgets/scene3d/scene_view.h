#pragma once

#include "core/model/class_info.h"
#include "core/volume/plane.h"
#include "core/volume/volume.h"

#include <QImage>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

namespace voxelscribe::scene3d {

/// The 3D view: the image's bright part as a translucent surface, the growing masks as surfaces in class colours, and
/// a slice plane that follows the 2D view. Holds a proxy of at most 192 voxels an axis, filled on a worker thread slice by slice.
/// Where OpenGL fails it shows why and stays harmless.
class SceneView : public QWidget {
    Q_OBJECT
public:
    explicit SceneView(QWidget* parent = nullptr);
    ~SceneView() override;

    void setVolume(VolumePtr volume, std::optional<VoxelSizeUm> voxelSizeUm);  ///< null: empty state
    void setContrast(double low, double high);
    void setClasses(std::vector<ClassInfo> classes);
    void setMask(VolumePtr mask);                     ///< ids of the volume's extent; null: none
    void maskSlicesChanged(std::int64_t from, std::int64_t to); ///< [from, to) are new: only they are read again
    void setSlicePlane(Plane plane, std::int64_t slice);
    void setImageVisible(bool visible);
    void setMaskVisible(bool visible);
    void resetView();                                 ///< R
    /// What is on screen, for tests and pictures.
    QImage grabScene();

Q_SIGNALS:
    void failed(const QString& message);
    void updated();                                   ///< a proxy or picture was refreshed

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::scene3d
