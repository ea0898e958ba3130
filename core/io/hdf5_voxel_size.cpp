#include "core/io/hdf5_attributes.h"
#include "core/io/hdf5_dataset.h"
#include "core/io/hdf5_tree.h"
#include "core/io/units.h"

#include <array>
#include <cmath>

namespace voxelscribe::io {

namespace {

std::optional<VoxelSizeUm> sizeOf(const std::vector<double>& zyx, double factor)
{
    if (zyx.size() != 3 || !(zyx[0] > 0 && zyx[1] > 0 && zyx[2] > 0))
        return std::nullopt;
    return VoxelSizeUm{zyx[0] * factor, zyx[1] * factor, zyx[2] * factor};
}

/// The step of a one-dimensional data set whose values are evenly spaced, in micrometres.
std::optional<double> stepUm(hid_t file, const std::string& name, std::int64_t length)
{
    const Hdf5Id axis(hdf5Exists(file, name) ? H5Dopen2(file, name.c_str(), H5P_DEFAULT) : -1);
    if (!axis)
        return std::nullopt;
    const Hdf5Id space(H5Dget_space(axis.get()));
    const Hdf5Id type(H5Dget_type(axis.get()));
    const H5T_class_t kind = H5Tget_class(type.get());
    const std::optional<double> factor = micrometresIn(hdf5Text(axis.get(), "units").value_or(""));
    constexpr std::int64_t kLongest = 1 << 20;
    if (!factor || length < 2 || length > kLongest || H5Sget_simple_extent_npoints(space.get()) != length || (kind != H5T_FLOAT && kind != H5T_INTEGER))
        return std::nullopt;
    std::vector<double> values(static_cast<std::size_t>(length));
    if (H5Dread(axis.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
        return std::nullopt;
    const double step = (values.back() - values.front()) / static_cast<double>(length - 1);
    for (std::size_t i = 1; i < values.size(); ++i)
        if (!(std::abs(values[i] - values[i - 1] - step) <= 1e-3 * std::abs(step)))
            return std::nullopt;
    return step != 0 ? std::optional(std::abs(step) * *factor) : std::nullopt;
}

/// NXdata: the group's attribute "axes" names one data set an axis.
std::optional<VoxelSizeUm> sizeByAxes(hid_t file, const std::string& name, const FoldedShape& shape)
{
    const std::size_t slash = name.rfind('/');
    const std::string folder = slash == 0 || slash == std::string::npos ? "/" : name.substr(0, slash);
    const Hdf5Id group(H5Gopen2(file, folder.c_str(), H5P_DEFAULT));
    const std::vector<std::string> axes = group ? hdf5Texts(group.get(), "axes") : std::vector<std::string>{};
    if (axes.size() != shape.shape().size())
        return std::nullopt;
    std::array<std::optional<double>, 3> steps;
    const std::vector<int> spatial = shape.spatialAxes();
    for (std::size_t i = 0; i < 3; ++i)
        if (spatial[i] >= 0) {
            const auto axis = static_cast<std::size_t>(spatial[i]);
            steps[i] = stepUm(file, hdf5Join(folder, axes[axis]), shape.shape()[axis]);
        }
    const bool isThin = shape.extent().z == 1; // one slice has no step along z
    if (!steps[1] || !steps[2] || (!steps[0] && !isThin))
        return std::nullopt;
    return VoxelSizeUm{steps[0].value_or(*steps[1]), *steps[1], *steps[2]};
}

} // namespace

std::optional<VoxelSizeUm> hdf5VoxelSize(hid_t file, hid_t dataset, const std::string& name, const FoldedShape& shape)
{
    if (const std::optional<double> factor = micrometresIn(hdf5Text(dataset, "unit").value_or("um")))
        if (const auto size = sizeOf(hdf5Numbers(dataset, "voxel_size"), *factor))
            return size;
    if (const auto size = sizeOf(hdf5Numbers(dataset, "element_size_um"), 1))
        return size;
    const auto size = sizeByAxes(file, name, shape);
    H5Eclear2(H5E_DEFAULT);
    return size;
}

} // namespace voxelscribe::io
