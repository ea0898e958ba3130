#include "support/run_program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest/QtTest>

using voxelscribe::test::Finished;
using voxelscribe::test::runEngine;
using voxelscribe::test::runPython;

/// `evaluate` on files that tifffile wrote, against numpy.
class TestEvaluate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const Finished made = runPython(QStringLiteral(
            "import sys, numpy as np, tifffile\n"
            "r = np.random.default_rng(1)\n"
            "t = r.choice([0, 1, 4], (6, 13, 17)).astype(np.uint8)\n" // raw classes 0, 1, 4: ids 1, 2, 5 after an offset of 1
            "p = (t + 1).astype(np.uint16)\n"
            "p[r.random(p.shape) < 0.3] = 0\n"
            "p[r.random(p.shape) < 0.2] = 2\n"
            "p[r.random(p.shape) < 0.1] = 700\n"
            "tifffile.imwrite(sys.argv[1], t)\n"
            "tifffile.imwrite(sys.argv[2], p)\n"
            "tifffile.imwrite(sys.argv[3], p[:, :, :-1])\n"
            "tifffile.imwrite(sys.argv[4], p.astype(np.float32) + 0.5)\n"), {truth(), prediction(), other(), image()});
        if (made.exitCode != 0)
            QSKIP("no Python with numpy and tifffile here");
    }

    void agreesWithNumpy_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("selection");
        QTest::addColumn<QString>("ignored");
        QTest::newRow("everything") << QStringList{} << "[:]" << "[]";
        QTest::newRow("some slices") << QStringList{"--slices", "0,2,4:6"} << "[[0, 2, 4, 5]]" << "[]";
        QTest::newRow("a region") << QStringList{"--roi", "1:5,:9,3:"} << "[1:5, :9, 3:]" << "[]";
        QTest::newRow("slices of a region") << QStringList{"--roi", "1:5,0:13,0:8", "--slices", "0,3"} << "[[3], :, :8]" << "[]";
        QTest::newRow("without a class") << QStringList{"--ignore", "2"} << "[:]" << "[2]";
        QTest::newRow("a slice without two classes") << QStringList{"--ignore", "2,5", "--slices", "3"} << "[[3]]" << "[2, 5]";
    }

    void agreesWithNumpy()
    {
        QFETCH(QStringList, options);
        QFETCH(QString, selection);
        QFETCH(QString, ignored);
        const Finished ours = runEngine(QStringList{"evaluate", "--truth", truth(), "--prediction", prediction(), "--truth-offset", "1", "--json"} + options);
        QVERIFY2(ours.exitCode == 0, qPrintable(ours.err));
        const QString code = QStringLiteral(
            "import sys, json, numpy as np, tifffile\n"
            "t, p = (tifffile.imread(f).astype(int) for f in sys.argv[1:3])\n"
            "t = t + 1\n"
            "t, p = t%1.ravel(), p%1.ravel()\n"
            "k = ~np.isin(t, %2)\n"
            "t, p = t[k], p[k]\n"
            "c = [int(v) for v in np.unique(t)]\n"
            "iou = {str(v): ((t == v) & (p == v)).sum() / ((t == v) | (p == v)).sum() for v in c}\n"
            "dice = {str(v): 2 * ((t == v) & (p == v)).sum() / ((t == v).sum() + (p == v).sum()) for v in c}\n"
            "conf = {str(v): {str(int(w)): int(((t == v) & (p == w)).sum()) for w in np.unique(p[t == v])} for v in c}\n"
            "o = json.loads(sys.argv[3])\n"
            "assert set(o) >= {'meanIoU', 'iou', 'dice', 'accuracy', 'confusion'}, o\n"
            "assert o['confusion'] == conf, (o['confusion'], conf)\n"
            "assert o['iou'].keys() == iou.keys() and all(abs(o['iou'][v] - iou[v]) < 1e-12 for v in iou)\n"
            "assert o['dice'].keys() == dice.keys() and all(abs(o['dice'][v] - dice[v]) < 1e-12 for v in dice)\n"
            "assert abs(o['meanIoU'] - np.mean(list(iou.values()))) < 1e-12\n"
            "assert abs(o['accuracy'] - (t == p).mean()) < 1e-12\n").arg(selection, ignored);
        const Finished check = runPython(code, {truth(), prediction(), ours.out});
        QVERIFY2(check.exitCode == 0, qPrintable(check.err));
    }

    void givesOneObjectOnly()
    {
        const Finished finished = runEngine({"evaluate", "--truth", truth(), "--prediction", truth(), "--json"});
        QCOMPARE(finished.out.count('\n'), 1);
        QCOMPARE(QJsonDocument::fromJson(finished.out.toUtf8()).object().value("meanIoU").toDouble(), 1.0);
    }

    void tellsAPersonTheScores()
    {
        const Finished finished = runEngine({"evaluate", "--truth", truth(), "--prediction", truth()});
        QCOMPARE(finished.exitCode, 0);
        QVERIFY(finished.out.startsWith("mean IoU: 1.0000\n"));
    }

    void fails_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("code");
        const QStringList both{"--truth", truth(), "--prediction", prediction()};
        QTest::newRow("other shape") << QStringList{"--truth", truth(), "--prediction", other()} << 1 << "shape";
        QTest::newRow("an image for a mask") << QStringList{"--truth", truth(), "--prediction", image()} << 1 << "format";
        QTest::newRow("missing") << QStringList{"--truth", truth(), "--prediction", "/nowhere.tif"} << 1 << "io";
        QTest::newRow("a slice too far") << both + QStringList{"--slices", "0,6"} << 1 << "shape";
        QTest::newRow("a region too wide") << both + QStringList{"--roi", ":,:,0:18"} << 1 << "shape";
        QTest::newRow("a region turned round") << both + QStringList{"--roi", ":,:,9:3"} << 1 << "shape";
        QTest::newRow("slices in words") << both + QStringList{"--slices", "first"} << 2 << "usage";
        QTest::newRow("a region of two axes") << both + QStringList{"--roi", ":,:"} << 2 << "usage";
        QTest::newRow("all ignored") << both + QStringList{"--ignore", "0", "--ignore", "1,4"} << 1 << "shape";
    }

    void fails()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        QFETCH(QString, code);
        const Finished finished = runEngine(QStringList{"evaluate", "--json"} + arguments);
        QCOMPARE(finished.exitCode, exitCode);
        const QJsonObject error = QJsonDocument::fromJson(finished.out.toUtf8()).object().value("error").toObject();
        QCOMPARE(error.value("code").toString(), code);
    }

    void takesANegativeOffset()
    {
        QCOMPARE(runEngine({"evaluate", "--truth", truth(), "--prediction", truth(), "--truth-offset", "-1"}).exitCode, 0);
    }

private:
    QString truth() const { return m_folder.filePath("truth.tif"); }
    QString prediction() const { return m_folder.filePath("prediction.tif"); }
    QString other() const { return m_folder.filePath("other.tif"); }
    QString image() const { return m_folder.filePath("image.tif"); }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestEvaluate)
#include "tst_evaluate.moc"
