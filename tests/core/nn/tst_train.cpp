#include "core/base/error.h"
#include "core/nn/network.h"
#include "core/nn/predict.h"
#include "core/nn/train.h"
#include "core/nn/train_loop.h"

#include <ATen/Parallel.h>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <random>

using namespace voxelscribe;
using namespace voxelscribe::nn;
using nlohmann::json;

namespace {

/// Stops at its nth report and keeps the events.
class WatchingProgress : public SilentProgress {
public:
    explicit WatchingProgress(int reports = -1) : m_left(reports) {}
    void event(std::string_view name, const json& data) override { events.emplace_back(name, data); }
    std::int64_t count(const std::string& name) const
    {
        return std::count_if(events.begin(), events.end(), [&](const auto& event) { return event.first == name; });
    }
    std::vector<std::pair<std::string, json>> events;

protected:
    void report(std::string_view stage, std::int64_t, std::int64_t) override
    {
        if (stage == "train" && --m_left == 0)
            cancel();
    }

private:
    int m_left;
};

/// A stack of bright discs in noise, its truth (ids 2 and 9) and a few strokes of it.
struct Stack {
    Extent extent{3, 72, 90};
    std::shared_ptr<Volume> image;
    std::vector<std::uint8_t> truth;
    std::shared_ptr<Volume> strokes;
};

Stack discs()
{
    Stack stack;
    std::mt19937 random(5);
    std::normal_distribution<float> noise(0, 12);
    std::vector<float> grey;
    std::vector<std::uint16_t> strokes;
    for (std::int64_t z = 0; z < stack.extent.z; ++z)
        for (std::int64_t y = 0; y < stack.extent.y; ++y)
            for (std::int64_t x = 0; x < stack.extent.x; ++x) {
                const std::int64_t dy = (y + 5 * z) % 36 - 18;
                const std::int64_t dx = x % 30 - 15;
                const bool inside = dy * dy + dx * dx < 100;
                stack.truth.push_back(inside ? 9 : 2);
                grey.push_back((inside ? 140.0F : 90.0F) + noise(random));
                const bool stroke = z == 1 && (y == 31 || y == 13) && x % 30 > 11 && x % 30 < 20;
                strokes.push_back(stroke ? stack.truth.back() : std::uint16_t{0});
            }
    stack.image = makeMemoryVolume<float>(stack.extent, grey);
    stack.strokes = makeMemoryVolume<std::uint16_t>(stack.extent, strokes);
    return stack;
}

TrainSettings quick(int epochs)
{
    TrainSettings settings;
    settings.epochs = epochs;
    settings.hyperParameters = {{"depth", 2}, {"base_channels", 4}, {"window", 48}, {"batch", 4}};
    settings.network = "tunet";
    settings.seed = 3;
    return settings;
}

/// Share of pixels whose class the model gets right.
double accuracy(const Stack& stack, const std::filesystem::path& model)
{
    struct Counter : SliceSink {
        void take(const SliceResult& result) override
        {
            for (std::size_t i = 0; i < result.classIndex.size(); ++i)
                right += ids[result.classIndex[i]] == (*truth)[static_cast<std::size_t>(result.z) * result.classIndex.size() + i] ? 1 : 0;
        }
        const std::vector<std::uint8_t>* truth = nullptr;
        std::vector<std::uint16_t> ids;
        double right = 0;
    } counter;
    const ModelContract contract = readModelContract(model);
    counter.truth = &stack.truth;
    for (const ClassInfo& info : contract.classes)
        counter.ids.push_back(info.id);
    const auto network = Network::load(model);
    SilentProgress progress;
    PredictSettings settings;
    settings.slices = {0, 1, 2};
    predictSlices(*stack.image, *network->freeze(), contract, {64, network->halo()}, network->bytesPerPixel(), settings, counter, progress);
    return counter.right / static_cast<double>(stack.extent.voxels());
}

ErrorCode codeOf(const std::function<void()>& work, std::string* message = nullptr)
{
    try {
        work();
    } catch (const Error& error) {
        if (message != nullptr)
            *message = error.what();
        return error.code();
    }
    throw std::logic_error("no error was thrown");
}

} // namespace

class TestTrain : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void aStackIsLearntFromAFewStrokes_data()
    {
        QTest::addColumn<QString>("network");
        QTest::addColumn<QString>("settings");
        QTest::addColumn<int>("epochs");
        QTest::newRow("TUNet") << "tunet" << R"({"depth":2,"base_channels":4,"window":48,"batch":4})" << 12;
        QTest::newRow("MSDNet") << "msdnet" << R"({"num_layers":6,"max_dilation":4,"window":48,"batch":4})" << 20;
        QTest::newRow("TUNet from strokes alone") << "tunet" << R"({"depth":2,"base_channels":4,"window":48,"batch":4,"unlabelled_weight":0})" << 20;
    }

    void aStackIsLearntFromAFewStrokes()
    {
        QFETCH(QString, network);
        QFETCH(QString, settings);
        QFETCH(int, epochs);
        TrainSettings asked = quick(epochs);
        asked.network = network.toStdString();
        asked.hyperParameters = json::parse(settings.toStdString());
        asked.classes = {{9, "disc", 0x112233}};
        asked.provenance = {{"image", "discs"}};
        WatchingProgress progress;
        const auto target = model();
        const TrainResult result = trainModel(*m_stack.image, *m_stack.strokes, target, asked, progress);
        QCOMPARE(result.network, network.toStdString());
        QCOMPARE(result.epochs, epochs);
        QCOMPARE(progress.count("epoch"), epochs);
        QVERIFY(result.parameters > 0 && std::isfinite(result.loss) && result.seconds > 0);
        QVERIFY(result.labelledVoxels > 0 && result.labelledVoxels < 200);
        QVERIFY(!result.validation.at("note").get<std::string>().empty());
        const double share = accuracy(m_stack, target);
        QVERIFY2(share > 0.9, qPrintable(QString::number(share)));
    }

    void theModelKeepsItsContract()
    {
        TrainSettings asked = quick(1);
        asked.classes = {{9, "disc", 0x112233}};
        asked.provenance = {{"image", "discs"}};
        SilentProgress progress;
        const auto target = model();
        trainModel(*m_stack.image, *m_stack.strokes, target, asked, progress);
        const ModelContract contract = readModelContract(target);
        QCOMPARE(contract.classes.size(), std::size_t{2});
        QCOMPARE(contract.classes[0].id, 2); // ids may have gaps
        QCOMPARE(contract.classes[1].id, 9);
        QCOMPARE(contract.classes[1].name, "disc");
        QCOMPARE(contract.classes[1].colour, Rgb{0x112233});
        QCOMPARE(contract.dtype, "float32");
        QVERIFY(contract.halo > 0 && !contract.programVersion.empty());
        QVERIFY(contract.normalisation.high > contract.normalisation.low);
        QCOMPARE(contract.training.at("image"), "discs");
        QVERIFY(contract.training.at("labelledVoxels").at("9").get<int>() > 0);
        QCOMPARE(contract.training.at("seed"), 3);
    }

    void theSameSeedGivesTheSameWeights()
    {
        std::vector<std::map<std::string, TensorData>> models;
        for (const std::uint64_t seed : {3, 3, 4}) {
            TrainSettings asked = quick(2);
            asked.seed = seed;
            SilentProgress progress;
            const auto target = model();
            trainModel(*m_stack.image, *m_stack.strokes, target, asked, progress);
            models.push_back(readSafetensors(target).tensors);
        }
        const auto differing = [&](std::size_t other) {
            return std::count_if(models[0].begin(), models[0].end(), [&](const auto& entry) {
                return entry.second.bytes != models[other].at(entry.first).bytes;
            });
        };
        QCOMPARE(differing(1), 0);
        QVERIFY(differing(2) > 5);
    }

    void trainingGoesOnFromAModel()
    {
        const auto first = model();
        SilentProgress progress;
        trainModel(*m_stack.image, *m_stack.strokes, first, quick(12), progress);
        const auto second = model();
        TrainSettings asked;
        asked.epochs = 1;
        asked.hyperParameters = {{"window", 48}, {"batch", 4}};
        asked.initialModel = first;
        trainModel(*m_stack.image, *m_stack.strokes, second, asked, progress);
        QVERIFY(accuracy(m_stack, second) > 0.9); // one epoch alone would not do
        QCOMPARE(readModelContract(second).hyperParameters, readModelContract(first).hyperParameters);
    }

    void otherClassesKeepAllButTheLastLayer()
    {
        const auto first = model();
        SilentProgress progress;
        trainModel(*m_stack.image, *m_stack.strokes, first, quick(1), progress);
        auto strokes = readAs<std::uint16_t>(*m_stack.strokes, Region::whole(m_stack.extent));
        strokes[40] = strokes[41] = 5;
        TrainSettings asked = quick(1);
        asked.hyperParameters = {{"learning_rate", 1e-6}, {"window", 48}, {"batch", 2}};
        asked.initialModel = first;
        WatchingProgress watching;
        const auto second = model();
        trainModel(*m_stack.image, *makeMemoryVolume<std::uint16_t>(m_stack.extent, strokes), second, asked, watching);
        QCOMPARE(readModelContract(second).classes.size(), std::size_t{3});
        QVERIFY(watching.count("notice") >= 2); // another last layer, and a class of two voxels
        const auto before = readSafetensors(first).tensors.at("Encode_0.0.weight");
        const auto after = readSafetensors(second).tensors.at("Encode_0.0.weight");
        float worst = 0;
        for (std::size_t i = 0; i < before.bytes.size(); i += 4) {
            float a = 0;
            float b = 0;
            std::memcpy(&a, before.bytes.data() + i, 4);
            std::memcpy(&b, after.bytes.data() + i, 4);
            worst = std::max(worst, std::abs(a - b));
        }
        QVERIFY(worst < 1e-3F);
    }

    void contradictionsToTheInitialModelAreRefused_data()
    {
        QTest::addColumn<QString>("network");
        QTest::addColumn<QString>("settings");
        QTest::newRow("another network") << "msdnet" << "{}";
        QTest::newRow("another depth") << "" << R"({"depth":3})";
    }

    void contradictionsToTheInitialModelAreRefused()
    {
        QFETCH(QString, network);
        QFETCH(QString, settings);
        const auto first = model();
        SilentProgress progress;
        trainModel(*m_stack.image, *m_stack.strokes, first, quick(1), progress);
        TrainSettings asked;
        asked.epochs = 1;
        asked.network = network.toStdString();
        asked.hyperParameters = json::parse(settings.toStdString());
        asked.initialModel = first;
        const auto second = model();
        QCOMPARE(codeOf([&] { trainModel(*m_stack.image, *m_stack.strokes, second, asked, progress); }), ErrorCode::model);
        QVERIFY(!std::filesystem::exists(second));
    }

    void wrongRequestsAreRefused_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("said");
        QTest::newRow("unknown setting") << R"({"layers":3})" << "base_channels";
        QTest::newRow("depth of a network") << R"({"depth":99})" << "depth";
        QTest::newRow("batch") << R"({"batch":-1})" << "batch";
    }

    void wrongRequestsAreRefused()
    {
        QFETCH(QString, settings);
        QFETCH(QString, said);
        TrainSettings asked = quick(1);
        asked.hyperParameters = json::parse(settings.toStdString());
        SilentProgress progress;
        std::string message;
        const auto target = model();
        QCOMPARE(codeOf([&] { trainModel(*m_stack.image, *m_stack.strokes, target, asked, progress); }, &message), ErrorCode::model);
        QVERIFY2(message.find(said.toStdString()) != std::string::npos, message.c_str());
        QVERIFY(!std::filesystem::exists(target));
    }

    void cancellingStopsAtTheNextStepAndLeavesNoFile()
    {
        WatchingProgress progress(3);
        const auto target = model();
        QCOMPARE(codeOf([&] { trainModel(*m_stack.image, *m_stack.strokes, target, quick(1000), progress); }), ErrorCode::cancelled);
        QVERIFY(progress.count("epoch") <= 1);
        QVERIFY(!std::filesystem::exists(target));
    }

    void aTimedTrainingEndsInTime()
    {
        TrainSettings asked = quick(1);
        asked.epochs.reset();
        asked.seconds = 6;
        SilentProgress progress;
        const TrainResult result = trainModel(*m_stack.image, *m_stack.strokes, model(), asked, progress);
        QVERIFY2(result.seconds < 6 + 15, qPrintable(QString::number(result.seconds)));
        QVERIFY(result.epochs >= 1);
    }

    void anExplodingLossRewindsAndSaysSo()
    {
        const auto network = Network::create({"tunet", {{"depth", 2}, {"base_channels", 4}, {"normalization", "none"}}, 1, 2}, 1);
        TrainingData data = oneCell();
        // A pixel that is no number makes every loss that sees it infinite: the loop must give up with a reason, not with such weights.
        std::fill(data.cells[0].image.begin(), data.cells[0].image.end(), std::numeric_limits<float>::quiet_NaN());
        TrainBudget budget(std::nullopt, 3);
        WatchingProgress progress;
        QCOMPARE(codeOf([&] { TrainLoop(*network, data, {}, 1, budget, progress).run(); }), ErrorCode::model);
        QCOMPARE(progress.count("notice"), 5);
        for (const NamedTensor& named : network->state())
            QVERIFY(named.tensor.isfinite().all().item<bool>());
    }

    void theBestWeightsAreRestored()
    {
        // Validation wants the opposite of training: the longer the training, the worse it gets, so the first check must win.
        const auto network = Network::create({"tunet", {{"depth", 2}, {"base_channels", 4}}, 1, 2}, 1);
        const TrainingData plain = oneCell();
        TrainingData data = oneCell();
        ValidationCell cell{data.cells[0].place, data.cells[0].place.part, data.cells[0].image, data.cells[0].labels};
        for (std::uint8_t& label : cell.labels)
            label = label == 0 ? label : static_cast<std::uint8_t>(3 - label);
        data.validation = {cell};
        TrainBudget budget(std::nullopt, 20);
        WatchingProgress progress;
        TrainParameters parameters;
        parameters.window = 48;
        parameters.batch = 4;
        parameters.averaging = 0.5;
        const LoopResult result = TrainLoop(*network, data, parameters, 1, budget, progress).run();
        QVERIFY(result.validation);
        QVERIFY2(result.keptEpoch < 20, qPrintable(QString::number(result.keptEpoch)));
        const Scores kept = validate(*network, data.validation, progress);
        QVERIFY(std::abs(kept.loss - result.validation->loss) < 1e-4 * (1 + kept.loss)); // the weights are those that were scored
        double last = 0;
        for (const auto& [name, event] : progress.events)
            if (event.contains("validationLoss"))
                last = event.at("validationLoss").get<double>();
        QVERIFY(last > kept.loss);
    }

private:
    /// A new name for a model.
    std::filesystem::path model()
    {
        return (m_folder.path() + QStringLiteral("/Modell für Körner %1.safetensors").arg(++m_models)).toStdString();
    }

    /// 48 × 60, dark left and bright right, every pixel labelled.
    static TrainingData oneCell()
    {
        TrainingData data;
        Cell cell{{0, {0, 0, 48, 60}}, {}, {}, {}};
        for (int i = 0; i < 48 * 60; ++i) {
            cell.image.push_back(i % 60 < 30 ? 0.2F : 0.8F);
            cell.labels.push_back(i % 60 < 30 ? 1 : 2);
        }
        data.cells = {cell};
        return data;
    }

    Stack m_stack = discs();
    QTemporaryDir m_folder;
    int m_models = 0;
};

QTEST_GUILESS_MAIN(TestTrain)
#include "tst_train.moc"
