#include "core/base/error.h"
#include "core/ops/confusion.h"

#include "support/run_program.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <cstdint>
#include <fstream>
#include <random>

using namespace voxelscribe;
using ops::Confusion;

namespace {

template <typename T>
std::shared_ptr<Volume> volumeOf(const Extent& extent, const std::vector<T>& values)
{
    return makeMemoryVolume<T>(extent, values);
}

void writeRaw(const QString& path, const std::vector<std::uint16_t>& values)
{
    std::ofstream(path.toStdString(), std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(values[0])));
}

template <typename F>
ErrorCode codeOf(F&& f)
{
    try {
        f();
    } catch (const Error& error) {
        return error.code();
    }
    throw std::runtime_error("nothing was thrown");
}

} // namespace

class TestConfusion : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsByHand()
    {
        // Class 1: 3 voxels, 2 found, 1 false; class 7: 3 voxels, 1 found, 1 missed as 0, 1 taken for 1.
        const auto truth = volumeOf<std::uint8_t>({1, 2, 3}, {1, 1, 1, 7, 7, 7});
        const auto prediction = volumeOf<std::uint16_t>({1, 2, 3}, {1, 1, 9, 7, 0, 1});
        SilentProgress progress;
        const Confusion confusion = ops::compareMasks(*truth, *prediction, {}, progress);
        const auto scores = confusion.scores();
        QCOMPARE(scores.size(), std::size_t{2});
        QCOMPARE(scores[0].id, std::int64_t{1});
        QCOMPARE(scores[0].iou, 2.0 / 4.0);
        QCOMPARE(scores[0].dice, 4.0 / 6.0);
        QCOMPARE(scores[1].id, std::int64_t{7});
        QCOMPARE(scores[1].iou, 1.0 / 3.0);
        QCOMPARE(confusion.meanIoU(), (0.5 + 1.0 / 3.0) / 2);
        QCOMPARE(confusion.accuracy(), 3.0 / 6.0);
        QCOMPARE(confusion.counts().at({7, 0}), std::int64_t{1});
    }

    void addsTheOffsetBeforeItIgnores()
    {
        const auto truth = volumeOf<std::uint8_t>({1, 1, 5}, {0, 0, 1, 2, 2});
        const auto prediction = volumeOf<std::uint8_t>({1, 1, 5}, {1, 2, 2, 1, 1});
        ops::CompareOptions options;
        options.truthOffset = 1;
        options.ignored = {3};
        SilentProgress progress;
        const Confusion confusion = ops::compareMasks(*truth, *prediction, options, progress);
        QCOMPARE(confusion.scored(), std::int64_t{3});
        QCOMPARE(confusion.meanIoU(), (0.5 + 0.5) / 2);
    }

    void scoresChosenSlicesAndRegionOnly()
    {
        const auto truth = volumeOf<std::int32_t>({3, 1, 4}, {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3});
        const auto prediction = volumeOf<std::uint8_t>({3, 1, 4}, {0, 0, 0, 0, 2, 2, 1, 1, 3, 0, 0, 0});
        ops::CompareOptions options;
        options.slices = {1, 2};
        options.region = {{0, 0, 0}, {3, 1, 3}};
        SilentProgress progress;
        const Confusion confusion = ops::compareMasks(*truth, *prediction, options, progress);
        QCOMPARE(confusion.scored(), std::int64_t{6});
        QCOMPARE(confusion.meanIoU(), (2.0 / 3 + 1.0 / 3) / 2);
    }

    void keepsIdsFarApartAndNegative()
    {
        const auto truth = volumeOf<std::int64_t>({1, 1, 4}, {-5, 4000000000, 65535, 300});
        const auto prediction = volumeOf<double>({1, 1, 4}, {-5, 4e9, 1, 300});
        SilentProgress progress;
        const Confusion confusion = ops::compareMasks(*truth, *prediction, {}, progress);
        QCOMPARE(confusion.counts().size(), std::size_t{4});
        QCOMPARE(confusion.accuracy(), 0.75);
        QCOMPARE(confusion.counts().at({4000000000, 4000000000}), std::int64_t{1});
    }

    void agreesWithNumpy()
    {
        const Extent extent{5, 17, 23};
        std::mt19937 random(4);
        std::vector<std::uint16_t> truth(static_cast<std::size_t>(extent.voxels()));
        std::vector<std::uint16_t> prediction(truth.size());
        for (std::size_t i = 0; i < truth.size(); ++i) {
            truth[i] = static_cast<std::uint16_t>(random() % 4 * 300 + 1);
            prediction[i] = random() % 3 != 0 ? truth[i] : static_cast<std::uint16_t>(random() % 5 * 300 + 1);
        }
        QTemporaryDir folder;
        writeRaw(folder.filePath("t.raw"), truth);
        writeRaw(folder.filePath("p.raw"), prediction);
        const auto python = test::runPython(QStringLiteral("import numpy as np, sys\n"
                                                           "t, p = (np.fromfile(f, np.uint16) for f in sys.argv[1:3])\n"
                                                           "iou = [((t == c) & (p == c)).sum() / ((t == c) | (p == c)).sum() for c in np.unique(t)]\n"
                                                           "print(repr(float(np.mean(iou))))"),
                                            {folder.filePath("t.raw"), folder.filePath("p.raw")});
        if (python.exitCode != 0)
            QSKIP("no Python with numpy here");
        SilentProgress progress;
        const Confusion confusion = ops::compareMasks(*volumeOf(extent, truth), *volumeOf(extent, prediction), {}, progress);
        QVERIFY(std::abs(confusion.meanIoU() - python.out.trimmed().toDouble()) < 1e-12); // sums in another order
    }

    void refusesOtherShapes()
    {
        const auto truth = volumeOf<std::uint8_t>({1, 2, 3}, std::vector<std::uint8_t>(6, 1));
        const auto turned = volumeOf<std::uint8_t>({1, 3, 2}, std::vector<std::uint8_t>(6, 1));
        SilentProgress progress;
        QCOMPARE(codeOf([&] { ops::compareMasks(*truth, *turned, {}, progress); }), ErrorCode::shape);
    }

    void refusesWhatIsNotAClass()
    {
        const auto truth = volumeOf<std::uint8_t>({1, 1, 2}, {1, 2});
        const auto image = volumeOf<float>({1, 1, 2}, {1.0F, 0.37F});
        const auto broken = volumeOf<float>({1, 1, 2}, {1.0F, std::nanf("")});
        SilentProgress progress;
        QCOMPARE(codeOf([&] { ops::compareMasks(*truth, *image, {}, progress); }), ErrorCode::format);
        QCOMPARE(codeOf([&] { ops::compareMasks(*truth, *broken, {}, progress); }), ErrorCode::format);
    }

    void refusesToScoreNothing()
    {
        const auto truth = volumeOf<std::uint8_t>({1, 1, 2}, {0, 0});
        ops::CompareOptions options;
        options.ignored = {0};
        SilentProgress progress;
        QCOMPARE(codeOf([&] { ops::compareMasks(*truth, *truth, options, progress); }), ErrorCode::shape);
    }

    void stopsWhenCancelled()
    {
        const auto truth = volumeOf<std::uint8_t>({2, 1, 1}, {1, 1});
        SilentProgress progress;
        progress.cancel();
        QCOMPARE(codeOf([&] { ops::compareMasks(*truth, *truth, {}, progress); }), ErrorCode::cancelled);
    }
};

QTEST_GUILESS_MAIN(TestConfusion)
#include "tst_confusion.moc"
