#include "widgets/scene3d/scene_pipeline.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkImageActor.h>
#include <vtkImageData.h>
#include <vtkImageMapper3D.h>
#include <vtkImageProperty.h>
#include <vtkNew.h>
#include <vtkOutlineSource.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

namespace voxelscribe::scene3d {

namespace {

void setColour(vtkProperty* property, Rgb colour)
{
    property->SetColor((colour >> 16U & 255U) / 255.0, (colour >> 8U & 255U) / 255.0, (colour & 255U) / 255.0);
}

} // namespace

struct ScenePipeline::Impl {
    vtkNew<vtkRenderer> renderer;
    vtkSmartPointer<vtkImageData> image;
    vtkNew<vtkActor> imageSurface;
    vtkNew<vtkImageActor> plane;
    vtkNew<vtkOutlineSource> planeFrame;
    vtkNew<vtkActor> planeFrameActor;
    vtkNew<vtkOutlineSource> box;
    vtkNew<vtkActor> boxActor;
    std::map<std::uint16_t, vtkSmartPointer<vtkActor>> surfaces;
    Extent extent;
    VoxelSizeUm spacing;
    bool hasImageSurface = false;
    bool imageVisible = true;
    bool maskVisible = true;
    bool isViewOwn = false;         ///< a person has turned it: it is left alone

    void addLines(vtkOutlineSource* source, vtkActor* actor, Rgb colour, double width)
    {
        vtkNew<vtkPolyDataMapper> mapper;
        mapper->SetInputConnection(source->GetOutputPort());
        actor->SetMapper(mapper);
        setColour(actor->GetProperty(), colour);
        actor->GetProperty()->SetLineWidth(static_cast<float>(width));
        actor->GetProperty()->LightingOff();
        actor->SetVisibility(false);
        renderer->AddActor(actor);
    }

    void setUpImageSurface()
    {
        vtkNew<vtkPolyDataMapper> mapper;
        mapper->ScalarVisibilityOff();
        imageSurface->SetMapper(mapper);
        setColour(imageSurface->GetProperty(), 0xd8dce0);
        imageSurface->GetProperty()->SetOpacity(0.22);
        imageSurface->SetVisibility(false);
        renderer->AddActor(imageSurface);
    }
};

ScenePipeline::ScenePipeline() : m_impl(std::make_unique<Impl>())
{
    m_impl->setUpImageSurface();
    m_impl->addLines(m_impl->box, m_impl->boxActor, 0x7d8590, 1);
    m_impl->addLines(m_impl->planeFrame, m_impl->planeFrameActor, 0x4aa3ff, 2);
    m_impl->plane->GetProperty()->SetColorWindow(255);
    m_impl->plane->GetProperty()->SetColorLevel(127.5);
    m_impl->plane->GetProperty()->SetInterpolationTypeToNearest();
    m_impl->plane->GetMapper()->BorderOn();
}

ScenePipeline::~ScenePipeline() = default;

void ScenePipeline::attach(vtkRenderWindow* window)
{
    window->AddRenderer(m_impl->renderer);
}

void ScenePipeline::setExtent(const Extent& extent, const VoxelSizeUm& spacing)
{
    clear();
    m_impl->extent = extent;
    m_impl->spacing = spacing;
    m_impl->image = vtkSmartPointer<vtkImageData>::New();
    m_impl->image->SetDimensions(static_cast<int>(extent.x), static_cast<int>(extent.y), static_cast<int>(extent.z));
    m_impl->image->SetSpacing(spacing.x, spacing.y, spacing.z);
    m_impl->image->SetOrigin(0.5 * spacing.x, 0.5 * spacing.y, 0.5 * spacing.z);
    m_impl->image->AllocateScalars(VTK_UNSIGNED_CHAR, 1);
    std::fill_n(static_cast<std::uint8_t*>(m_impl->image->GetScalarPointer()), m_impl->image->GetNumberOfPoints(), std::uint8_t{0});
    m_impl->plane->SetInputData(m_impl->image);
    m_impl->renderer->AddActor(m_impl->plane);
    const double x = static_cast<double>(extent.x) * spacing.x;
    const double y = static_cast<double>(extent.y) * spacing.y;
    const double z = static_cast<double>(extent.z) * spacing.z;
    m_impl->box->SetBounds(0, x, 0, y, 0, z);
    m_impl->boxActor->SetVisibility(true);
    setImageVisible(m_impl->imageVisible);
    setSlicePlane(Plane::xy, extent.z / 2);
    resetCamera();
}

void ScenePipeline::clear()
{
    for (const auto& [id, actor] : m_impl->surfaces)
        m_impl->renderer->RemoveActor(actor);
    m_impl->surfaces.clear();
    setImageSurface(nullptr);
    m_impl->renderer->RemoveActor(m_impl->plane);
    m_impl->boxActor->SetVisibility(false);
    m_impl->planeFrameActor->SetVisibility(false);
    m_impl->image = nullptr;
}

void ScenePipeline::setImageSlice(std::int64_t k, const std::vector<std::uint8_t>& greys)
{
    if (m_impl->image == nullptr || k < 0 || k >= m_impl->extent.z)
        return;
    auto* to = static_cast<std::uint8_t*>(m_impl->image->GetScalarPointer(0, 0, static_cast<int>(k)));
    std::copy_n(greys.begin(), std::min<std::int64_t>(static_cast<std::int64_t>(greys.size()), m_impl->extent.y * m_impl->extent.x), to);
}

void ScenePipeline::imageChanged()
{
    if (m_impl->image != nullptr)
        m_impl->image->Modified();
}

void ScenePipeline::setImageSurface(const vtkSmartPointer<vtkPolyData>& surface)
{
    m_impl->hasImageSurface = surface != nullptr;
    if (surface != nullptr)
        vtkPolyDataMapper::SafeDownCast(m_impl->imageSurface->GetMapper())->SetInputData(surface);
    m_impl->imageSurface->SetVisibility(m_impl->imageVisible && m_impl->hasImageSurface);
}

void ScenePipeline::setSurface(std::uint16_t classId, const vtkSmartPointer<vtkPolyData>& surface, Rgb colour, double opacity)
{
    auto& actor = m_impl->surfaces[classId];
    if (actor == nullptr) {
        actor = vtkSmartPointer<vtkActor>::New();
        vtkNew<vtkPolyDataMapper> mapper;
        mapper->ScalarVisibilityOff();
        actor->SetMapper(mapper);
        m_impl->renderer->AddActor(actor);
    }
    if (surface != nullptr)
        vtkPolyDataMapper::SafeDownCast(actor->GetMapper())->SetInputData(surface);
    setColour(actor->GetProperty(), colour);
    actor->GetProperty()->SetAmbient(0.25);
    actor->GetProperty()->SetDiffuse(0.75);
    actor->GetProperty()->SetOpacity(opacity);
    actor->SetVisibility(m_impl->maskVisible);
}

void ScenePipeline::hideSurface(std::uint16_t classId)
{
    const auto found = m_impl->surfaces.find(classId);
    if (found != m_impl->surfaces.end())
        found->second->SetVisibility(false);
}

void ScenePipeline::removeSurface(std::uint16_t classId)
{
    const auto found = m_impl->surfaces.find(classId);
    if (found == m_impl->surfaces.end())
        return;
    m_impl->renderer->RemoveActor(found->second);
    m_impl->surfaces.erase(found);
}

void ScenePipeline::setSlicePlane(Plane plane, std::int64_t index)
{
    if (m_impl->image == nullptr)
        return;
    const Extent& e = m_impl->extent;
    const VoxelSizeUm& s = m_impl->spacing;
    const int x = static_cast<int>(e.x) - 1;
    const int y = static_cast<int>(e.y) - 1;
    const int z = static_cast<int>(e.z) - 1;
    const int at = static_cast<int>(std::max<std::int64_t>(0, index));
    const double w = static_cast<double>(e.x) * s.x;
    const double h = static_cast<double>(e.y) * s.y;
    const double d = static_cast<double>(e.z) * s.z;
    if (plane == Plane::xy) {
        const double depth = (std::min(at, z) + 0.5) * s.z;
        m_impl->plane->SetDisplayExtent(0, x, 0, y, std::min(at, z), std::min(at, z));
        m_impl->planeFrame->SetBounds(0, w, 0, h, depth, depth);
    } else if (plane == Plane::xz) {
        const double depth = (std::min(at, y) + 0.5) * s.y;
        m_impl->plane->SetDisplayExtent(0, x, std::min(at, y), std::min(at, y), 0, z);
        m_impl->planeFrame->SetBounds(0, w, depth, depth, 0, d);
    } else {
        const double depth = (std::min(at, x) + 0.5) * s.x;
        m_impl->plane->SetDisplayExtent(std::min(at, x), std::min(at, x), 0, y, 0, z);
        m_impl->planeFrame->SetBounds(depth, depth, 0, h, 0, d);
    }
    m_impl->planeFrameActor->SetVisibility(true);
}

void ScenePipeline::setImageVisible(bool visible)
{
    m_impl->imageVisible = visible;
    m_impl->imageSurface->SetVisibility(visible && m_impl->hasImageSurface);
}

void ScenePipeline::setMaskVisible(bool visible)
{
    m_impl->maskVisible = visible;
    for (const auto& [id, actor] : m_impl->surfaces)
        actor->SetVisibility(visible);
}

void ScenePipeline::setBackground(Rgb colour)
{
    m_impl->renderer->SetBackground((colour >> 16U & 255U) / 255.0, (colour >> 8U & 255U) / 255.0, (colour & 255U) / 255.0);
}

void ScenePipeline::resetCamera()
{
    constexpr double kViewAngle = 30; // degrees; VTK's own start
    m_impl->isViewOwn = false;
    vtkCamera* camera = m_impl->renderer->GetActiveCamera();
    camera->SetViewAngle(kViewAngle);
    camera->SetFocalPoint(0, 0, 0);
    camera->SetPosition(-1.0, -0.75, -1.05); // rows run down the screen as in the slice view, slice 0 in front
    camera->SetViewUp(0, -1, 0);
    m_impl->renderer->ComputeAspect();
    m_impl->renderer->ResetCamera();
    m_impl->renderer->ResetCameraClippingRange();
}

void ScenePipeline::viewResized()
{
    if (!m_impl->isViewOwn)
        resetCamera();
}

void ScenePipeline::rotate(double degreesAzimuth, double degreesElevation)
{
    m_impl->isViewOwn = true;
    vtkCamera* camera = m_impl->renderer->GetActiveCamera();
    camera->Azimuth(degreesAzimuth);
    camera->Elevation(degreesElevation);
    camera->OrthogonalizeViewUp();
    m_impl->renderer->ResetCameraClippingRange();
}

void ScenePipeline::dolly(double factor)
{
    m_impl->isViewOwn = true;
    m_impl->renderer->GetActiveCamera()->Dolly(factor);
    m_impl->renderer->ResetCameraClippingRange();
}

void ScenePipeline::pan(double right, double up)
{
    m_impl->isViewOwn = true;
    vtkCamera* camera = m_impl->renderer->GetActiveCamera();
    const double height = 2 * camera->GetDistance() * std::tan(camera->GetViewAngle() * 3.14159265358979 / 360);
    double direction[3];
    camera->GetDirectionOfProjection(direction);
    double viewUp[3];
    camera->GetViewUp(viewUp);
    const double side[3] = {direction[1] * viewUp[2] - direction[2] * viewUp[1], direction[2] * viewUp[0] - direction[0] * viewUp[2],
                            direction[0] * viewUp[1] - direction[1] * viewUp[0]};
    double focal[3];
    double position[3];
    camera->GetFocalPoint(focal);
    camera->GetPosition(position);
    for (int i = 0; i < 3; ++i) {
        const double shift = -height * (right * side[i] + up * viewUp[i]);
        focal[i] += shift;
        position[i] += shift;
    }
    camera->SetFocalPoint(focal);
    camera->SetPosition(position);
}

} // namespace voxelscribe::scene3d
