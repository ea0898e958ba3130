#include "widgets/scene3d/surfaces.h"

#include <algorithm>
#include <vtkDiscreteFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPolyDataNormals.h>
#include <vtkWindowedSincPolyDataFilter.h>

namespace voxelscribe::scene3d {

namespace {

/// The label as 0/1 with one empty voxel all around, so that its surface is closed.
vtkSmartPointer<vtkImageData> paddedIndicator(const std::vector<std::uint8_t>& labels, const Extent& extent, std::uint8_t label,
                                              const VoxelSizeUm& spacing)
{
    auto image = vtkSmartPointer<vtkImageData>::New();
    image->SetDimensions(static_cast<int>(extent.x + 2), static_cast<int>(extent.y + 2), static_cast<int>(extent.z + 2));
    image->SetSpacing(spacing.x, spacing.y, spacing.z);
    image->SetOrigin(-0.5 * spacing.x, -0.5 * spacing.y, -0.5 * spacing.z);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, 1);
    auto* to = static_cast<std::uint8_t*>(image->GetScalarPointer());
    std::fill_n(to, image->GetNumberOfPoints(), std::uint8_t{0});
    for (std::int64_t z = 0; z < extent.z; ++z)
        for (std::int64_t y = 0; y < extent.y; ++y) {
            const std::uint8_t* from = labels.data() + (z * extent.y + y) * extent.x;
            std::uint8_t* row = to + ((z + 1) * (extent.y + 2) + y + 1) * (extent.x + 2) + 1;
            std::transform(from, from + extent.x, row, [label](std::uint8_t value) { return value == label ? std::uint8_t{1} : std::uint8_t{0}; });
        }
    return image;
}

} // namespace

vtkSmartPointer<vtkPolyData> surfaceOf(const std::vector<std::uint8_t>& labels, const Extent& extent, std::uint8_t label,
                                       const VoxelSizeUm& spacing)
{
    if (std::find(labels.begin(), labels.end(), label) == labels.end())
        return vtkSmartPointer<vtkPolyData>::New();
    vtkNew<vtkDiscreteFlyingEdges3D> edges;
    edges->SetInputData(paddedIndicator(labels, extent, label, spacing));
    edges->SetValue(0, 1);
    vtkNew<vtkWindowedSincPolyDataFilter> smooth;
    smooth->SetInputConnection(edges->GetOutputPort());
    smooth->SetNumberOfIterations(12);
    smooth->SetPassBand(0.08);
    smooth->NonManifoldSmoothingOn();
    smooth->NormalizeCoordinatesOn();
    smooth->BoundarySmoothingOff();
    vtkNew<vtkPolyDataNormals> normals;
    normals->SetInputConnection(smooth->GetOutputPort());
    normals->SplittingOff();
    normals->Update();
    return normals->GetOutput();
}

} // namespace voxelscribe::scene3d
