#include "core/base/error.h"
#include "core/nn/augment.h"
#include "core/nn/sampling_labels.h"
#include "core/nn/sampling_plan.h"
#include "core/nn/sampling_windows.h"
#include "core/nn/train_normalisation.h"
#include "core/nn/train_settings.h"

#include <QtTest/QtTest>

#include <numeric>
#include <set>

using namespace voxelscribe;
using namespace voxelscribe::nn;
using nlohmann::json;

namespace {

template <typename T>
std::shared_ptr<Volume> filled(const Extent& extent, T value)
{
    return makeMemoryVolume<T>(extent, std::vector<T>(static_cast<std::size_t>(extent.voxels()), value));
}

template <typename T>
void paint(std::vector<T>& values, const Extent& extent, std::int64_t z, const PixelRectangle& part, T id)
{
    for (std::int64_t y = part.y; y < part.bottom(); ++y)
        for (std::int64_t x = part.x; x < part.right(); ++x)
            values[static_cast<std::size_t>((z * extent.y + y) * extent.x + x)] = id;
}

/// Annotations with rectangles of ids 3 and 7.
struct Painted {
    Extent extent;
    std::vector<std::uint16_t> values;

    explicit Painted(const Extent& size) : extent(size), values(static_cast<std::size_t>(size.voxels())) {}
    void stroke(std::int64_t z, const PixelRectangle& part, std::uint16_t id) { paint(values, extent, z, part, id); }
    std::shared_ptr<Volume> volume() const { return makeMemoryVolume<std::uint16_t>(extent, values); }
    LabelMap map() const
    {
        SilentProgress progress;
        return readLabelMap(*volume(), *filled<float>(extent, 0), progress);
    }
};

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

bool areApart(const CellPlace& a, const CellPlace& b, std::int64_t gap)
{
    return a.z != b.z || a.part.grown(gap, 1 << 20, 1 << 20).intersected(b.part).isEmpty();
}

} // namespace

class TestTrainSampling : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void labelsAreCountedByClassWithGapsInTheIds()
    {
        Painted painted({5, 130, 201});
        painted.stroke(1, {10, 20, 3, 30}, 7);
        painted.stroke(1, {63, 60, 2, 9}, 3); // over the border of two blocks
        painted.stroke(4, {129, 200, 1, 1}, 3);
        const LabelMap map = painted.map();
        QCOMPARE(map.ids, (std::vector<std::uint16_t>{3, 7}));
        QCOMPARE(map.counts, (std::vector<std::int64_t>{19, 90}));
        QCOMPARE(map.total(), 109);
        QCOMPARE(map.slices(), (std::vector<std::int64_t>{1, 4}));
        QCOMPARE(map.countsIn(1, {64, 64, 64, 64}), (std::vector<std::int64_t>{5, 0}));
        QCOMPARE(readLabels(*painted.volume(), map, 1, {62, 59, 2, 3}), (std::vector<std::uint8_t>{0, 0, 0, 0, 1, 1}));
    }

    void unusableAnnotationsAreRefused_data()
    {
        QTest::addColumn<std::shared_ptr<Volume>>("annotations");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("said");
        const Extent extent{3, 20, 31};
        const auto with = [&](std::int64_t a, std::int64_t b) {
            std::vector<std::int64_t> values(static_cast<std::size_t>(extent.voxels()));
            values[5] = a;
            values[900] = b;
            return std::shared_ptr<Volume>(makeMemoryVolume<std::int64_t>(extent, values));
        };
        using P = std::shared_ptr<Volume>;
        const int shape = static_cast<int>(ErrorCode::shape);
        const int format = static_cast<int>(ErrorCode::format);
        QTest::newRow("another shape") << P(filled<std::uint8_t>({3, 31, 20}, 1)) << shape << "3×20×31";
        QTest::newRow("a slice less") << P(filled<std::uint8_t>({2, 20, 31}, 1)) << shape << "2×20×31";
        QTest::newRow("no strokes") << with(0, 0) << format << "no label";
        QTest::newRow("one class") << with(4, 4) << format << "only class 4";
        QTest::newRow("fractions") << P(filled<float>(extent, 1)) << format << "float32";
        QTest::newRow("a negative id") << with(-2, 1) << format << "-2";
        QTest::newRow("an id that is too large") << with(1, 70000) << format << "70000";
    }

    void unusableAnnotationsAreRefused()
    {
        QFETCH(std::shared_ptr<Volume>, annotations);
        QFETCH(int, code);
        QFETCH(QString, said);
        SilentProgress progress;
        std::string message;
        const auto image = filled<float>({3, 20, 31}, 0);
        QCOMPARE(static_cast<int>(codeOf([&] { readLabelMap(*annotations, *image, progress); }, &message)), code);
        QVERIFY2(message.find(said.toStdString()) != std::string::npos, message.c_str());
    }

    void moreClassesThanAByteHoldsAreRefused()
    {
        std::vector<std::uint16_t> values(400);
        std::iota(values.begin(), values.end(), std::uint16_t{0});
        SilentProgress progress;
        const Extent extent{1, 20, 20};
        QCOMPARE(codeOf([&] { readLabelMap(*makeMemoryVolume<std::uint16_t>(extent, values), *filled<float>(extent, 0), progress); }), ErrorCode::format);
    }

    void cellsCoverEveryPixel_data()
    {
        QTest::addColumn<qint64>("height");
        QTest::addColumn<qint64>("width");
        QTest::newRow("one small cell") << qint64{7} << qint64{301};
        QTest::newRow("odd") << qint64{517} << qint64{389};
        QTest::newRow("large") << qint64{2048} << qint64{1025};
    }

    void cellsCoverEveryPixel()
    {
        QFETCH(qint64, height);
        QFETCH(qint64, width);
        std::vector<int> covered(static_cast<std::size_t>(height * width));
        for (const PixelRectangle& cell : cellsOf({0, 0, height, width})) {
            QVERIFY(cell.height <= 416 && cell.width <= 416);
            for (std::int64_t y = cell.y; y < cell.bottom(); ++y)
                for (std::int64_t x = cell.x; x < cell.right(); ++x)
                    ++covered[static_cast<std::size_t>(y * width + x)];
        }
        QVERIFY(std::find(covered.begin(), covered.end(), 0) == covered.end());
    }

    void validationKeepsAHaloFromTraining_data()
    {
        QTest::addColumn<int>("annotatedSlices");
        QTest::addColumn<bool>("withheldSlices");
        QTest::newRow("a strip of one slice") << 1 << false;
        QTest::newRow("a strip of one of three slices") << 3 << false;
        QTest::newRow("whole slices of ten") << 10 << true;
    }

    void validationKeepsAHaloFromTraining()
    {
        QFETCH(int, annotatedSlices);
        QFETCH(bool, withheldSlices);
        constexpr std::int64_t kHalo = 48;
        Painted painted({12, 800, 1100});
        for (int z = 0; z < annotatedSlices; ++z)
            for (std::int64_t x = 5; x + 40 < 1100; x += 60) {
                painted.stroke(z, {10 + x / 2, x, 2, 40}, 3);
                painted.stroke(z, {700 - x / 2, x + 10, 2, 40}, 7);
            }
        const LabelMap map = painted.map();
        const TrainingPlan plan = planTraining(map, painted.extent, {kHalo, 48, 16, 1});
        QVERIFY(plan.note.empty());
        QVERIFY(!plan.validation.empty() && !plan.labelled.empty() && !plan.unlabelled.empty());
        for (const CellPlace& validation : plan.validation)
            for (const auto* cells : {&plan.labelled, &plan.unlabelled})
                for (const CellPlace& cell : *cells)
                    QVERIFY(areApart(validation, cell, kHalo));
        std::set<std::int64_t> slices;
        for (const CellPlace& validation : plan.validation)
            slices.insert(validation.z);
        QCOMPARE(slices == (std::set<std::int64_t>{2, 7}), withheldSlices);
    }

    void fewStrokesAreAllTrainedOnAndItIsSaid()
    {
        Painted painted({9, 150, 200});
        painted.stroke(4, {10, 20, 3, 50}, 3);
        painted.stroke(4, {70, 20, 3, 50}, 7);
        const TrainingPlan plan = planTraining(painted.map(), painted.extent, {48, 48, 16, 1});
        QVERIFY(plan.validation.empty());
        QVERIFY2(plan.note.find("300 voxels in 1 slice") != std::string::npos, plan.note.c_str());
        QCOMPARE(plan.labelled, (std::vector<CellPlace>{{4, {0, 0, 150, 200}}}));
        QCOMPARE(plan.unlabelled.size(), std::size_t{8}); // every other slice
    }

    void densestLabelsOfRareClassesAreKeptWhereCellsAreMany()
    {
        Painted painted({3, 1024, 1024});
        painted.stroke(0, {0, 0, 1024, 1024}, 3);
        painted.stroke(1, {0, 0, 1024, 1024}, 3);
        painted.stroke(1, {900, 900, 2, 2}, 7);
        const TrainingPlan plan = planTraining(painted.map(), painted.extent, {48, 5, 4, 1});
        QCOMPARE(plan.labelled.size(), std::size_t{5});
        QVERIFY(!plan.shortened.empty());
        QVERIFY(std::any_of(plan.labelled.begin(), plan.labelled.end(), [](const CellPlace& cell) {
            return cell.z == 1 && !cell.part.intersected({900, 900, 2, 2}).isEmpty();
        }));
    }

    void windowsAreEqualAndBalanced()
    {
        std::vector<Cell> cells(2);
        for (std::size_t c = 0; c < 2; ++c) {
            const PixelRectangle part{0, 0, 70, 90 + 10 * static_cast<std::int64_t>(c)};
            cells[c] = {{static_cast<std::int64_t>(c), part}, std::vector<float>(static_cast<std::size_t>(part.pixels()), 0.5F), {}, {}};
        }
        cells[0].labels.assign(cells[0].image.size(), 0);
        std::fill_n(cells[0].labels.begin(), 900, std::uint8_t{1}); // the upper ten rows
        cells[0].labels.back() = 2;                                 // one pixel, in the lower right corner
        WindowSampler sampler(cells, {2, 64, 8, 1, 3});
        QCOMPARE(sampler.height(), 64);
        QCOMPARE(sampler.width(), 64);
        QCOMPARE(sampler.labelled(), (std::vector<std::int64_t>{900, 1}));
        int rare = 0;
        Batch batch;
        for (int i = 0; i < 100; ++i) {
            sampler.draw(3, batch);
            QCOMPARE(batch.image.size(), std::size_t{3 * 64 * 64});
            const auto first = std::vector<std::int64_t>(batch.labels.begin(), batch.labels.begin() + 64 * 64);
            QVERIFY(std::any_of(first.begin(), first.end(), [](std::int64_t label) { return label >= 0; }));
            rare += std::find(first.begin(), first.end(), 1) != first.end() ? 1 : 0;
        }
        QVERIFY2(rare > 25, "a class of one pixel should be seen about every second time");
    }

    void windowsOfANarrowImageAreNotTurned()
    {
        std::vector<Cell> cells{{{0, {0, 0, 20, 300}}, std::vector<float>(6000, 0.5F), std::vector<std::uint8_t>(6000, 1), {}}};
        const WindowSampler sampler(cells, {2, 96, 8, 1, 3});
        QCOMPARE(sampler.height(), 16);
        QCOMPARE(sampler.width(), 96);
    }

    void labelsAndOpinionsStayOnTheirPixels()
    {
        // Image, label and opinion of a pixel are functions of its grey value: they must still be after turning and mirroring.
        constexpr std::int64_t kEdge = 32;
        Cell cell{{0, {0, 0, kEdge, kEdge}}, std::vector<float>(kEdge * kEdge), std::vector<std::uint8_t>(kEdge * kEdge),
                  std::vector<std::uint8_t>(2 * kEdge * kEdge)};
        for (std::size_t i = 0; i < cell.image.size(); ++i) {
            cell.image[i] = static_cast<float>(i % 200) / 200;
            cell.labels[i] = i % 3 == 0 ? static_cast<std::uint8_t>(i % 200 < 100 ? 1 : 2) : std::uint8_t{0};
            cell.opinions[i] = static_cast<std::uint8_t>(i % 200);
            cell.opinions[kEdge * kEdge + i] = static_cast<std::uint8_t>(255 - i % 200);
        }
        const std::vector<Cell> cells{cell};
        WindowSampler sampler(cells, {2, kEdge, 1, 0, 9});
        Batch batch;
        sampler.draw(16, batch);
        for (std::size_t i = 0; i < batch.image.size(); ++i) {
            const std::size_t window = i / (kEdge * kEdge);
            const float opinion = batch.opinions[window * 2 * kEdge * kEdge + i % (kEdge * kEdge)];
            if (batch.labels[i] >= 0) {
                QCOMPARE(batch.labels[i], batch.image[i] < 0.5F ? 0 : 1);
                QCOMPARE(opinion, 0.0F);
            } else
                QVERIFY(std::abs(opinion * 255 - batch.image[i] * 200) < 0.01F);
        }
    }

    void greyChangesAreSmallAndFinite()
    {
        std::mt19937_64 random(4);
        for (int i = 0; i < 50; ++i) {
            std::vector<float> window(13 * 17);
            for (std::size_t k = 0; k < window.size(); ++k)
                window[k] = static_cast<float>(k) / static_cast<float>(window.size());
            changeGrey(window, 13, 17, 1, random);
            for (const float v : window)
                QVERIFY(v > -0.3F && v < 1.5F);
        }
    }

    void exposureDecidesTheNormalisation_data()
    {
        QTest::addColumn<std::vector<float>>("offsets");
        QTest::addColumn<bool>("bySlice");
        QTest::newRow("one exposure") << std::vector<float>{0, 1, -1, 0, 2, 0} << false;
        QTest::newRow("three exposures") << std::vector<float>{0, 0, 80, 80, 160, 160} << true;
        QTest::newRow("a single slice") << std::vector<float>{0} << false;
    }

    void exposureDecidesTheNormalisation()
    {
        QFETCH(std::vector<float>, offsets);
        QFETCH(bool, bySlice);
        std::vector<float> values;
        for (const float offset : offsets)
            for (int i = 0; i < 50 * 60; ++i)
                values.push_back(offset + static_cast<float>(i % 101));
        values[7] = std::numeric_limits<float>::quiet_NaN();
        SilentProgress progress;
        const auto chosen = chooseNormalisation(*makeMemoryVolume<float>({static_cast<std::int64_t>(offsets.size()), 50, 60}, values), progress);
        QCOMPARE(chosen.rule.rule == Normalisation::Rule::slice, bySlice);
        QVERIFY(chosen.rule.high > chosen.rule.low);
        QVERIFY(!chosen.reason.empty());
    }

    void contentThatComesAndGoesIsNoOtherExposure()
    {
        std::vector<float> values; // the object fills more and more of the slices; the background stays
        for (int z = 0; z < 8; ++z)
            for (int i = 0; i < 3000; ++i)
                values.push_back(i < 300 * z ? 200 + static_cast<float>(i % 20) : static_cast<float>(i % 20));
        SilentProgress progress;
        QVERIFY(chooseNormalisation(*makeMemoryVolume<float>({8, 50, 60}, values), progress).rule.rule == Normalisation::Rule::volume);
    }

    void aStackWithoutNumbersIsRefused()
    {
        SilentProgress progress;
        const auto image = filled<float>({2, 5, 6}, std::numeric_limits<float>::quiet_NaN());
        QCOMPARE(codeOf([&] { chooseNormalisation(*image, progress); }), ErrorCode::format);
    }

    void settingsGoWhereTheyBelong()
    {
        const SplitParameters split = splitParameters({{"depth", 3}, {"learning_rate", 0.01}, {"batch", 4}}, {{"depth", 4}, {"base_channels", 8}}, "tunet");
        QCOMPARE(split.network, (json{{"depth", 3}}));
        QCOMPARE(split.training.learningRate, 0.01);
        QCOMPARE(split.training.batch, 4);
        QCOMPARE(split.training.window, TrainParameters{}.window);
        QCOMPARE(toJson(split.training).at("learning_rate").get<double>(), 0.01);
    }

    void wrongSettingsAreRefused_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("said");
        QTest::newRow("unknown") << R"({"learningrate":1})" << "learning_rate";
        QTest::newRow("out of range") << R"({"batch":0})" << "from 1";
        QTest::newRow("not whole") << R"({"window":64.5})" << "whole";
        QTest::newRow("a word") << R"({"learning_rate":"fast"})" << "fast";
        QTest::newRow("a list") << R"({"window":[64]})" << "[64]";
    }

    void wrongSettingsAreRefused()
    {
        QFETCH(QString, settings);
        QFETCH(QString, said);
        std::string message;
        QCOMPARE(codeOf([&] { splitParameters(json::parse(settings.toStdString()), {{"depth", 4}}, "tunet"); }, &message), ErrorCode::model);
        QVERIFY2(message.find(said.toStdString()) != std::string::npos, message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestTrainSampling)
#include "tst_train_sampling.moc"
