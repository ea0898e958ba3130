#include "core/nn/teacher.h"

#include "core/nn/teacher_features.h"
#include "core/nn/teacher_forest.h"
#include "core/nn/teacher_guided.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

namespace voxelscribe::nn {
namespace {

constexpr std::size_t kMostSamplesOfClass = 4000;
constexpr double kMostTimeForForest = 0.6; // with what came before

struct Samples {
    std::vector<float> features;
    std::vector<std::uint8_t> classes;
};

/// Labelled pixels of all cells, thinned evenly per class.
std::vector<std::vector<std::size_t>> choosePixels(const std::vector<Cell>& cells, int classes, std::mt19937_64& random)
{
    struct Pixel {
        std::size_t cell;
        std::size_t at;
    };
    std::vector<std::vector<Pixel>> byClass(static_cast<std::size_t>(classes));
    for (std::size_t c = 0; c < cells.size(); ++c)
        for (std::size_t i = 0; i < cells[c].labels.size(); ++i)
            if (cells[c].labels[i] != 0)
                byClass[cells[c].labels[i] - 1U].push_back({c, i});
    std::vector<std::vector<std::size_t>> chosen(cells.size());
    for (auto& pixels : byClass) {
        if (pixels.size() > kMostSamplesOfClass) {
            std::shuffle(pixels.begin(), pixels.end(), random);
            pixels.resize(kMostSamplesOfClass);
        }
        for (const Pixel& pixel : pixels)
            chosen[pixel.cell].push_back(pixel.at);
    }
    for (auto& pixels : chosen)
        std::sort(pixels.begin(), pixels.end());
    return chosen;
}

FeaturePlanes featuresOf(const Cell& cell)
{
    return computeFeatures(cell.image, cell.place.part.height, cell.place.part.width);
}

std::vector<std::size_t> shuffled(std::size_t count, std::mt19937_64& random)
{
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    return order;
}

double timeUsed(const TeacherSettings& settings) { return settings.timeUsed ? settings.timeUsed() : 0; }

Samples collectSamples(const std::vector<Cell>& cells, const TeacherSettings& settings, std::mt19937_64& random, Progress& progress)
{
    constexpr double kMostTime = 0.4;
    const auto chosen = choosePixels(cells, settings.classes, random);
    Samples samples;
    for (const std::size_t c : shuffled(cells.size(), random)) {
        progress.throwIfCancelled();
        if (chosen[c].empty() || (!samples.classes.empty() && timeUsed(settings) > kMostTime))
            continue;
        const FeaturePlanes planes = featuresOf(cells[c]);
        for (const std::size_t pixel : chosen[c]) {
            samples.features.resize(samples.features.size() + static_cast<std::size_t>(kFeatureCount));
            planes.gather(static_cast<std::int64_t>(pixel), samples.features.data() + samples.features.size() - kFeatureCount);
            samples.classes.push_back(static_cast<std::uint8_t>(cells[c].labels[pixel] - 1));
        }
    }
    return samples;
}

/// The forest's probabilities, a plane a class.
std::vector<float> probabilityPlanes(const Forest& forest, const FeaturePlanes& planes, const Progress& progress)
{
    const std::int64_t classes = forest.classCount();
    std::vector<float> result(static_cast<std::size_t>(classes * planes.pixels));
    constexpr std::int64_t kRowsAtOnce = 1 << 14;
    std::vector<float> rows;
    std::vector<float> answers;
    for (std::int64_t from = 0; from < planes.pixels; from += kRowsAtOnce) {
        progress.throwIfCancelled();
        const std::int64_t count = std::min(kRowsAtOnce, planes.pixels - from);
        rows.resize(static_cast<std::size_t>(count * planes.count));
        answers.resize(static_cast<std::size_t>(count * classes));
        for (std::int64_t i = 0; i < count; ++i)
            planes.gather(from + i, rows.data() + i * planes.count);
        forest.probabilities(rows, answers);
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t k = 0; k < classes; ++k)
                result[static_cast<std::size_t>(k * planes.pixels + from + i)] = answers[static_cast<std::size_t>(i * classes + k)];
    }
    return result;
}

/// Densely labelled cells have nothing to ask.
bool needsOpinions(const Cell& cell)
{
    return cell.labels.empty() || std::count(cell.labels.begin(), cell.labels.end(), std::uint8_t{0}) > std::ssize(cell.labels) / 20;
}

void formOpinions(Cell& cell, const Forest& forest, const Progress& progress)
{
    const PixelRectangle& part = cell.place.part;
    std::vector<float> probabilities = probabilityPlanes(forest, featuresOf(cell), progress);
    refineByGuide(cell.image, part.height, part.width, probabilities);
    const auto pixels = static_cast<std::size_t>(part.pixels());
    cell.opinions.resize(probabilities.size());
    for (std::size_t i = 0; i < pixels; ++i) {
        float sum = 0;
        for (std::size_t at = i; at < probabilities.size(); at += pixels)
            sum += probabilities[at];
        for (std::size_t at = i; at < probabilities.size(); at += pixels)
            cell.opinions[at] = sum > 0 ? static_cast<std::uint8_t>(std::lround(255 * probabilities[at] / sum)) : std::uint8_t{0};
    }
}

} // namespace

std::int64_t spreadLabels(std::vector<Cell>& cells, const TeacherSettings& settings, Progress& progress)
{
    std::mt19937_64 random(settings.seed);
    progress.update("prepare", 0, std::ssize(cells));
    const Samples samples = collectSamples(cells, settings, random, progress);
    if (std::set<std::uint8_t>(samples.classes.begin(), samples.classes.end()).size() < 2)
        return 0;
    const Forest forest = Forest::grow(samples.features, samples.classes, kFeatureCount, settings.classes,
                                       {settings.trees, 2, settings.seed}, [&] {
                                           progress.throwIfCancelled();
                                           return timeUsed(settings) < kMostTimeForForest;
                                       });
    std::int64_t done = 0;
    std::int64_t formed = 0;
    for (const std::size_t c : shuffled(cells.size(), random)) {
        if (timeUsed(settings) >= 1)
            break;
        if (needsOpinions(cells[c])) {
            formOpinions(cells[c], forest, progress);
            ++formed;
        }
        progress.update("prepare", ++done, std::ssize(cells));
    }
    return formed;
}

} // namespace voxelscribe::nn
