#include "app/engine/arguments.h"
#include "app/engine/command.h"
#include "core/io/open.h"
#include "core/ops/confusion.h"

#include <array>
#include <cstdio>
#include <vector>

namespace voxelscribe::engine {

using nlohmann::json;

namespace {

/// `evaluate`: compares a mask with the truth.
class EvaluateCommand : public Command {
public:
    void declare(CLI::App& app) override
    {
        app.add_option("--truth", m_truth, "the true classes: FILE, FOLDER or FILE::/data/set")->required();
        app.add_option("--prediction", m_prediction, "the mask to score, of the same shape")->required();
        app.add_option("--truth-offset", m_offset, "added to every value of the truth first")->capture_default_str();
        app.add_option("--slices", m_slices, "slices to score, for example 0,2,5:9 (9 excluded); by default all");
        app.add_option("--roi", m_roi, "part to score: z0:z1,y0:y1,x0:x1; an end left out is the volume's");
        app.add_option("--ignore", m_ignored, "values of the truth, after the offset, that are not scored")->delimiter(',');
    }

    json run(const CommonOptions&, Progress& progress) override
    {
        const VolumePtr truth = io::open(io::Source::parse(m_truth));
        const VolumePtr prediction = io::open(io::Source::parse(m_prediction));
        ops::CompareOptions options;
        options.truthOffset = m_offset;
        options.slices = parseSlices("--slices", m_slices, truth->extent().z);
        options.region = parseRoi("--roi", m_roi, truth->extent());
        options.ignored.insert(m_ignored.begin(), m_ignored.end());
        return resultOf(ops::compareMasks(*truth, *prediction, options, progress));
    }

    bool emitsEvents() const override { return false; }

    std::string text(const json& result) const override
    {
        std::string lines = numberLine("mean IoU", result.at("meanIoU"));
        lines += numberLine("accuracy", result.at("accuracy"));
        for (const auto& [id, iou] : result.at("iou").items())
            lines += numberLine("class " + id + " IoU", iou) + numberLine("class " + id + " Dice", result.at("dice").at(id));
        return lines;
    }

private:
    static std::string numberLine(const std::string& name, double value)
    {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), ": %.4f\n", value);
        return name + text.data();
    }

    static json resultOf(const ops::Confusion& confusion)
    {
        json iou = json::object();
        json dice = json::object();
        json counts = json::object();
        for (const ops::Confusion::ClassScore& score : confusion.scores()) {
            iou[std::to_string(score.id)] = score.iou;
            dice[std::to_string(score.id)] = score.dice;
        }
        for (const auto& [ids, count] : confusion.counts())
            counts[std::to_string(ids.first)][std::to_string(ids.second)] = count;
        return {{"meanIoU", confusion.meanIoU()}, {"iou", iou}, {"dice", dice}, {"accuracy", confusion.accuracy()},
                {"confusion", counts}, {"voxels", confusion.scored()}};
    }

    std::string m_truth;
    std::string m_prediction;
    std::int64_t m_offset = 0;
    std::string m_slices;
    std::string m_roi;
    std::vector<std::int64_t> m_ignored;
};

} // namespace

std::unique_ptr<Command> makeEvaluate()
{
    return std::make_unique<EvaluateCommand>();
}

} // namespace voxelscribe::engine
