#pragma once

#include "core/base/extent.h"
#include "core/model/class_info.h"
#include "core/volume/plane.h"

#include <cstdint>
#include <memory>
#include <vector>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

class vtkRenderer;
class vtkRenderWindow;

namespace voxelscribe::scene3d {

/// What the 3D view shows, as VTK actors in one renderer: the image's bright part as a translucent surface, one surface a class, the slice
/// plane and the box around all. GUI thread only.
class ScenePipeline {
public:
    ScenePipeline();
    ~ScenePipeline();

    void attach(vtkRenderWindow* window);
    /// A new, black proxy of this extent, with this edge length of its voxels.
    void setExtent(const Extent& extent, const VoxelSizeUm& spacing);
    void clear();
    void setImageSlice(std::int64_t k, const std::vector<std::uint8_t>& greys);
    /// Call after a batch of setImageSlice.
    void imageChanged();
    /// What is bright in the image, as a translucent surface; null: none.
    void setImageSurface(const vtkSmartPointer<vtkPolyData>& surface);
    /// A null `surface` keeps the one there is.
    void setSurface(std::uint16_t classId, const vtkSmartPointer<vtkPolyData>& surface, Rgb colour, double opacity);
    void hideSurface(std::uint16_t classId);
    void removeSurface(std::uint16_t classId);
    /// The plane at proxy position `index` along the plane's axis.
    void setSlicePlane(Plane plane, std::int64_t index);
    void setImageVisible(bool visible);
    void setMaskVisible(bool visible);
    void setBackground(Rgb colour);
    void resetCamera();
    /// Fits the scene to the view's new shape, unless a person has turned it.
    void viewResized();
    void rotate(double degreesAzimuth, double degreesElevation);
    void dolly(double factor);
    /// Shifts by a share of the view's height.
    void pan(double right, double up);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::scene3d
