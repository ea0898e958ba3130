#include "widgets/common/job_progress.h"
#include "widgets/common/text.h"

#include <QtTest/QtTest>
#include <cmath>
#include <limits>

using namespace voxelscribe::common;

class TestText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void durations_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << 0.0 << "less than a second";
        QTest::newRow("a fraction") << 0.99 << "less than a second";
        QTest::newRow("seconds") << 12.4 << "12 s";
        QTest::newRow("rounds up to a minute") << 59.7 << "1 min";
        QTest::newRow("minutes and seconds") << 80.0 << "1 min 20 s";
        QTest::newRow("whole minutes") << 600.0 << "10 min";
        QTest::newRow("just under an hour") << 3599.0 << "59 min 59 s";
        QTest::newRow("hours and minutes") << 7500.0 << "2 h 5 min";
        QTest::newRow("just under a day") << 86399.0 << "1 day";
        QTest::newRow("days") << 2.5 * 86400 << "2 days 12 h";
        QTest::newRow("negative") << -1.0 << "unknown";
        QTest::newRow("not a number") << std::nan("") << "unknown";
        QTest::newRow("infinite") << std::numeric_limits<double>::infinity() << "unknown";
    }
    void durations()
    {
        QFETCH(double, seconds);
        QTEST(formatDuration(seconds), "text");
    }

    void remaining_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("nearly over") << 0.4 << "almost done";
        QTest::newRow("few seconds are exact") << 7.2 << "about 7 s left";
        QTest::newRow("seconds in fives") << 43.0 << "about 45 s left";
        QTest::newRow("minutes without seconds") << 190.0 << "about 3 min left";
        QTest::newRow("negative gives nothing") << -3.0 << "";
        QTest::newRow("not a number gives nothing") << std::nan("") << "";
    }
    void remaining()
    {
        QFETCH(double, seconds);
        QTEST(formatRemaining(seconds), "text");
    }
    void noEstimateGivesNothing() { QVERIFY(formatRemaining(std::nullopt).isEmpty()); }

    void sentences_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shown");
        QTest::newRow("a plain word") << "too few labels" << "Too few labels";
        QTest::newRow("a word and a colon") << "truncated: page 5" << "Truncated: page 5";
        QTest::newRow("a path stays") << "/tmp/a.tif: empty" << "/tmp/a.tif: empty";
        QTest::newRow("a file name stays") << "reader_*.tiff is odd" << "reader_*.tiff is odd";
        QTest::newRow("a capital stays") << "The engine ended" << "The engine ended";
        QTest::newRow("nothing") << "" << "";
    }
    void sentences()
    {
        QFETCH(QString, text);
        QTEST(sentence(text), "shown");
    }

    void counts()
    {
        QCOMPARE(formatCount(0), QStringLiteral("0"));
        QCOMPARE(formatCount(1240), QStringLiteral("1,240"));
        QCOMPARE(formatCount(std::int64_t(3) << 40), QStringLiteral("3,298,534,883,328"));
        QCOMPARE(formatCounted(1, QStringLiteral("slice"), QStringLiteral("slices")), QStringLiteral("1 slice"));
        QCOMPARE(formatCounted(0, QStringLiteral("slice"), QStringLiteral("slices")), QStringLiteral("0 slices"));
    }

    void shares_data()
    {
        QTest::addColumn<double>("share");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << 0.0 << "0.0 %";
        QTest::newRow("all") << 1.0 << "100.0 %";
        QTest::newRow("ordinary") << 0.3421 << "34.2 %";
        QTest::newRow("below one per cent keeps two digits") << 0.0007 << "0.07 %";
        QTest::newRow("a trace is not called nothing") << 1e-6 << "< 0.01 %";
        QTest::newRow("not a number") << std::nan("") << "–";
    }
    void shares()
    {
        QFETCH(double, share);
        QTEST(formatShare(share), "text");
    }

    void volumesChooseTheirUnit()
    {
        QCOMPARE(formatVolumeUm3(0.000125), QStringLiteral("125,000 nm³"));
        QCOMPARE(formatVolumeUm3(12.5), QStringLiteral("12.5 µm³"));
        QCOMPARE(formatVolumeUm3(2.5e9), QStringLiteral("2.5 mm³"));
        QCOMPARE(formatVolumeUm3(0), QStringLiteral("0 µm³"));
    }
    void voxelSizes()
    {
        QCOMPARE(formatVoxelSize(std::nullopt), QStringLiteral("unknown"));
        QCOMPARE(formatVoxelSize(voxelscribe::VoxelSizeUm{2, 0.5, 0.25}), QStringLiteral("2 × 0.5 × 0.25 µm"));
    }

    void progressText()
    {
        QCOMPARE((JobProgress{QStringLiteral("Training"), 34, 100, 190.0}.text()), QStringLiteral("Training · 34 % · about 3 min left"));
        QCOMPARE((JobProgress{QStringLiteral("Reading"), 5, 0, std::nullopt}.text()), QStringLiteral("Reading"));
        QVERIFY(JobProgress{}.text().isEmpty());
    }
    void progressNeverLeavesItsRange()
    {
        QCOMPARE((JobProgress{{}, 5, 4, {}}.permille()), 1000);
        QCOMPARE((JobProgress{{}, -1, 4, {}}.permille()), 0);
        QCOMPARE((JobProgress{{}, std::nan(""), 4, {}}.permille()), -1);
        QCOMPARE((JobProgress{{}, 1, 0, {}}.permille()), -1);
    }
};

QTEST_GUILESS_MAIN(TestText)
#include "tst_format_text.moc"
