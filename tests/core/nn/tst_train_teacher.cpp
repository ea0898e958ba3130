#include "core/base/error.h"
#include "core/nn/teacher.h"
#include "core/nn/teacher_features.h"
#include "core/nn/teacher_forest.h"
#include "core/nn/teacher_guided.h"

#include <QtTest/QtTest>

#include <cmath>
#include <random>

using namespace voxelscribe;
using namespace voxelscribe::nn;

namespace {

/// z(y, x) on a grid of 41 × 57.
std::vector<float> surface(const std::function<double(double, double)>& z)
{
    std::vector<float> image;
    for (int y = 0; y < 41; ++y)
        for (int x = 0; x < 57; ++x)
            image.push_back(static_cast<float>(z(y - 20, x - 28)));
    return image;
}

/// Two features, of which only the second says anything about the class.
struct Rows {
    std::vector<float> features;
    std::vector<std::uint8_t> classes;
};

Rows separableRows(int count)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<float> uniform;
    Rows rows;
    for (int i = 0; i < count; ++i) {
        const float telling = uniform(random);
        rows.features.insert(rows.features.end(), {uniform(random), telling});
        rows.classes.push_back(telling < 0.3F ? 0 : telling < 0.7F ? 1 : 2);
    }
    return rows;
}

constexpr auto kGoOn = [] { return true; };

} // namespace

class TestTrainTeacher : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void derivativesOfAPolynomialAreExact_data()
    {
        QTest::addColumn<int>("orderY");
        QTest::addColumn<int>("orderX");
        QTest::addColumn<double>("expected");
        // Of z = 2 + 0.3 y − 0.2 x + 0.05 y² + 0.1 y x at the centre.
        QTest::newRow("slope along y") << 1 << 0 << 0.3;
        QTest::newRow("slope along x") << 0 << 1 << -0.2;
        QTest::newRow("curvature along y") << 2 << 0 << 0.1;
        QTest::newRow("curvature along x") << 0 << 2 << 0.0;
        QTest::newRow("twist") << 1 << 1 << 0.1;
    }

    void derivativesOfAPolynomialAreExact()
    {
        QFETCH(int, orderY);
        QFETCH(int, orderX);
        QFETCH(double, expected);
        const auto image = surface([](double y, double x) { return 2 + 0.3 * y - 0.2 * x + 0.05 * y * y + 0.1 * y * x; });
        const auto derived = gaussianDerivative(image, 41, 57, 3.5, orderY, orderX);
        // The kernel ends at 3σ: that loses 3 % of a second derivative's weight.
        QVERIFY2(std::abs(derived[20 * 57 + 28] - expected) < 0.012, qPrintable(QString::number(derived[20 * 57 + 28])));
    }

    void aConstantImageHasNoFeaturesButItsGrey()
    {
        const FeaturePlanes planes = computeFeatures(std::vector<float>(5 * 300, 0.25F), 5, 300);
        QCOMPARE(planes.count, kFeatureCount);
        for (std::int64_t f = 0; f < planes.count; ++f)
            for (std::int64_t i = 0; i < planes.pixels; ++i) {
                const float expected = f % 7 == 0 ? 0.25F : 0.0F;
                QVERIFY2(std::abs(planes.values[static_cast<std::size_t>(f * planes.pixels + i)] - expected) < 1e-5F, qPrintable(QString::number(f)));
            }
    }

    void aForestLearnsWhatSeparatesTheClasses()
    {
        const Rows seen = separableRows(600);
        const Forest forest = Forest::grow(seen.features, seen.classes, 2, 3, {20, 2, 1}, kGoOn);
        std::vector<float> asked;
        for (const float telling : {0.1F, 0.5F, 0.9F})
            asked.insert(asked.end(), {0.5F, telling});
        std::vector<float> answers(9);
        forest.probabilities(asked, answers);
        for (std::size_t row = 0; row < 3; ++row) {
            QVERIFY(answers[3 * row + row] > 0.95F);
            QVERIFY(std::abs(answers[3 * row] + answers[3 * row + 1] + answers[3 * row + 2] - 1) < 1e-5F);
        }
    }

    void aForestIsTheSameForTheSameSeed()
    {
        const Rows seen = separableRows(200);
        std::vector<std::vector<float>> answers;
        for (const std::uint64_t seed : {5, 5, 6}) {
            answers.emplace_back(600);
            Forest::grow(seen.features, seen.classes, 2, 3, {5, 2, seed}, kGoOn).probabilities(seen.features, answers.back());
        }
        QVERIFY(answers[0] == answers[1]);
        QVERIFY(answers[0] != answers[2]);
    }

    void aForestOfEqualRowsAnswersWithTheirShares()
    {
        const std::vector<float> features(40, 1.0F);
        std::vector<std::uint8_t> classes(20, 0);
        std::fill_n(classes.begin(), 5, std::uint8_t{1});
        std::vector<float> answer(2);
        Forest::grow(features, classes, 2, 2, {200, 2, 1}, kGoOn).probabilities(std::vector<float>{1, 1}, answer);
        QVERIFY(std::abs(answer[1] - 0.25F) < 0.03F); // bootstrap noise of 200 trees
    }

    void growingStopsWhenAsked()
    {
        const Rows seen = separableRows(100);
        QVERIFY_THROWS_EXCEPTION(Error, Forest::grow(seen.features, seen.classes, 2, 3, {50, 2, 1}, []() -> bool { throw Error(ErrorCode::cancelled, "stop"); }));
    }

    void growingEndsEarlyWhenTimeIsUp()
    {
        const Rows seen = separableRows(100);
        const Forest forest = Forest::grow(seen.features, seen.classes, 2, 3, {5000, 2, 1}, [] { return false; });
        std::vector<float> answer(3);
        forest.probabilities(std::vector<float>{0.5F, 0.9F}, answer);
        QVERIFY(answer[2] > 0.8F); // of the trees that there are
    }

    void theGuideMovesABorderToTheEdge()
    {
        // An edge at column 30; the opinion changes two columns late and is unsure. Refined, the column in between goes to its own side.
        std::vector<float> image;
        std::vector<float> opinion;
        for (int y = 0; y < 41; ++y)
            for (int x = 0; x < 57; ++x) {
                image.push_back(x < 30 ? 0.0F : 1.0F);
                opinion.push_back(x < 32 ? 0.3F : 0.7F);
            }
        refineByGuide(image, 41, 57, opinion);
        QVERIFY(opinion[20 * 57 + 29] < 0.4F);
        QVERIFY(opinion[20 * 57 + 31] > opinion[20 * 57 + 29] + 0.1F);
        QVERIFY(std::all_of(opinion.begin(), opinion.end(), [](float p) { return p >= 0 && p <= 1; }));
    }

    void strokesSpreadOverTheImage()
    {
        std::vector<Cell> cells = twoTones();
        SilentProgress progress;
        QCOMPARE(spreadLabels(cells, {2, 20, 1, {}}, progress), 2);
        int right = 0;
        for (const Cell& cell : cells)
            for (std::size_t i = 0; i < cell.image.size(); ++i)
                right += (cell.opinions[i] < 128) == (i % 80 >= 40) ? 1 : 0; // the left half is class 0
        QVERIFY2(right > 0.97 * 2 * 60 * 80, qPrintable(QString::number(right)));
    }

    void spreadingEndsWithItsTime()
    {
        std::vector<Cell> cells = twoTones();
        SilentProgress progress;
        QCOMPARE(spreadLabels(cells, {2, 5, 1, [] { return 1.0; }}, progress), 0);
        QVERIFY(cells[0].opinions.empty());
    }

    void oneClassAloneSpreadsNothing()
    {
        std::vector<Cell> cells = twoTones();
        std::replace(cells[0].labels.begin(), cells[0].labels.end(), std::uint8_t{2}, std::uint8_t{0});
        SilentProgress progress;
        QCOMPARE(spreadLabels(cells, {2, 5, 1, {}}, progress), 0);
    }

private:
    /// A labelled and an unlabelled cell of 60 × 80, dark left and bright right, with noise.
    static std::vector<Cell> twoTones()
    {
        std::mt19937 random(8);
        std::normal_distribution<float> noise(0, 0.1F);
        std::vector<Cell> cells(2);
        for (std::size_t c = 0; c < 2; ++c) {
            cells[c].place = {static_cast<std::int64_t>(c), {0, 0, 60, 80}};
            for (int i = 0; i < 60 * 80; ++i)
                cells[c].image.push_back((i % 80 < 40 ? 0.3F : 0.7F) + noise(random));
        }
        cells[0].labels.assign(60 * 80, 0);
        for (std::size_t i = 0; i < 20; ++i) {
            cells[0].labels[30 * 80 + 10 + i] = 1;
            cells[0].labels[30 * 80 + 50 + i] = 2;
        }
        return cells;
    }
};

QTEST_GUILESS_MAIN(TestTrainTeacher)
#include "tst_train_teacher.moc"
