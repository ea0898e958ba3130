#include "core/nn/train_validation.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/log_softmax.h>
#include <algorithm>
#include <c10/core/GradMode.h>

namespace voxelscribe::nn {
namespace {

constexpr std::size_t kCalibrationCells = 16;

/// Sums over the labelled pixels.
struct Tally {
    explicit Tally(std::size_t classes) : loss(classes), pixels(classes), predicted(classes), hit(classes) {}

    std::vector<double> loss;
    std::vector<std::int64_t> pixels;
    std::vector<std::int64_t> predicted;
    std::vector<std::int64_t> hit;

    void add(const at::Tensor& logProbabilities, const std::vector<std::uint8_t>& labels)
    {
        const float* values = logProbabilities.data_ptr<float>();
        const auto area = std::ssize(labels);
        for (std::int64_t i = 0; i < area; ++i) {
            if (labels[static_cast<std::size_t>(i)] == 0)
                continue;
            const std::size_t truth = labels[static_cast<std::size_t>(i)] - 1U;
            std::size_t best = 0;
            for (std::size_t k = 1; k < loss.size(); ++k)
                if (values[static_cast<std::int64_t>(k) * area + i] > values[static_cast<std::int64_t>(best) * area + i])
                    best = k;
            loss[truth] -= values[static_cast<std::int64_t>(truth) * area + i];
            ++pixels[truth];
            ++predicted[best];
            hit[truth] += best == truth ? 1 : 0;
        }
    }

    Scores scores() const
    {
        Scores scores;
        std::int64_t present = 0;
        for (std::size_t k = 0; k < loss.size(); ++k) {
            scores.voxels += pixels[k];
            scores.iou.push_back(-1);
            if (pixels[k] == 0)
                continue;
            ++present;
            scores.loss += loss[k] / static_cast<double>(pixels[k]);
            scores.iou[k] = static_cast<double>(hit[k]) / static_cast<double>(pixels[k] + predicted[k] - hit[k]);
            scores.meanIou += scores.iou[k];
        }
        const auto count = static_cast<double>(std::max<std::int64_t>(1, present));
        scores.loss /= count;
        scores.meanIou /= count;
        return scores;
    }
};

at::Tensor inputOf(const std::vector<float>& image, const PixelRectangle& part)
{
    return at::from_blob(const_cast<float*>(image.data()), {1, 1, part.height, part.width}, at::kFloat); // only read
}

} // namespace

Scores validate(Network& network, const std::vector<ValidationCell>& cells, const Progress& progress)
{
    const c10::NoGradGuard noGradients;
    Tally tally(static_cast<std::size_t>(network.spec().classes));
    for (const ValidationCell& cell : cells) {
        progress.throwIfCancelled();
        const PixelRectangle& part = cell.place.part;
        const at::Tensor logits = network.forward(inputOf(cell.image, cell.input), Mode::evaluation)
                                      .narrow(2, part.y - cell.input.y, part.height)
                                      .narrow(3, part.x - cell.input.x, part.width);
        tally.add(at::log_softmax(logits, 1).contiguous(), cell.labels);
    }
    return tally.scores();
}

void recalibrate(Network& network, const std::vector<Cell>& cells, const Progress& progress)
{
    const c10::NoGradGuard noGradients;
    network.resetRunningStatistics();
    network.setMomentum(std::nullopt);
    const std::size_t step = std::max<std::size_t>(1, (cells.size() + kCalibrationCells - 1) / kCalibrationCells);
    for (std::size_t i = 0; i < cells.size(); i += step) {
        progress.throwIfCancelled();
        network.forward(inputOf(cells[i].image, cells[i].place.part), Mode::training);
    }
    network.setMomentum(0.1);
}

} // namespace voxelscribe::nn
