#include "widgets/scene3d/surfaces.h"

#include <algorithm>
#include <array>
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

int otsuThreshold(const std::vector<std::uint8_t>& greys)
{
    std::array<double, 256> histogram{};
    double sum = 0;
    for (const std::uint8_t grey : greys) {
        histogram[grey] += 1;
        sum += grey;
    }
    double below = 0;
    double sumBelow = 0;
    double best = -1;
    int threshold = 0;
    for (int grey = 0; grey < 255; ++grey) {
        below += histogram[static_cast<std::size_t>(grey)];
        sumBelow += grey * histogram[static_cast<std::size_t>(grey)];
        const double above = static_cast<double>(greys.size()) - below;
        if (below == 0 || above == 0)
            continue;
        const double apart = sumBelow / below - (sum - sumBelow) / above;
        if (below * above * apart * apart > best) {
            best = below * above * apart * apart;
            threshold = grey;
        }
    }
    return threshold;
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

vtkSmartPointer<vtkPolyData> imageSurfaceOf(const std::vector<std::uint8_t>& greys, const Extent& extent, const VoxelSizeUm& spacing)
{
    constexpr std::int64_t kLargestEdge = 96;
    const auto stepOf = [](std::int64_t edge) { return (edge + kLargestEdge - 1) / kLargestEdge; };
    const Extent step{stepOf(extent.z), stepOf(extent.y), stepOf(extent.x)};
    const Extent coarse{extent.z / step.z, extent.y / step.y, extent.x / step.x};
    const int threshold = otsuThreshold(greys);
    std::vector<std::uint8_t> bright;
    bright.reserve(static_cast<std::size_t>(coarse.voxels()));
    for (std::int64_t z = 0; z < coarse.z; ++z)
        for (std::int64_t y = 0; y < coarse.y; ++y)
            for (std::int64_t x = 0; x < coarse.x; ++x) {
                int sum = 0;
                for (std::int64_t dz = 0; dz < step.z; ++dz)
                    for (std::int64_t dy = 0; dy < step.y; ++dy)
                        for (std::int64_t dx = 0; dx < step.x; ++dx)
                            sum += greys[static_cast<std::size_t>(((z * step.z + dz) * extent.y + y * step.y + dy) * extent.x + x * step.x + dx)];
                bright.push_back(sum > threshold * static_cast<int>(step.voxels()) ? std::uint8_t{1} : std::uint8_t{0});
            }
    const VoxelSizeUm size{spacing.z * static_cast<double>(step.z), spacing.y * static_cast<double>(step.y), spacing.x * static_cast<double>(step.x)};
    return surfaceOf(bright, coarse, 1, size);
}

} // namespace voxelscribe::scene3d
