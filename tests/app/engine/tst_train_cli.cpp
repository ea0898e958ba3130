#include "support/run_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <csignal>
#include <filesystem>

using voxelscribe::test::Finished;
using voxelscribe::test::runEngine;
using voxelscribe::test::runPython;

namespace {

QJsonObject lastObject(const QString& lines)
{
    const QStringList all = lines.trimmed().split(QLatin1Char('\n'));
    return QJsonDocument::fromJson(all.last().toUtf8()).object();
}

} // namespace

/// `train` as a person calls it, on files that tifffile wrote.
class TestTrainCli : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const Finished made = runPython(QStringLiteral(
            "import sys, numpy as np, tifffile\n"
            "r = np.random.default_rng(1)\n"
            "t = np.zeros((5, 70, 93), np.uint8)\n"
            "t[:, :, 40:] = 1\n"
            "tifffile.imwrite(sys.argv[1], (t * 90 + 60 + r.normal(0, 15, t.shape)).astype(np.uint16))\n"
            "s = np.zeros_like(t); s[1, 20, 5:30] = 2; s[1, 50, 60:90] = 6\n"
            "tifffile.imwrite(sys.argv[2], s)\n"
            "tifffile.imwrite(sys.argv[3], np.where(s == 6, 0, s))\n"
            "tifffile.imwrite(sys.argv[4], s * 0)\n"
            "tifffile.imwrite(sys.argv[5], s[:, :, 1:])\n"
            "tifffile.imwrite(sys.argv[6], np.where(t == 1, 6, 2).astype(np.uint8))\n"),
            {path("image.tif"), path("strokes.tif"), path("single.tif"), path("empty.tif"), path("other.tif"), path("truth.tif")});
        if (made.exitCode != 0)
            QSKIP("no Python with numpy and tifffile here");
    }

    void trainsPredictsAndScores()
    {
        const QString model = path("Körner und Poren.safetensors");
        const Finished trained = train("strokes.tif", model, {"--epochs", "6", "--set", "depth=2", "--set", "base_channels=4", "--class", "6=bright grain"});
        QVERIFY2(trained.exitCode == 0, qPrintable(trained.err));
        const QJsonObject result = lastObject(trained.out);
        QStringList keys = result.keys();
        QCOMPARE(keys, (QStringList{"epochs", "labelledVoxels", "loss", "model", "network", "parameters", "seconds", "validation"}));
        QCOMPARE(result["model"].toString(), model);
        QCOMPARE(result["network"].toString(), "tunet");
        QCOMPARE(result["epochs"].toInt(), 6);
        QCOMPARE(result["labelledVoxels"].toInt(), 55);
        QVERIFY(!result["validation"].toObject()["note"].toString().isEmpty());
        QVERIFY(trained.out.contains("\"event\":\"epoch\"") && trained.out.contains("\"stage\":\"train\""));

        const QString mask = path("mask.tif");
        QCOMPARE(runEngine({"predict", "--image", path("image.tif"), "--model", model, "--output", mask, "--json"}).exitCode, 0);
        const Finished scored = runEngine({"evaluate", "--truth", path("truth.tif"), "--prediction", mask, "--json"});
        QVERIFY2(scored.exitCode == 0, qPrintable(scored.err));
        QVERIFY2(lastObject(scored.out)["meanIoU"].toDouble() > 0.85, qPrintable(scored.out));
        QVERIFY(runEngine({"models", "show", model, "--json"}).out.contains("bright grain"));
    }

    void badInputIsExplained_data()
    {
        QTest::addColumn<QString>("annotations");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("said");
        QTest::newRow("a single class") << "single.tif" << QStringList{} << 1 << "format" << "only class 2";
        QTest::newRow("no strokes") << "empty.tif" << QStringList{} << 1 << "format" << "no label";
        QTest::newRow("another shape") << "other.tif" << QStringList{} << 1 << "shape" << "5×70×92";
        QTest::newRow("missing annotations") << "nothing.tif" << QStringList{} << 1 << "io" << "nothing.tif";
        QTest::newRow("unknown setting") << "strokes.tif" << QStringList{"--set", "layers=3"} << 1 << "model" << "base_channels";
        QTest::newRow("setting without value") << "strokes.tif" << QStringList{"--set", "depth"} << 2 << "usage" << "key=value";
        QTest::newRow("class without name") << "strokes.tif" << QStringList{"--class", "3"} << 2 << "usage" << "ID=NAME";
        QTest::newRow("unknown network") << "strokes.tif" << QStringList{"--network", "resnet"} << 2 << "usage" << "resnet";
        QTest::newRow("missing initial model") << "strokes.tif" << QStringList{"--init", "none.safetensors"} << 1 << "io" << "none.safetensors";
        QTest::newRow("time and epochs") << "strokes.tif" << QStringList{"--seconds", "5"} << 2 << "usage" << "--epochs";
    }

    void badInputIsExplained()
    {
        QFETCH(QString, annotations);
        QFETCH(QStringList, options);
        QFETCH(int, exitCode);
        QFETCH(QString, code);
        QFETCH(QString, said);
        const QString model = path("refused.safetensors");
        const Finished refused = train(annotations, model, QStringList{"--epochs", "1"} + options);
        QCOMPARE(refused.exitCode, exitCode);
        const QJsonObject error = lastObject(refused.out)["error"].toObject();
        QCOMPARE(error["code"].toString(), code);
        QVERIFY2(error["message"].toString().contains(said), qPrintable(refused.out));
        QVERIFY2(refused.err.startsWith("error: ") && refused.err.count('\n') == 1, qPrintable(refused.err));
        QVERIFY(!std::filesystem::exists(model.toStdString()));
    }

    void anExistingModelIsKeptUnlessToldOtherwise()
    {
        const QString model = path("kept.safetensors");
        QFile file(model);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
        file.close();
        const QStringList quick{"--epochs", "1", "--set", "depth=2", "--set", "base_channels=4"};
        const Finished refused = train("strokes.tif", model, quick);
        QCOMPARE(refused.exitCode, 1);
        QVERIFY(refused.err.contains("--overwrite"));
        QCOMPARE(QFileInfo(model).size(), 4);
        QCOMPARE(train("strokes.tif", model, quick + QStringList{"--overwrite"}).exitCode, 0);
        QVERIFY(QFileInfo(model).size() > 1000);
    }

    void aFolderThatCannotBeWrittenIsToldBeforeTraining()
    {
        const Finished refused = train("strokes.tif", path("nowhere/model.safetensors"), {"--seconds", "600"});
        QCOMPARE(refused.exitCode, 1);
        QCOMPARE(lastObject(refused.out)["error"].toObject()["code"].toString(), "io");
        QVERIFY(!refused.out.contains("\"stage\":\"train\""));
        QVERIFY(train("strokes.tif", m_folder.path(), {"--seconds", "600"}).err.contains("is a folder"));
    }

    void interruptingLeavesNothingBehind()
    {
        const QString model = path("never.safetensors");
        QProcess process;
        process.start(QStringLiteral(VOXELSCRIBE_ENGINE), arguments("strokes.tif", model, {"--seconds", "600"}));
        QByteArray out;
        QTRY_VERIFY_WITH_TIMEOUT((out += process.readAllStandardOutput()).contains("\"stage\":\"train\""), 60000);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(30000));
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(QDir(m_folder.path()).entryList({"*never*"}, QDir::Files | QDir::Hidden).isEmpty());
    }

private:
    QString path(const QString& name) const { return m_folder.path() + QLatin1Char('/') + name; }

    QStringList arguments(const QString& annotations, const QString& model, const QStringList& options) const
    {
        return QStringList{"train", "--image", path("image.tif"), "--annotations", path(annotations), "--model", model} + options
               + QStringList{"--threads", "1", "--json"};
    }

    Finished train(const QString& annotations, const QString& model, const QStringList& options) const
    {
        return runEngine(arguments(annotations, model, options));
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestTrainCli)
#include "tst_train_cli.moc"
