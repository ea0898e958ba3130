#include "core/base/error.h"
#include "core/nn/predict.h"
#include "support/random_model.h"

#include <QtTest/QtTest>

#include <map>
#include <random>

using namespace voxelscribe;
using namespace voxelscribe::nn;
using nlohmann::json;

namespace {

struct Kept {
    std::vector<std::uint8_t> classIndex;
    std::vector<std::uint8_t> confidence;
    std::vector<float> probabilities;
    bool operator==(const Kept&) const = default;
};

class KeepingSink : public SliceSink {
public:
    void take(const SliceResult& result) override
    {
        order.push_back(result.z);
        slices[result.z] = {{result.classIndex.begin(), result.classIndex.end()}, {result.confidence.begin(), result.confidence.end()},
                            {result.probabilities.begin(), result.probabilities.end()}};
    }
    std::vector<std::int64_t> order;
    std::map<std::int64_t, Kept> slices;
};

/// Stops at its nth report.
class StoppingProgress : public SilentProgress {
public:
    explicit StoppingProgress(int reports) : m_left(reports) {}

protected:
    void report(std::string_view, std::int64_t, std::int64_t) override
    {
        if (--m_left == 0)
            cancel();
    }

private:
    int m_left;
};

std::shared_ptr<Volume> smoothNoise(const Extent& extent)
{
    std::mt19937 random(11);
    std::vector<std::uint16_t> values(static_cast<std::size_t>(extent.voxels()));
    double level = 500;
    for (auto& value : values) {
        level += (std::uniform_real_distribution<>(-1, 1)(random)) * 120 - (level - 500) * 0.1;
        value = static_cast<std::uint16_t>(std::clamp(level, 0.0, 1000.0));
    }
    return makeMemoryVolume<std::uint16_t>(extent, values);
}

KeepingSink predicted(const Volume& image, const Network& network, const ModelContract& contract, std::int64_t core, PredictSettings settings)
{
    KeepingSink sink;
    SilentProgress progress;
    predictSlices(image, *network.freeze(), contract, {core, network.halo()}, network.bytesPerPixel(), settings, sink, progress);
    return sink;
}

} // namespace

class TestPredict : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void blocksEqualTheWholeSlice_data()
    {
        QTest::addColumn<QString>("network");
        QTest::addColumn<QString>("parameters");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        const QString tunet3 = QStringLiteral(R"({"depth":3,"base_channels":4})");
        const QString tunet4 = QStringLiteral(R"({"depth":4,"base_channels":4})");
        const QString msdnet = QStringLiteral(R"({"num_layers":8,"max_dilation":5})");
        const QString wide = QStringLiteral(R"({"num_layers":3,"layer_width":2,"normalization":"none"})");
        for (const auto& [height, width] : {std::pair{517, 389}, {65, 31}, {1, 333}, {201, 1}, {20, 150}, {128, 192}, {129, 71}}) {
            QTest::addRow("TUNet depth 3, %d×%d", height, width) << "tunet" << tunet3 << height << width;
            QTest::addRow("TUNet depth 4, %d×%d", height, width) << "tunet" << tunet4 << height << width;
            QTest::addRow("MSDNet, %d×%d", height, width) << "msdnet" << msdnet << height << width;
            QTest::addRow("wide MSDNet without norm, %d×%d", height, width) << "msdnet" << wide << height << width;
        }
    }

    void blocksEqualTheWholeSlice()
    {
        QFETCH(QString, network);
        QFETCH(QString, parameters);
        QFETCH(int, height);
        QFETCH(int, width);
        const auto made = test::randomNetwork({network.toStdString(), json::parse(parameters.toStdString()), 1, 3});
        const at::Tensor slice = at::rand({1, 1, height, width});
        const at::Tensor whole = made->forward(slice, Mode::evaluation).detach();
        const auto frozen = made->freeze();
        const double scale = whole.abs().max().item<double>();
        for (const Block& block : blocksOf({0, 0, height, width}, height, width, {64, made->halo()})) {
            const at::Tensor input = slice.narrow(2, block.input.y, block.input.height).narrow(3, block.input.x, block.input.width);
            const at::Tensor part = frozen->logits(input.contiguous(), [] {})
                                        .narrow(2, block.core.y - block.input.y, block.core.height)
                                        .narrow(3, block.core.x - block.input.x, block.core.width);
            const at::Tensor expected = whole.narrow(2, block.core.y, block.core.height).narrow(3, block.core.x, block.core.width);
            const double difference = part.sub(expected).abs().max().item<double>() / scale;
            QVERIFY2(difference < 1e-5, qPrintable(QStringLiteral("block at %1, %2: %3").arg(block.core.y).arg(block.core.x).arg(difference)));
        }
    }

    void tilesGroupWholeBlocks()
    {
        const BlockPlan plan{64, 10};
        for (const std::int64_t tile : {0, 1, 64, 100, 200, 1000}) {
            std::vector<int> covered(200 * 130);
            for (const Block& group : tilesOf(200, 130, plan, tile))
                for (const Block& block : blocksOf(group.core, 200, 130, plan)) {
                    QVERIFY(block.core.y % 64 == 0 && block.core.x % 64 == 0);
                    QVERIFY(block.input.y >= group.input.y && block.input.x >= group.input.x);
                    QVERIFY(block.input.y + block.input.height <= group.input.y + group.input.height);
                    QVERIFY(block.input.x + block.input.width <= group.input.x + group.input.width);
                    for (std::int64_t y = block.core.y; y < block.core.y + block.core.height; ++y)
                        for (std::int64_t x = block.core.x; x < block.core.x + block.core.width; ++x)
                            ++covered[static_cast<std::size_t>(y * 130 + x)];
                }
            QVERIFY(std::ranges::all_of(covered, [](int times) { return times == 1; }));
        }
    }

    void noBitDependsOnTheTile_data()
    {
        QTest::addColumn<QString>("network");
        QTest::addColumn<bool>("bySlice");
        QTest::newRow("TUNet") << "tunet" << false;
        QTest::newRow("MSDNet") << "msdnet" << false;
        QTest::newRow("TUNet, normalised slice by slice") << "tunet" << true;
    }

    void noBitDependsOnTheTile()
    {
        QFETCH(QString, network);
        QFETCH(bool, bySlice);
        const auto image = smoothNoise({3, 217, 189});
        const json parameters = network == QStringLiteral("tunet") ? json{{"depth", 3}, {"base_channels", 4}} : json{{"num_layers", 6}};
        const auto made = test::randomNetwork({network.toStdString(), parameters, 1, 3});
        ModelContract contract = test::contractFor(3);
        if (bySlice)
            contract.normalisation = {Normalisation::Rule::slice, 0, 0, 0.01, 0.99};
        const PredictSettings settings{{0, 1, 2}, 0, true, true, 0};
        const KeepingSink reference = predicted(*image, *made, contract, 64, settings);
        QCOMPARE(reference.slices.size(), std::size_t{3});
        for (const std::int64_t tile : {64, 200, 1}) {
            PredictSettings other = settings;
            other.tile = tile;
            QVERIFY(predicted(*image, *made, contract, 64, other).slices == reference.slices);
        }
    }

    void resultsBelongTogether()
    {
        const auto image = smoothNoise({4, 33, 47});
        const auto network = test::randomNetwork({"tunet", {{"depth", 2}, {"base_channels", 4}}, 1, 3});
        const KeepingSink sink = predicted(*image, *network, test::contractFor(3), 64, {{3, 0, 2}, 0, true, true, 0});
        QCOMPARE(sink.order, (std::vector<std::int64_t>{3, 0, 2}));
        std::map<int, int> seen;
        for (const auto& [z, slice] : sink.slices)
            for (std::size_t p = 0; p < slice.classIndex.size(); ++p) {
                const std::size_t pixels = slice.classIndex.size();
                const float best = slice.probabilities[slice.classIndex[p] * pixels + p];
                float sum = 0;
                for (std::size_t k = 0; k < 3; ++k) {
                    QVERIFY(slice.probabilities[k * pixels + p] <= best);
                    sum += slice.probabilities[k * pixels + p];
                }
                QVERIFY(std::abs(sum - 1) < 1e-5F);
                QVERIFY(std::abs(static_cast<float>(slice.confidence[p]) - 255 * best) <= 0.51F); // rounding of the uint8
                ++seen[slice.classIndex[p]];
            }
        QVERIFY(seen.size() > 1);
    }

    void confidenceIsOnlyMadeWhenAskedFor()
    {
        const auto image = smoothNoise({1, 20, 30});
        const auto network = test::randomNetwork({"msdnet", {{"num_layers", 2}}, 1, 2});
        const KeepingSink sink = predicted(*image, *network, test::contractFor(2), 64, {{0}, 0, false, false, 0});
        QVERIFY(sink.slices.at(0).confidence.empty());
        QVERIFY(sink.slices.at(0).probabilities.empty());
    }

    void sliceRuleIgnoresBrightness()
    {
        const auto dark = smoothNoise({1, 40, 52});
        std::vector<std::uint16_t> values = readAs<std::uint16_t>(*dark, Region::whole(dark->extent()));
        for (auto& value : values)
            value = static_cast<std::uint16_t>(value * 8 + 4096); // exact in float32
        const auto bright = makeMemoryVolume<std::uint16_t>(dark->extent(), values);
        const auto network = test::randomNetwork({"tunet", {{"depth", 2}}, 1, 3});
        ModelContract contract = test::contractFor(3);
        contract.normalisation = {Normalisation::Rule::slice, 0, 0, 0, 1};
        const PredictSettings settings{{0}, 0, true, false, 0};
        QVERIFY(predicted(*dark, *network, contract, 64, settings).slices == predicted(*bright, *network, contract, 64, settings).slices);
        contract.normalisation = {Normalisation::Rule::volume, 0, 1000, 0, 1};
        QVERIFY(predicted(*dark, *network, contract, 64, settings).slices != predicted(*bright, *network, contract, 64, settings).slices);
    }

    void stopsWhenCancelled()
    {
        const auto image = smoothNoise({5, 60, 70});
        const auto network = test::randomNetwork({"msdnet", {{"num_layers", 3}}, 1, 2});
        KeepingSink sink;
        StoppingProgress progress(3);
        try {
            predictSlices(*image, *network->freeze(), test::contractFor(2), {64, network->halo()}, network->bytesPerPixel(),
                          {{0, 1, 2, 3, 4}, 0, false, false, 0}, sink, progress);
            QFAIL("it went on");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::cancelled);
        }
        QVERIFY(!sink.slices.empty() && sink.slices.size() < 5);
    }

    void refusesWhatCannotBe_data()
    {
        QTest::addColumn<int>("slice");
        QTest::addColumn<qlonglong>("memory");
        QTest::addColumn<int>("code");
        QTest::newRow("slice behind the last") << 5 << 0LL << static_cast<int>(ErrorCode::shape);
        QTest::newRow("negative slice") << -1 << 0LL << static_cast<int>(ErrorCode::shape);
        QTest::newRow("too little memory") << 0 << 100'000LL << static_cast<int>(ErrorCode::memory);
    }

    void refusesWhatCannotBe()
    {
        QFETCH(int, slice);
        QFETCH(qlonglong, memory);
        QFETCH(int, code);
        const auto image = smoothNoise({5, 60, 70});
        const auto network = test::randomNetwork({"msdnet", {{"num_layers", 3}}, 1, 2});
        try {
            predicted(*image, *network, test::contractFor(2), 64, {{slice}, 0, false, false, memory});
            QFAIL("it went on");
        } catch (const Error& error) {
            QCOMPARE(static_cast<int>(error.code()), code);
        }
    }

    void blockExtentFollowsTheNetwork_data()
    {
        QTest::addColumn<QString>("network");
        QTest::addColumn<QString>("parameters");
        QTest::newRow("TUNet") << "tunet" << "{}";
        QTest::newRow("deep TUNet") << "tunet" << R"({"depth":6})";
        QTest::newRow("wide TUNet") << "tunet" << R"({"base_channels":64})";
        QTest::newRow("MSDNet") << "msdnet" << "{}";
        QTest::newRow("MSDNet of 100 layers") << "msdnet" << R"({"num_layers":100})";
    }

    void blockExtentFollowsTheNetwork()
    {
        QFETCH(QString, network);
        QFETCH(QString, parameters);
        const auto made = Network::create({network.toStdString(), json::parse(parameters.toStdString()), 1, 3}, 1);
        const std::int64_t core = blockExtent(*made);
        QVERIFY2(core % made->alignment() == 0 && core >= 256 && core >= 2 * made->halo() && core <= std::max<std::int64_t>(1024, 2 * made->halo()),
                 qPrintable(QString::number(core)));
    }
};

QTEST_GUILESS_MAIN(TestPredict)
#include "tst_predict.moc"
