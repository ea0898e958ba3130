#pragma once

#include "core/base/dtype.h"
#include "core/base/extent.h"
#include "core/model/class_info.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace voxelscribe::ops {

/// What to simulate. The structures are of one size in voxels (grains of about 30), whatever the extent.
struct PhantomSpec {
    Extent extent;
    std::uint64_t seed = 1;
};

/// The classes of a phantom: 1 pore, 2 grain, 3 second mineral, 4 crack.
enum PhantomClass : std::uint8_t { kPhantomPore = 1, kPhantomGrain = 2, kPhantomSecond = 3, kPhantomCrack = 4 };
std::vector<ClassInfo> phantomClasses();
/// The edge of its voxels, in micrometres.
constexpr double kPhantomVoxelUm = 0.65;

/// A simulated tomography stack: rounded grains of two minerals with pores between them and one crack through all slices,
/// then what a scan does to them in each slice: blur, cupping, rings, drift of the brightness, noise that grows with the signal.
/// Every slice comes out the same whatever was made before it and however many threads work.
class Phantom {
public:
    /// @throws Error(shape) for an empty extent.
    explicit Phantom(const PhantomSpec& spec);

    /// Makes slice `z`: grey values of about 0 to 1 and class ids, each y·x of them.
    void makeSlice(std::int64_t z, std::span<float> values, std::span<std::uint8_t> truth);

private:
    struct Grain {
        float x = 0;
        float y = 0;
        float dzSquared = 0;     ///< already in units of the grain's z radius
        float inverseRadiusY = 0;
        float inverseRadiusX = 0;
        bool second = false;
    };
    struct CrackRow {
        float x = 0;
        float halfWidth = 0;
    };

    void gatherGrains(std::int64_t z);
    float rowShift(std::int64_t z, std::int64_t y) const;
    CrackRow crackAt(std::int64_t z, std::int64_t y) const;
    void paintRow(std::int64_t z, std::int64_t y, std::span<float> scratch, std::span<float> values, std::span<std::uint8_t> truth) const;
    void makeRings(std::int64_t z);
    void degradeRow(std::int64_t z, std::int64_t y, std::span<float> values) const;

    PhantomSpec m_spec;
    std::vector<std::vector<Grain>> m_grains; ///< those that reach the slice, by row of the cell grid
    std::vector<float> m_clean;               ///< the slice, blurred along x
    std::vector<float> m_rings;               ///< by distance from the axis of rotation
};

/// Grey values as samples of `dtype`: floats as they are, integers scaled to 0.7 of the range (of 16 bits at the most) and saturated.
void phantomSamples(std::span<const float> values, DType dtype, std::span<std::byte> samples);

} // namespace voxelscribe::ops
