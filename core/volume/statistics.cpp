#include "core/volume/statistics.h"

#include "core/base/hash.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>

namespace voxelscribe {

namespace {

static_assert(std::endian::native == std::endian::little, "the digest is defined over little-endian samples");

/// What is read at once. A block of chunks thicker than a slice is read whole as long as it stays below this.
constexpr std::int64_t kBandBytes = std::int64_t{32} << 20;

std::vector<std::int64_t> chosenSlices(std::int64_t depth, std::int64_t wanted)
{
    std::vector<std::int64_t> slices;
    const std::int64_t count = wanted > 0 ? std::min(wanted, depth) : depth;
    for (std::int64_t i = 0; i < count; ++i)
        slices.push_back(count == depth ? i : (2 * i + 1) * depth / (2 * count));
    return slices;
}

using BandFunction = std::function<void(std::span<const std::byte>)>;

/// Hands `slices` to `f` in C order, in bands of rows or in blocks of whole slices.
class BandReader {
public:
    BandReader(const Volume& volume, std::vector<std::int64_t> slices, Progress& progress, std::int64_t passes)
        : m_volume(volume), m_slices(std::move(slices)), m_progress(progress),
          m_total(passes * static_cast<std::int64_t>(m_slices.size()))
    {
    }

    void read(const BandFunction& f)
    {
        const Extent& extent = m_volume.extent();
        const auto size = static_cast<std::int64_t>(dtypeSize(m_volume.info().dtype));
        const std::int64_t sliceBytes = checkedProduct(extent.y, extent.x, "slice") * size;
        const std::int64_t depth = std::max<std::int64_t>(1, m_volume.info().chunk.z);
        const bool allSlices = static_cast<std::int64_t>(m_slices.size()) == extent.z;
        if (allSlices && depth * sliceBytes <= kBandBytes)
            readBlocks(std::max(depth, std::min<std::int64_t>(8, kBandBytes / sliceBytes / depth) * depth), f);
        else
            readSlices(size, f);
    }

private:
    void readBlocks(std::int64_t depth, const BandFunction& f)
    {
        const Extent& extent = m_volume.extent();
        for (std::int64_t z = 0; z < extent.z; z += depth) {
            const std::int64_t count = std::min(depth, extent.z - z);
            readBand({{z, 0, 0}, {count, extent.y, extent.x}}, f);
            m_progress.update("statistics", m_done += count, m_total);
        }
    }

    void readSlices(std::int64_t size, const BandFunction& f)
    {
        const Extent& extent = m_volume.extent();
        std::int64_t rows = std::clamp<std::int64_t>(kBandBytes / (extent.x * size), 1, extent.y);
        if (const std::int64_t chunk = m_volume.info().chunk.y; chunk > 0 && rows > chunk)
            rows -= rows % chunk;
        for (const std::int64_t z : m_slices) {
            for (std::int64_t y = 0; y < extent.y; y += rows) {
                readBand({{z, y, 0}, {1, std::min(rows, extent.y - y), extent.x}}, f);
                m_progress.throwIfCancelled();
            }
            m_progress.update("statistics", ++m_done, m_total);
        }
    }

    void readBand(const Region& region, const BandFunction& f)
    {
        m_band.resize(static_cast<std::size_t>(region.extent.voxels()) * dtypeSize(m_volume.info().dtype));
        m_volume.read(region, m_band);
        f(m_band);
    }

    const Volume& m_volume;
    std::vector<std::int64_t> m_slices;
    Progress& m_progress;
    std::int64_t m_total;
    std::int64_t m_done = 0;
    std::vector<std::byte> m_band;
};

template <typename T>
constexpr bool kNarrow = std::is_integral_v<T> && sizeof(T) <= 2;
/// Values of a narrow type, its lowest first.
template <typename T>
constexpr std::size_t kValues = kNarrow<T> ? std::size_t{1} << (8 * sizeof(T)) : 0;

template <typename T>
bool isFinite(T value)
{
    if constexpr (std::is_floating_point_v<T>)
        return std::isfinite(value);
    return true;
}

/// Moments of floats and wide integers, a thread's share or all.
template <typename T>
struct Moments {
    T min = std::numeric_limits<T>::max();
    T max = std::numeric_limits<T>::lowest();
    double sum = 0;
    std::int64_t finite = 0;

    void add(T value)
    {
        min = std::min(min, value);
        max = std::max(max, value);
        sum += static_cast<double>(value);
        ++finite;
    }
    void add(const Moments& other)
    {
        min = std::min(min, other.min);
        max = std::max(max, other.max);
        sum += other.sum;
        finite += other.finite;
    }
};

template <typename T>
void addBand(std::span<const T> band, Moments<T>& moments)
{
    const auto count = static_cast<std::int64_t>(band.size());
    constexpr std::int64_t kPiece = 1 << 16; // short partial sums keep the mean of float32 data accurate
    const std::int64_t pieces = (count + kPiece - 1) / kPiece;
    std::vector<Moments<T>> parts(static_cast<std::size_t>(pieces));
    #pragma omp parallel for schedule(static)
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
        Moments<T> part;
        for (std::int64_t i = piece * kPiece; i < std::min(count, (piece + 1) * kPiece); ++i)
            if (const T value = band[static_cast<std::size_t>(i)]; isFinite(value))
                part.add(value);
        parts[static_cast<std::size_t>(piece)] = part;
    }
    for (const Moments<T>& part : parts) // in order: the same sum whatever the number of threads
        moments.add(part);
}

/// Counts `binOf(value)` of every sample; `binOf` gives -1 for what is not counted.
template <typename T, typename BinOf>
void countBand(std::span<const T> band, std::vector<std::int64_t>& counts, const BinOf& binOf)
{
    const auto count = static_cast<std::int64_t>(band.size());
    #pragma omp parallel
    {
        std::vector<std::int64_t> part(counts.size());
        #pragma omp for schedule(static) nowait
        for (std::int64_t i = 0; i < count; ++i)
            if (const std::int64_t bin = binOf(band[static_cast<std::size_t>(i)]); bin >= 0)
                ++part[static_cast<std::size_t>(bin)];
        #pragma omp critical(voxelscribe_histogram)
        for (std::size_t bin = 0; bin < counts.size(); ++bin)
            counts[bin] += part[bin];
    }
}

template <typename T>
std::span<const T> typed(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

/// Exact statistics of a narrow integer type from the counts of all its values.
template <typename T>
void summarise(const std::vector<std::int64_t>& counts, bool histogram, VolumeStatistics& statistics)
{
    const auto counted = [](std::int64_t count) { return count > 0; };
    const auto first = std::find_if(counts.begin(), counts.end(), counted);
    if (first == counts.end())
        return;
    const auto last = std::find_if(counts.rbegin(), counts.rend(), counted).base();
    constexpr double kLowest = std::numeric_limits<T>::lowest();
    statistics.min = kLowest + static_cast<double>(first - counts.begin());
    statistics.max = kLowest + static_cast<double>(last - counts.begin() - 1);
    long double sum = 0;
    for (auto at = first; at != last; ++at) {
        statistics.finite += *at;
        sum += static_cast<long double>(*at) * (kLowest + static_cast<double>(at - counts.begin()));
    }
    statistics.mean = static_cast<double>(sum / static_cast<long double>(statistics.finite));
    if (histogram) {
        statistics.histogram.assign(first, last);
        statistics.oneBinPerValue = true;
    }
}

template <typename T>
void countNarrow(BandReader& reader, const StatisticsOptions& options, Hash* hash, VolumeStatistics& statistics)
{
    std::vector<std::int64_t> counts(kValues<T>);
    reader.read([&](std::span<const std::byte> band) {
        if (hash != nullptr)
            hash->add(band);
        countBand<T>(typed<T>(band), counts, [](T value) { return std::int64_t{value} - std::numeric_limits<T>::lowest(); });
    });
    summarise<T>(counts, options.histogramBins > 0, statistics);
}

template <typename T>
void countWide(BandReader& reader, const StatisticsOptions& options, Hash* hash, VolumeStatistics& statistics)
{
    Moments<T> moments;
    std::int64_t samples = 0;
    reader.read([&](std::span<const std::byte> band) {
        if (hash != nullptr)
            hash->add(band);
        addBand<T>(typed<T>(band), moments);
        samples += static_cast<std::int64_t>(band.size() / sizeof(T));
    });
    statistics.finite = moments.finite;
    statistics.nonfinite = samples - moments.finite;
    if (moments.finite == 0)
        return;
    statistics.min = static_cast<double>(moments.min);
    statistics.max = static_cast<double>(moments.max);
    statistics.mean = moments.sum / static_cast<double>(moments.finite);
    if (options.histogramBins <= 0)
        return;
    const auto bins = static_cast<double>(options.histogramBins);
    const double span = statistics.max - statistics.min;
    const double scale = span > 0 && std::isfinite(bins / span) ? bins / span : 0;
    statistics.histogram.assign(static_cast<std::size_t>(options.histogramBins), 0);
    reader.read([&](std::span<const std::byte> band) {
        countBand<T>(typed<T>(band), statistics.histogram, [&](T value) {
            if (!isFinite(value))
                return std::int64_t{-1};
            return static_cast<std::int64_t>(std::min(bins - 1, (static_cast<double>(value) - statistics.min) * scale));
        });
    });
}

} // namespace

double VolumeStatistics::percentile(double fraction) const
{
    if (histogram.empty() || finite == 0)
        return std::numeric_limits<double>::quiet_NaN();
    const double wanted = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(finite);
    const double width = oneBinPerValue ? 1 : (max - min) / static_cast<double>(histogram.size());
    double below = 0;
    for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
        const auto inside = static_cast<double>(histogram[bin]);
        if (inside > 0 && below + inside >= wanted) {
            const double share = oneBinPerValue ? 0 : (wanted - below) / inside;
            return std::min(max, min + (static_cast<double>(bin) + share) * width);
        }
        below += inside;
    }
    return max;
}

VolumeStatistics computeStatistics(const Volume& volume, const StatisticsOptions& options, Progress& progress)
{
    const std::vector<std::int64_t> slices = chosenSlices(volume.extent().z, options.sampleSlices);
    const bool all = static_cast<std::int64_t>(slices.size()) == volume.extent().z;
    std::optional<Hash> hash;
    if (options.sha1 && all)
        hash.emplace(Hash::Kind::sha1);
    VolumeStatistics statistics;
    visitDType(volume.info().dtype, [&](auto sample) {
        using T = decltype(sample);
        Hash* digest = hash ? &*hash : nullptr;
        BandReader reader(volume, slices, progress, kNarrow<T> || options.histogramBins <= 0 ? 1 : 2);
        if constexpr (kNarrow<T>)
            countNarrow<T>(reader, options, digest, statistics);
        else
            countWide<T>(reader, options, digest, statistics);
    });
    if (hash)
        statistics.sha1 = hash->hex();
    return statistics;
}

} // namespace voxelscribe
