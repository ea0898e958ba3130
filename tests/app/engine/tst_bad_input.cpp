#include "core/model/safetensors.h"
#include "work_folder.h"

#include <nlohmann/json.hpp>
#include <QtTest/QtTest>

using namespace voxelscribe::test;

namespace {

/// A command line with IN for what is bad and OUT for what must not come into being.
struct CommandLine {
    const char* name;
    QStringList arguments;
    QStringList outputs; ///< OUT, in turn
};

QList<CommandLine> readingCommands()
{
    return {
        {"info", {"info", "IN", "--stats"}, {QString()}},
        {"convert", {"convert", "IN", "OUT"}, {"o.h5", "o series/"}},
        {"export", {"export", "IN", "OUT"}, {"o.tif"}},
        {"evaluate", {"evaluate", "--truth", "truth.tif", "--prediction", "IN"}, {QString()}},
        {"predict", {"predict", "--image", "IN", "--model", "Modell ä.safetensors", "--output", "OUT"}, {"o.tif", "o.zarr"}},
        {"train on it", {"train", "--image", "IN", "--annotations", "strokes.tif", "--model", "OUT", "--epochs", "1"}, {"o.safetensors"}},
        {"train with it", {"train", "--image", "Bild ü.tif", "--annotations", "IN", "--model", "OUT", "--epochs", "1"}, {"o.safetensors"}},
    };
}

QStringList filled(QStringList arguments, const QString& input, const QString& output)
{
    for (QString& argument : arguments)
        argument = argument == QStringLiteral("IN") ? input : argument == QStringLiteral("OUT") ? output : argument;
    return arguments;
}

void addRow(const QString& name, const QStringList& arguments, const char* code, const QStringList& says)
{
    QTest::newRow(qPrintable(name)) << arguments << QString::fromLatin1(code) << says;
}

} // namespace

/// What a person gets to read for each kind of bad input, and that nothing is left behind.
class TestBadInput : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_here.isValid());
        QCOMPARE(m_here.run({"phantom", "Bild ü.tif", "--shape", "5,70,93", "--labels", "truth.tif", "--strokes", "strokes.tif"}).exitCode, 0);
        const Finished trained = m_here.run({"train", "--image", "Bild ü.tif", "--annotations", "strokes.tif", "--model", "Modell ä.safetensors",
                                             "--epochs", "1", "--set", "depth=2", "--set", "base_channels=4"});
        QVERIFY2(trained.exitCode == 0, qPrintable(trained.err));
        makeImages();
        makeAnnotations();
        makeModels();
        m_before = m_here.names();
    }

    void isExplained_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QStringList>("says");
        addImages();
        addModels();
        addAnnotations();
    }

    void isExplained()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, code);
        QFETCH(QStringList, says);
        const Finished refused = m_here.run(arguments + QStringList{"--json", "--threads", "1"});
        verifyRefusal(refused, code, says);
        QCOMPARE(m_here.names(), m_before);
    }

    void aFolderThatMayNotBeWrittenIsNamed_data()
    {
        QTest::addColumn<QStringList>("arguments");
        for (const char* output : {"zu/o.tif", "zu/o.h5", "zu/o.zarr", "zu/o/"}) {
            QTest::addRow("convert to %s", output) << QStringList{"convert", "Bild ü.tif", output};
            QTest::addRow("predict to %s", output) << QStringList{"predict", "--image", "Bild ü.tif", "--model", "Modell ä.safetensors", "--output", output};
        }
        QTest::newRow("phantom") << QStringList{"phantom", "zu/o.tif", "--shape", "3,20,30"};
        QTest::newRow("export") << QStringList{"export", "truth.tif", "zu/o.tif"};
        QTest::newRow("train") << QStringList{"train", "--image", "Bild ü.tif", "--annotations", "strokes.tif", "--model", "zu/o.safetensors", "--seconds", "600"};
    }

    void aFolderThatMayNotBeWrittenIsNamed()
    {
        QFETCH(QStringList, arguments);
        // For root only a read-only file system is one that may not be written.
        QDir(m_here.path()).mkdir(QStringLiteral("zu"));
        const SmallDisk disk(m_here.path(QStringLiteral("zu")), "size=32m", MS_RDONLY);
        if (!disk.isThere() && ::geteuid() == 0)
            QSKIP("no right to mount a read-only file system here");
        if (!disk.isThere())
            QFile::setPermissions(m_here.path(QStringLiteral("zu")), QFile::ReadOwner | QFile::ExeOwner);
        const Finished refused = m_here.run(arguments + QStringList{"--json", "--threads", "1"});
        verifyRefusal(refused, QStringLiteral("io"), {"zu", "choose a folder that you may write to"});
        QVERIFY(!refused.out.contains(QStringLiteral("\"stage\":\"train\""))); // told before the work, not after it
        QCOMPARE(m_here.names(QStringLiteral("zu")), QStringList());
    }

    void pathsWithUmlautsAndSpacesWork()
    {
        QDir(m_here.path()).mkpath(QStringLiteral("Übung ß/naïve Köpfe 日本"));
        const QString folder = QStringLiteral("Übung ß/naïve Köpfe 日本/");
        const QList<QStringList> job{
            {"phantom", folder + "Stapel ä/", "--shape", "4,70,93", "--labels", folder + "Wahrheit.zarr", "--strokes", folder + "Striche.h5"},
            {"info", folder + "Stapel ä", "--stats"},
            {"convert", folder + "Stapel ä", folder + "Stapel ö.h5"},
            {"train", "--image", folder + "Stapel ö.h5", "--annotations", folder + "Striche.h5", "--model", folder + "Modell.safetensors", "--epochs", "1", "--set", "depth=2", "--set", "base_channels=4"},
            {"models", "show", folder + "Modell.safetensors"},
            {"predict", "--image", folder + "Stapel ä", "--model", folder + "Modell.safetensors", "--output", folder + "Maske.zarr", "--confidence", folder + "Güte.tif"},
            {"evaluate", "--truth", folder + "Wahrheit.zarr", "--prediction", folder + "Maske.zarr"},
            {"export", folder + "Maske.zarr", folder + "Maske für Gäste.tif", "--colour-table"},
        };
        for (const QStringList& command : job) {
            const Finished done = m_here.run(command + QStringList{"--json"});
            QVERIFY2(done.exitCode == 0, qPrintable(command.first() + ": " + done.err));
        }
        QVERIFY(QFileInfo(m_here.path(folder + "Maske für Gäste.tif")).size() > 1000);
        QDir(m_here.path(QStringLiteral("Übung ß"))).removeRecursively();
    }

private:
    static void verifyRefusal(const Finished& refused, const QString& code, const QStringList& says)
    {
        QCOMPARE(refused.exitCode, 1);
        const QJsonObject error = lastObject(refused.out)["error"].toObject();
        const QString message = error["message"].toString();
        for (const QString& word : says)
            QVERIFY2(message.contains(word), qPrintable(QStringLiteral("\"%1\" is missing in: %2").arg(word, message)));
        QCOMPARE(error["code"].toString(), code);
        QVERIFY2(message.contains(u';') || message.contains(QStringLiteral(". ")), qPrintable("no advice: " + message));
        QCOMPARE(refused.err.count(u'\n'), refused.err.count(QStringLiteral("warning: ")) + 1);
        QVERIFY2(refused.err.contains("error: " + message + "\n"), qPrintable(refused.err));
    }

    void makeImages() const
    {
        const QByteArray whole = m_here.bytes(QStringLiteral("Bild ü.tif"));
        m_here.write(QStringLiteral("cut.tif"), whole.left(whole.size() / 2));
        m_here.write(QStringLiteral("empty.tif"), {});
        m_here.write(QStringLiteral("empty.h5"), {});
        m_here.write(QStringLiteral("letter.tif"), "Dear Sir, please find enclosed no image at all.");
        QDir(m_here.path()).mkdir(QStringLiteral("no images"));
        m_here.write(QStringLiteral("no images/notes.txt"), "scan 7");
        QDir(m_here.path()).mkdir(QStringLiteral("nothing"));
        const Finished made = runPython(QStringLiteral("import sys, os, numpy as np, h5py\n"
                                                       "os.chdir(sys.argv[1])\n"
                                                       "f = h5py.File('curve.h5', 'w'); f['curve'] = np.arange(9.); f['title'] = 'scan'; f.close()\n"
                                                       "f = h5py.File('whole.h5', 'w'); f['d'] = np.zeros((9, 70, 93), 'u2'); f.close()\n"
                                                       "b = open('whole.h5', 'rb').read(); open('cut.h5', 'wb').write(b[:len(b) // 2]); os.remove('whole.h5')\n"),
                                        {m_here.path()});
        QVERIFY2(made.exitCode == 0, qPrintable(made.err));
    }

    void makeAnnotations() const
    {
        const Finished made = runPython(QStringLiteral("import sys, os, numpy as np, tifffile\n"
                                                       "os.chdir(sys.argv[1])\n"
                                                       "s = tifffile.imread('strokes.tif')\n"
                                                       "tifffile.imwrite('other.tif', s[:, 1:, 2:])\n"
                                                       "tifffile.imwrite('single.tif', np.where(s > 0, 3, 0).astype('u1'))\n"
                                                       "tifffile.imwrite('none.tif', s * 0)\n"
                                                       "tifffile.imwrite('floats.tif', s.astype('f4') / 2)\n"
                                                       "tifffile.imwrite('negative.tif', s.astype('i2') - 1)\n"
                                                       "tifffile.imwrite('huge ids.tif', s.astype('u4') * 70000)\n"),
                                        {m_here.path()});
        QVERIFY2(made.exitCode == 0, qPrintable(made.err));
    }

    void makeModels() const
    {
        const auto sound = voxelscribe::readSafetensors(m_here.path(QStringLiteral("Modell ä.safetensors")).toStdString());
        const auto changed = [&](const QString& name, const char* key, int value) {
            auto content = sound;
            auto contract = nlohmann::json::parse(content.metadata.at("voxelscribe"));
            QVERIFY(contract.contains(key));
            contract[key] = value;
            content.metadata["voxelscribe"] = contract.dump();
            voxelscribe::writeSafetensors(m_here.path(name).toStdString(), content);
        };
        changed(QStringLiteral("colour.safetensors"), "inputChannels", 3);
        changed(QStringLiteral("newer.safetensors"), "formatVersion", 99);
        auto foreign = sound;
        foreign.metadata.erase("voxelscribe");
        voxelscribe::writeSafetensors(m_here.path(QStringLiteral("foreign.safetensors")).toStdString(), foreign);
        const QByteArray whole = m_here.bytes(QStringLiteral("Modell ä.safetensors"));
        m_here.write(QStringLiteral("cut.safetensors"), whole.left(whole.size() - 1000));
        m_here.write(QStringLiteral("head.safetensors"), whole.left(20));
        m_here.write(QStringLiteral("empty.safetensors"), {});
    }

    void addImages() const
    {
        struct Bad {
            const char* name;
            QString path;
            const char* code;
            QStringList says;
        };
        const QString cutBytes = QString::number(QFileInfo(m_here.path(QStringLiteral("cut.tif"))).size());
        const QList<Bad> inputs{
            {"a folder without images", "no images", "format", {"no images", "notes.txt", "no image", "expected a TIFF", "choose another"}},
            {"an empty folder", "nothing", "format", {"nothing", "expected a TIFF", "choose another"}},
            {"a truncated TIFF", "cut.tif", "format", {"cut.tif", "truncated", cutBytes, "copy it again"}},
            {"a truncated HDF5", "cut.h5", "format", {"cut.h5", "truncated", "copy or transfer it again"}},
            {"an HDF5 without an image", "curve.h5", "format", {"curve.h5", "two or more axes", "2 other data sets", "check whether it is the right file"}},
            {"a TIFF of 0 bytes", "empty.tif", "format", {"empty.tif", "0 bytes", "expected a TIFF", "copy or transfer it again"}},
            {"an HDF5 of 0 bytes", "empty.h5", "format", {"empty.h5", "0 bytes", "copy or transfer it again"}},
            {"a text under an image's name", "letter.tif", "format", {"letter.tif", "expected a TIFF"}},
            {"nothing under the name", "gone/away ö.tif", "io", {"gone/away ö.tif", "check the path"}},
        };
        for (const Bad& bad : inputs)
            for (const CommandLine& command : readingCommands())
                for (const QString& output : command.outputs)
                    addRow(QStringLiteral("%1: %2 %3").arg(bad.name, command.name, output), filled(command.arguments, bad.path, output), bad.code, bad.says);
    }

    static void addModels()
    {
        struct Bad {
            const char* path;
            const char* code;
            QStringList says;
        };
        const QList<Bad> models{
            {"colour.safetensors", "model", {"3 channels"}},
            {"newer.safetensors", "model", {"newer.safetensors", "newer Voxelscribe", "99"}},
            {"foreign.safetensors", "model", {"foreign.safetensors"}},
            {"cut.safetensors", "model", {"cut.safetensors", "truncated", "copy or transfer it again"}},
            {"head.safetensors", "model", {"head.safetensors", "20"}},
            {"empty.safetensors", "model", {"empty.safetensors", "0 bytes", "choose another model"}},
            {"Bild ü.tif", "model", {"Bild ü.tif", "not a sound model file"}},
            {"gone.safetensors", "io", {"gone.safetensors"}},
        };
        for (const Bad& bad : models) {
            for (const char* output : {"o.tif", "o.zarr"})
                addRow(QStringLiteral("predict with %1 to %2").arg(bad.path, output),
                       {"predict", "--image", "Bild ü.tif", "--model", bad.path, "--output", output}, bad.code, bad.says);
            addRow(QStringLiteral("go on training from %1").arg(bad.path),
                   {"train", "--image", "Bild ü.tif", "--annotations", "strokes.tif", "--model", "o.safetensors", "--epochs", "1", "--init", bad.path}, bad.code, bad.says);
        }
    }

    static void addAnnotations()
    {
        const auto add = [](const char* path, const char* code, const QStringList& says) {
            addRow(QStringLiteral("train with %1").arg(path),
                   {"train", "--image", "Bild ü.tif", "--annotations", path, "--model", "o.safetensors", "--epochs", "1"}, code, says);
        };
        add("other.tif", "shape", {"other.tif", "5×69×91", "5×70×93", "must have the image's shape"});
        add("single.tif", "format", {"single.tif", "only class 3"});
        add("none.tif", "format", {"none.tif", "no label"});
        add("floats.tif", "format", {"floats.tif", "float32", "integer"});
        add("negative.tif", "format", {"negative.tif", "-1"});
        add("huge ids.tif", "format", {"huge ids.tif", "65535"});
    }

    WorkFolder m_here;
    QStringList m_before;
};

QTEST_GUILESS_MAIN(TestBadInput)
#include "tst_bad_input.moc"
