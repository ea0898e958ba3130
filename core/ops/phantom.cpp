#include "core/ops/phantom.h"

#include "core/base/error.h"
#include "core/ops/random_hash.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace voxelscribe::ops {

namespace {

constexpr std::int64_t kCell = 28;         // one grain in each cell of this edge
constexpr float kMinRadius = 13.5F;        // times 0.9 to 1.15 along each axis
constexpr float kMaxRadius = 20.0F;
constexpr float kMaxReach = kMaxRadius * 1.15F + 1.0F;
constexpr float kSecondShare = 0.2F;
constexpr float kEdgeSlope = 8.0F;         // half a mean radius: turns the grains' quadratic distance into voxels near their surface
constexpr float kFar = 4.0F;               // a quadratic distance beyond every surface
static_assert(kMaxReach < kCell, "a grain must not reach further than the next cell");

// Grey values. Pores hold resin, the crack is younger and holds air.
constexpr float kCrackGrey = 0.08F;
constexpr float kPoreGrey = 0.30F;
constexpr float kGrainGrey = 0.55F;
constexpr float kSecondGrey = 0.82F;

constexpr float kNoiseFloor = 0.0006F;     // variance without signal
constexpr float kNoiseGain = 0.0038F;      // variance per grey value: counts of photons
constexpr float kRingAmplitude = 0.035F;
constexpr std::int64_t kRingSlices = 24;   // the detector's faults change over so many slices
constexpr std::int64_t kParallelFrom = 1 << 20; // voxels of a slice: below, waiting for one another costs the threads more than they gain
constexpr float kCupping = 0.06F;
constexpr float kDrift = 0.04F;

std::int64_t floorDiv(std::int64_t a, std::int64_t b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

float coverage(float distance)
{
    return std::clamp(0.5F + distance, 0.0F, 1.0F);
}

} // namespace

std::vector<ClassInfo> phantomClasses()
{
    std::vector<ClassInfo> classes;
    for (const auto& [id, name] : {std::pair{kPhantomPore, "pore"}, std::pair{kPhantomGrain, "grain"},
                                   std::pair{kPhantomSecond, "second mineral"}, std::pair{kPhantomCrack, "crack"}})
        classes.push_back({id, name, defaultClassColour(id), true, false});
    return classes;
}

Phantom::Phantom(const PhantomSpec& spec) : m_spec(spec)
{
    if (spec.extent.isEmpty())
        throw Error(ErrorCode::shape, "a phantom of " + spec.extent.text() + " voxels holds nothing; expected at least 1×1×1");
}

void Phantom::gatherGrains(std::int64_t z)
{
    const std::int64_t cellsY = m_spec.extent.y / kCell + 3; // one row before and behind the slice
    const std::int64_t cellsX = m_spec.extent.x / kCell + 3;
    m_grains.resize(static_cast<std::size_t>(cellsY));
    for (std::int64_t row = 0; row < cellsY; ++row) {
        std::vector<Grain>& grains = m_grains[static_cast<std::size_t>(row)];
        grains.clear();
        for (std::int64_t cz = floorDiv(z, kCell) - 1; cz <= floorDiv(z, kCell) + 1; ++cz)
            for (std::int64_t cx = -1; cx < cellsX - 1; ++cx) {
                const std::uint64_t place = hashOf(m_spec.seed, cz, row - 1, cx);
                const std::uint64_t form = hash64(place);
                const float radius = kMinRadius + (kMaxRadius - kMinRadius) * unitFloat(form, 0);
                const auto along = [&](unsigned part) { return 1.0F / (radius * (0.9F + 0.25F * unitFloat(form, part))); };
                const float dz = (static_cast<float>(cz * kCell - z) + static_cast<float>(kCell) * unitFloat(place, 0)) * along(1);
                if (dz * dz < kFar)
                    grains.push_back({static_cast<float>(cx * kCell) + static_cast<float>(kCell) * unitFloat(place, 2),
                                      static_cast<float>((row - 1) * kCell) + static_cast<float>(kCell) * unitFloat(place, 1),
                                      dz * dz, along(2), along(3), unitFloat(place, 3) < kSecondShare});
            }
    }
}

float Phantom::rowShift(std::int64_t z, std::int64_t y) const
{
    const auto fy = static_cast<float>(y);
    const auto fz = static_cast<float>(z);
    return 2.2F * std::sin(fy / 7.3F + fz / 11.0F) + 1.6F * std::sin(fy / 4.1F - fz / 6.7F);
}

Phantom::CrackRow Phantom::crackAt(std::int64_t z, std::int64_t y) const
{
    const auto width = static_cast<float>(m_spec.extent.x);
    const auto fy = static_cast<float>(y);
    const auto fz = static_cast<float>(z);
    const std::uint64_t hash = hashOf(m_spec.seed, 4, 4, 4);
    const auto phase = [hash](unsigned part) { return 6.2831853F * unitFloat(hash, part); };
    const float bends = 12.0F * std::sin(fy / 31.0F + fz / 47.0F + phase(0)) + 6.0F * std::sin(fy / 13.0F - fz / 23.0F + phase(1))
                        + 30.0F * std::sin(fz / 150.0F + phase(2));
    const float slope = 0.3F * width * (fy / static_cast<float>(m_spec.extent.y) - 0.5F);
    return {0.5F * width + slope + bends * std::min(1.0F, width / 192.0F),
            3.4F + 0.8F * std::sin(fy / 40.0F + fz / 30.0F + phase(3))};
}

void Phantom::paintRow(std::int64_t z, std::int64_t y, std::span<float> scratch, std::span<float> values,
                       std::span<std::uint8_t> truth) const
{
    const std::int64_t width = m_spec.extent.x;
    float* const matrix = scratch.data();        // smallest quadratic distances to a grain's middle, 1 at its surface
    float* const second = scratch.data() + width;
    std::fill(scratch.begin(), scratch.end(), kFar);
    const float shift = rowShift(z, y);
    for (std::int64_t row = y / kCell; row <= y / kCell + 2; ++row)
        for (const Grain& grain : m_grains[static_cast<std::size_t>(row)]) {
            const float dy = (static_cast<float>(y) - grain.y) * grain.inverseRadiusY;
            const float rest = grain.dzSquared + dy * dy;
            if (rest >= 1.3F)
                continue;
            const float half = std::sqrt(1.3F - rest) / grain.inverseRadiusX;
            const auto from = std::max<std::int64_t>(0, std::llround(grain.x + shift - half));
            const auto to = std::min<std::int64_t>(width, std::llround(grain.x + shift + half) + 1);
            float* const nearest = grain.second ? second : matrix;
            const float weight = grain.inverseRadiusX * grain.inverseRadiusX;
            const float middle = grain.x + shift;
#pragma omp simd
            for (std::int64_t x = from; x < to; ++x) {
                const float dx = static_cast<float>(static_cast<std::int32_t>(x)) - middle;
                nearest[x] = std::min(nearest[x], rest + dx * dx * weight);
            }
        }
    const CrackRow crack = crackAt(z, y);
#pragma omp simd
    for (std::int64_t x = 0; x < width; ++x) {
        const float inGrain = (1.0F - matrix[x]) * kEdgeSlope;
        const float inSecond = std::min(1.0F - second[x], matrix[x] - second[x]) * kEdgeSlope;
        const float inCrack = crack.halfWidth - std::abs(static_cast<float>(static_cast<std::int32_t>(x)) - crack.x);
        float value = kPoreGrey + (kGrainGrey - kPoreGrey) * coverage(inGrain);
        value += (kSecondGrey - value) * coverage(inSecond);
        value += (kCrackGrey - value) * coverage(inCrack);
        values[static_cast<std::size_t>(x)] = value;
        const int solid = inSecond > 0 ? kPhantomSecond : inGrain > 0 ? kPhantomGrain : kPhantomPore;
        truth[static_cast<std::size_t>(x)] = static_cast<std::uint8_t>(inCrack > 0 ? static_cast<int>(kPhantomCrack) : solid);
    }
}

namespace {

/// Binomial blur (1, 2, 1) of a row in place; the row goes on beyond its ends with its last values.
void blurRow(std::span<float> row)
{
    float before = row.front();
    for (std::size_t x = 0; x < row.size(); ++x) {
        const float here = row[x];
        const float behind = x + 1 < row.size() ? row[x + 1] : here;
        row[x] = 0.25F * (before + behind) + 0.5F * here;
        before = here;
    }
}

} // namespace

void Phantom::makeRings(std::int64_t z)
{
    const double farthest = std::hypot(static_cast<double>(m_spec.extent.y), static_cast<double>(m_spec.extent.x));
    m_rings.resize(static_cast<std::size_t>(farthest / 2) + 3);
    const std::int64_t block = z / kRingSlices;
    const float weight = static_cast<float>(z % kRingSlices) / static_cast<float>(kRingSlices);
    for (std::size_t radius = 0; radius < m_rings.size(); ++radius) {
        const auto fault = [&](std::int64_t at) {
            const std::uint64_t hash = hashOf(m_spec.seed + 1, at, static_cast<std::int64_t>(radius));
            const float size = unitFloat(hash, 0) < 0.12F ? 1.0F : 0.25F; // a few bad pixels, many that differ a little
            return size * (2.0F * unitFloat(hash, 1) - 1.0F);
        };
        m_rings[radius] = kRingAmplitude * ((1.0F - weight) * fault(block) + weight * fault(block + 1));
    }
}

void Phantom::degradeRow(std::int64_t z, std::int64_t y, std::span<float> values) const
{
    const std::int64_t width = m_spec.extent.x;
    const std::int64_t height = m_spec.extent.y;
    const float* const above = m_clean.data() + std::max<std::int64_t>(0, y - 1) * width;
    const float* const here = m_clean.data() + y * width;
    const float* const below = m_clean.data() + std::min(height - 1, y + 1) * width;
    const float dy = static_cast<float>(y) - 0.5F * static_cast<float>(height);
    const float middle = 0.5F * static_cast<float>(width);
    const float outermost = static_cast<float>(m_rings.size());
    const float gain = 1.0F + kDrift * std::sin(static_cast<float>(z) / 15.0F) - 0.5F * kCupping;
    const float cupping = kCupping / (outermost * outermost);
    const auto key = static_cast<std::uint32_t>(hashOf(m_spec.seed + 2, z, y));
#pragma omp simd
    for (std::int64_t x = 0; x < width; ++x) {
        const auto column = static_cast<std::int32_t>(x);
        const float dx = static_cast<float>(column) - middle;
        const float squared = dx * dx + dy * dy;
        const float clean = 0.25F * (above[x] + below[x]) + 0.5F * here[x];
        const float value = clean * (gain + cupping * squared) + m_rings[static_cast<std::size_t>(static_cast<std::int32_t>(std::sqrt(squared)))];
        const std::uint32_t bits = hash32(key + static_cast<std::uint32_t>(column));
        const auto sum = static_cast<std::int32_t>((bits & 255U) + (bits >> 8U & 255U) + (bits >> 16U & 255U) + (bits >> 24U));
        constexpr float kUnit = 1.0F / 147.8F; // four bytes sum to 510 ± 147.8, close to a normal distribution
        const float noise = static_cast<float>(sum - 510) * kUnit;
        values[static_cast<std::size_t>(x)] = value + noise * std::sqrt(kNoiseFloor + kNoiseGain * std::max(0.0F, value));
    }
}

void Phantom::makeSlice(std::int64_t z, std::span<float> values, std::span<std::uint8_t> truth)
{
    const std::int64_t height = m_spec.extent.y;
    const std::int64_t width = m_spec.extent.x;
    gatherGrains(z);
    makeRings(z);
    m_clean.resize(static_cast<std::size_t>(height * width));
#pragma omp parallel if (height * width >= kParallelFrom)
    {
        std::vector<float> scratch(static_cast<std::size_t>(2 * width));
#pragma omp for schedule(dynamic, 16)
        for (std::int64_t y = 0; y < height; ++y) {
            const auto at = static_cast<std::size_t>(y * width);
            const std::span<float> row(m_clean.data() + at, static_cast<std::size_t>(width));
            paintRow(z, y, scratch, row, truth.subspan(at, static_cast<std::size_t>(width)));
            blurRow(row);
        }
#pragma omp for schedule(dynamic, 16)
        for (std::int64_t y = 0; y < height; ++y)
            degradeRow(z, y, values.subspan(static_cast<std::size_t>(y * width), static_cast<std::size_t>(width)));
    }
}

void phantomSamples(std::span<const float> values, DType dtype, std::span<std::byte> samples)
{
    if (samples.size() != values.size() * dtypeSize(dtype))
        throw Error(ErrorCode::shape, "the buffer has " + std::to_string(samples.size()) + " bytes, " + std::to_string(values.size())
                                          + " samples of " + std::string(dtypeName(dtype)) + " need more or fewer");
    visitDType(dtype, [&](auto sample) {
        using T = decltype(sample);
        T* const out = reinterpret_cast<T*>(samples.data());
        const auto count = static_cast<std::int64_t>(values.size());
        if constexpr (std::is_floating_point_v<T>) {
            for (std::int64_t i = 0; i < count; ++i)
                out[i] = static_cast<T>(values[static_cast<std::size_t>(i)]);
        } else {
            const float largest = static_cast<float>(std::min<double>(static_cast<double>(std::numeric_limits<T>::max()), 65535.0));
#pragma omp parallel for simd schedule(static) if (count >= kParallelFrom)
            for (std::int64_t i = 0; i < count; ++i)
                out[i] = static_cast<T>(static_cast<std::int32_t>(
                    std::clamp(values[static_cast<std::size_t>(i)] * 0.7F * largest + 0.5F, 0.0F, largest)));
        }
    });
}

} // namespace voxelscribe::ops
