#include "core/base/error.h"
#include "core/io/writer.h"
#include "core/io/zarr_array.h"
#include "support/random_model.h"
#include "support/run_program.h"

#include <QDirIterator>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <csignal>
#include <random>
#include <sys/mount.h>

using namespace voxelscribe;
using nlohmann::json;

namespace {

/// Blurred noise: every class of a random network wins somewhere.
void writeImage(const QString& path, const Extent& extent, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<std::uint16_t> values(static_cast<std::size_t>(extent.voxels()));
    for (auto& value : values)
        value = static_cast<std::uint16_t>(random() % 1000);
    io::WriteSpec spec;
    spec.extent = extent;
    spec.dtype = DType::uint16;
    spec.voxelSizeUm = VoxelSizeUm{2, 0.5, 0.5};
    const auto writer = io::createWriter(path.toStdString(), spec, true);
    writer->write(std::as_bytes(std::span(values)));
    writer->finish();
}

void writeModel(const QString& path, const nn::NetworkSpec& spec, std::uint64_t seed, std::uint16_t lastId = 5)
{
    ModelContract contract = test::contractFor(spec.classes);
    contract.classes.back().id = lastId;
    contract.classes[1].name = "Porenraum (größer)";
    test::randomNetwork(spec, seed)->save(path.toStdString(), contract);
}

/// All files below a folder with their bytes.
QMap<QString, QByteArray> treeOf(const QString& folder)
{
    QMap<QString, QByteArray> tree;
    for (QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); it.hasNext();) {
        QFile file(it.next());
        if (file.open(QIODevice::ReadOnly))
            tree[QDir(folder).relativeFilePath(file.fileName())] = file.readAll();
    }
    return tree;
}

/// Files that are not in both folders with the same bytes.
QStringList differingFiles(const QString& a, const QString& b)
{
    const auto one = treeOf(a);
    const auto other = treeOf(b);
    QSet<QString> all(one.keyBegin(), one.keyEnd());
    all.unite(QSet<QString>(other.keyBegin(), other.keyEnd()));
    QStringList names;
    for (const QString& name : all)
        if (!one.contains(name) || !other.contains(name) || one[name] != other[name])
            names << name;
    return names;
}

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QJsonObject lastLine(const QString& out)
{
    const QStringList lines = out.trimmed().split(QLatin1Char('\n'));
    return QJsonDocument::fromJson(lines.last().toUtf8()).object();
}

QString errorText(const test::Finished& finished)
{
    return lastLine(finished.out).value(QStringLiteral("error")).toObject().value(QStringLiteral("message")).toString();
}

QString errorCode(const test::Finished& finished)
{
    return lastLine(finished.out).value(QStringLiteral("error")).toObject().value(QStringLiteral("code")).toString();
}

} // namespace

class TestPredictCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_dir.isValid());
        writeImage(path("image ä.tif"), {12, 217, 189}, 1);
        writeModel(path("tunet.safetensors"), {"tunet", {{"depth", 3}, {"base_channels", 4}}, 1, 3}, 3);
        writeModel(path("msdnet.safetensors"), {"msdnet", {{"num_layers", 4}}, 1, 3}, 4);
    }

    void noBitDependsOnTheTile_data()
    {
        QTest::addColumn<QString>("model");
        QTest::newRow("TUNet") << "tunet.safetensors";
        QTest::newRow("MSDNet") << "msdnet.safetensors";
    }

    void noBitDependsOnTheTile()
    {
        QFETCH(QString, model);
        writeImage(path("odd.tif"), {3, 517, 389}, 2);
        QMap<QString, QByteArray> first;
        for (const char* tile : {"64", "200", "1000"}) {
            const auto done = test::runEngine({"predict", "--image", path("odd.tif"), "--model", path(model), "--output", path("tiled.zarr"), "--tile", tile,
                                               "--overwrite", "--json"});
            QVERIFY2(done.exitCode == 0, qPrintable(done.err));
            const auto tree = treeOf(path("tiled.zarr"));
            QVERIFY(tree.size() > 4);
            if (first.isEmpty())
                first = tree;
            QVERIFY(tree == first);
        }
    }

    void resumesAfterAKill_data()
    {
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("work");
        QTest::newRow("Zarr") << "killed.zarr" << "killed.zarr";
        QTest::newRow("TIFF") << "killed.tif" << "killed.tif.work.zarr";
        QTest::newRow("HDF5") << "killed.h5" << "killed.h5.work.zarr";
    }

    void resumesAfterAKill()
    {
        QFETCH(QString, output);
        QFETCH(QString, work);
        const auto arguments = [&](const QString& folder) {
            QDir(m_dir.path()).mkpath(folder);
            return QStringList{"predict", "--image", path("image ä.tif"), "--model", path("msdnet.safetensors"), "--output", path(folder + "/" + output),
                               "--confidence", path(folder + "/confidence.zarr"), "--probabilities", path(folder + "/probabilities.zarr"), "--json"};
        };
        const QString undisturbedFolder = QStringLiteral("undisturbed ") + output;
        const QString folder = QStringLiteral("disturbed ") + output;
        const auto undisturbed = test::runEngine(arguments(undisturbedFolder));
        QVERIFY2(undisturbed.exitCode == 0, qPrintable(undisturbed.err));
        QCOMPARE(lastLine(undisturbed.out).value("chunksComputed").toInt(), 12);
        QVERIFY(killAfterChunks(arguments(folder), 4));
        QVERIFY(QFileInfo(path(folder + "/" + work)).isDir());
        QCOMPARE(QFileInfo::exists(path(folder + "/" + output)), work == output); // nothing half-written under a final name but a store that says so
        QCOMPARE(io::readNgffAttributes(path(folder + "/" + work).toStdString()).at("complete").get<bool>(), false);

        const auto refused = test::runEngine(arguments(folder));
        QCOMPARE(refused.exitCode, 1);
        QVERIFY2(errorText(refused).contains(QStringLiteral("--resume")), qPrintable(refused.out));

        const auto resumed = test::runEngine(arguments(folder) + QStringList{"--resume"});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.err));
        const QJsonObject result = lastLine(resumed.out);
        QVERIFY(result.value("chunksReused").toInt() >= 4);
        QCOMPARE(result.value("chunksReused").toInt() + result.value("chunksComputed").toInt(), 12);
        QCOMPARE(differingFiles(path(folder), path(undisturbedFolder)).join(QLatin1Char(' ')), QString());
        QCOMPARE(QFileInfo::exists(path(folder + "/" + work)), work == output);

        const auto again = test::runEngine(arguments(folder) + QStringList{"--resume"});
        QVERIFY2(again.exitCode == 0, qPrintable(again.err));
        QCOMPARE(lastLine(again.out).value("chunksComputed").toInt(), 0);
        QCOMPARE(differingFiles(path(folder), path(undisturbedFolder)).join(QLatin1Char(' ')), QString());
    }

    void resumingAFinishedRunDoesNothing()
    {
        for (const QString& output : {QStringLiteral("finished.zarr"), QStringLiteral("finished.tif"), QStringLiteral("finished.h5")}) {
            const QStringList arguments{"predict", "--image", path("image ä.tif"), "--model", path("tunet.safetensors"), "--output", path(output), "--slices", "2:4", "--json", "--resume"};
            QCOMPARE(test::runEngine(arguments).exitCode, 0); // nothing to resume: an ordinary run
            const auto before = output.endsWith(QStringLiteral("zarr")) ? treeOf(path(output)) : QMap<QString, QByteArray>{{output, bytesOf(path(output))}};
            const auto again = test::runEngine(arguments);
            QVERIFY2(again.exitCode == 0, qPrintable(again.err));
            QCOMPARE(lastLine(again.out).value("chunksReused").toInt(), 2);
            QCOMPARE(lastLine(again.out).value("chunksComputed").toInt(), 0);
            QVERIFY(before == (output.endsWith(QStringLiteral("zarr")) ? treeOf(path(output)) : QMap<QString, QByteArray>{{output, bytesOf(path(output))}}));
        }
    }

    void resumeRefusesAnotherRun_data()
    {
        QTest::addColumn<QString>("image");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("slices");
        QTest::addColumn<QString>("word");
        QTest::newRow("another model") << "image ä.tif" << "msdnet.safetensors" << "0:3" << "the model";
        QTest::newRow("an image with other values") << "other.tif" << "tunet.safetensors" << "0:3" << "the image's content";
        QTest::newRow("an image of another extent") << "small.tif" << "tunet.safetensors" << "0:3" << "the image's extent";
        QTest::newRow("other slices") << "image ä.tif" << "tunet.safetensors" << "0:4" << "the setting slices";
    }

    void resumeRefusesAnotherRun()
    {
        QFETCH(QString, image);
        QFETCH(QString, model);
        QFETCH(QString, slices);
        QFETCH(QString, word);
        writeImage(path("other.tif"), {12, 217, 189}, 77);
        writeImage(path("small.tif"), {5, 33, 47}, 1);
        const auto arguments = [&](const QString& i, const QString& m, const QString& s) {
            return QStringList{"predict", "--image", path(i), "--model", path(m), "--slices", s, "--output", path("mine.zarr"), "--json"};
        };
        if (!QFileInfo::exists(path("mine.zarr")))
            QCOMPARE(test::runEngine(arguments("image ä.tif", "tunet.safetensors", "0:3")).exitCode, 0);
        const auto before = treeOf(path("mine.zarr"));
        const auto refused = test::runEngine(arguments(image, model, slices) + QStringList{"--resume"});
        QCOMPARE(refused.exitCode, 1);
        QVERIFY2(errorText(refused).contains(word), qPrintable(refused.out));
        QVERIFY(treeOf(path("mine.zarr")) == before);
    }

    void pythonFindsTheSameEverywhere()
    {
        for (const char* output : {"all.zarr", "all.tif", "all.h5", "series/"}) {
            const auto done = test::runEngine({"predict", "--image", path("image ä.tif"), "--model", path("tunet.safetensors"), "--output", path(output),
                                               "--slices", "3:9", "--overwrite", "--json", "--confidence", path("confidence.h5"), "--probabilities", path("probabilities.h5")});
            QVERIFY2(done.exitCode == 0, qPrintable(done.err));
        }
        const auto python = test::runPython(QStringLiteral(R"(
import sys, os, json, glob, numpy as np, zarr, h5py, tifffile
d = sys.argv[1]
g = zarr.open(d + '/all.zarr', 'r'); m = g['0'][:]
assert m.shape == (12, 217, 189) and m.dtype == np.uint8
assert set(np.unique(m)) <= {0, 1, 3, 5} and len(np.unique(m[3:9])) > 1 and (m[3:9] > 0).all(), np.unique(m)
assert not m[:3].any() and not m[9:].any()
a = dict(g.attrs)
assert a['complete'] is True and a['class_ids'] == [1, 3, 5] and a['class_names'][1] == 'Porenraum (größer)' and a['unit'] == 'um', a
assert a['voxel_size'] == [2, .5, .5] and len(a['model_sha256']) == 64 and len(a['run_id']) == 36
assert [c['label-value'] for c in a['image-label']['colors']] == [1, 3, 5]
assert np.array_equal(tifffile.imread(d + '/all.tif'), m)
text = tifffile.TiffFile(d + '/all.tif').pages[0].description
t = json.loads([l for l in text.splitlines() if l.startswith('{')][0])
assert t['run_id'] == a['run_id'] and t['class_names'] == a['class_names'], t
assert np.array_equal(np.stack([tifffile.imread(f) for f in sorted(glob.glob(d + '/series/*.tif'))]), m)
def first(f):
    found = []
    f.visititems(lambda n, o: found.append(o) if isinstance(o, h5py.Dataset) and o.ndim >= 3 else None)
    return found[0]
h = first(h5py.File(d + '/all.h5', 'r'))
assert np.array_equal(h[:], m) and h.attrs['run_id'] in (a['run_id'], a['run_id'].encode()) and list(h.attrs['class_ids']) == [1, 3, 5]
p = first(h5py.File(d + '/probabilities.h5', 'r'))[:]; c = first(h5py.File(d + '/confidence.h5', 'r'))[:]
assert p.shape == (3, 12, 217, 189) and p.dtype == np.float32 and c.dtype == np.uint8
assert np.allclose(p[:, 3:9].sum(0), 1, atol=1e-5) and not p[:, :3].any()
assert np.array_equal(np.array([1, 3, 5])[p.argmax(0)[3:9]], m[3:9])
assert abs(c[3:9] - 255 * p.max(0)[3:9]).max() <= .51
assert not glob.glob(d + '/*.work.zarr')
)"), {m_dir.path()});
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
    }

    void wideIdsGiveAWideMask()
    {
        writeModel(path("wide.safetensors"), {"msdnet", {{"num_layers", 2}}, 1, 3}, 4, 4000);
        const auto done = test::runEngine({"predict", "--image", path("image ä.tif"), "--model", path("wide.safetensors"), "--output", path("wide.zarr"), "--slices", "0:1"});
        QVERIFY2(done.exitCode == 0, qPrintable(done.err));
        const auto array = io::openNgff(path("wide.zarr").toStdString());
        QCOMPARE(array.spec().dtype, DType::uint16);
        std::vector<std::uint16_t> ids(217 * 189);
        QVERIFY(array.readChunk({{0, 0, 0}, 0}, std::as_writable_bytes(std::span(ids))));
        QVERIFY(std::ranges::find(ids, 4000) != ids.end());
    }

    void theSliceInViewComesFirst()
    {
        const auto done = test::runEngine({"predict", "--image", path("image ä.tif"), "--model", path("tunet.safetensors"), "--output", path("first.zarr"), "--slices", "2:8",
                                           "--first", "5", "--voxel-size", "3,2,1", "--json"});
        QVERIFY2(done.exitCode == 0, qPrintable(done.err));
        QList<int> order;
        for (const QString& line : done.out.split(QLatin1Char('\n')))
            if (const QJsonObject event = QJsonDocument::fromJson(line.toUtf8()).object(); event.value("event") == QStringLiteral("chunk"))
                order << event.value("slice").toInt();
        QCOMPARE(order, (QList<int>{5, 4, 6, 3, 7, 2}));
        QVERIFY(io::readNgffAttributes(path("first.zarr").toStdString()).at("voxel_size") == (json{3.0, 2.0, 1.0}));
    }

    void stopsCleanlyWhenInterrupted()
    {
        writeImage(path("many.tif"), {300, 217, 189}, 5);
        QProcess engine;
        engine.start(QStringLiteral(VOXELSCRIBE_ENGINE), {"predict", "--image", path("many.tif"), "--model", path("tunet.safetensors"), "--output", path("stopped.zarr"), "--json"});
        QVERIFY(waitForChunks(engine, 2));
        ::kill(static_cast<pid_t>(engine.processId()), SIGINT);
        QVERIFY(engine.waitForFinished(60000));
        QCOMPARE(engine.exitCode(), 130);
        const auto array = io::openNgff(path("stopped.zarr").toStdString());
        QVERIFY(array.hasChunk({{1, 0, 0}, 0}) && !array.hasChunk({{299, 0, 0}, 0}));
        QCOMPARE(io::readNgffAttributes(path("stopped.zarr").toStdString()).at("complete").get<bool>(), false);
    }

    void aFullDiskKeepsWhatIsDone()
    {
        const QString disk = path("disk");
        QDir().mkpath(disk);
        if (::mount("tmpfs", disk.toLocal8Bit().constData(), "tmpfs", 0, "size=256k") != 0)
            QSKIP("no right to mount a small file system here");
        const auto unmount = qScopeGuard([&] { ::umount(disk.toLocal8Bit().constData()); });
        writeImage(path("noise.tif"), {40, 217, 189}, 9);
        const QStringList arguments{"predict", "--image", path("noise.tif"), "--model", path("msdnet.safetensors"), "--json", "--output"};
        const auto full = test::runEngine(arguments + QStringList{disk + "/mask.zarr"});
        QCOMPARE(full.exitCode, 1);
        QCOMPARE(errorCode(full), QStringLiteral("io"));
        QVERIFY2(errorText(full).contains(QStringLiteral("mask.zarr")) && errorText(full).contains(QStringLiteral("space")), qPrintable(full.out));
        QVERIFY(io::openNgff((disk + "/mask.zarr").toStdString()).hasChunk({{0, 0, 0}, 0}));
        QCOMPARE(::mount("tmpfs", disk.toLocal8Bit().constData(), "tmpfs", MS_REMOUNT, "size=64m"), 0);
        const auto resumed = test::runEngine(arguments + QStringList{disk + "/mask.zarr", "--resume"});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.err));
        QVERIFY(lastLine(resumed.out).value("chunksReused").toInt() > 0);
        QCOMPARE(test::runEngine(arguments + QStringList{path("roomy.zarr")}).exitCode, 0);
        QCOMPARE(differingFiles(disk + "/mask.zarr", path("roomy.zarr")).join(QLatin1Char(' ')), QString());
    }

    void refusesWithWords_data()
    {
        QTest::addColumn<QStringList>("change"); // option, value
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("word");
        const auto row = [](const char* name, QStringList change, int exitCode, const char* code, const char* word) {
            QTest::newRow(name) << change << exitCode << QString::fromLatin1(code) << QString::fromUtf8(word);
        };
        row("missing image", {"--image", "nowhere.tif"}, 1, "io", "nowhere.tif");
        row("missing model", {"--model", "nowhere.safetensors"}, 1, "io", "nowhere.safetensors");
        row("model of three channels", {"--model", "colour.safetensors"}, 1, "model", "3 channels");
        row("model from a newer version", {"--model", "newer.safetensors"}, 1, "model", "newer Voxelscribe");
        row("model cut off", {"--model", "cut.safetensors"}, 1, "model", "truncated");
        row("image as model", {"--model", "image ä.tif"}, 1, "model", "safetensors");
        row("unknown output format", {"--output", "mask.xyz"}, 1, "format", ".zarr");
        row("output folder missing", {"--output", "nowhere/mask.zarr"}, 1, "io", "does not exist");
        row("output is a folder of other files", {"--output", "foreign.zarr"}, 1, "io", "other files");
        row("probabilities as TIFF", {"--probabilities", "p.tif"}, 1, "format", ".h5");
        row("the same name twice", {"--confidence", "refused.zarr"}, 1, "io", "two outputs");
        row("slices outside", {"--slices", "3:99"}, 1, "shape", "12");
        row("slices that are none", {"--slices", "a:b"}, 2, "usage", "--slices");
        row("voxel size that is none", {"--voxel-size", "1,2"}, 2, "usage", "--voxel-size");
        row("a device that is not there", {"--device", "cuda:0"}, 1, "device", "cuda:0");
        row("too little memory", {"--memory", "1MiB"}, 1, "memory", "--memory");
        row("existing output", {"--output", "exists.tif"}, 1, "io", "--overwrite");
    }

    void refusesWithWords()
    {
        QFETCH(QStringList, change);
        QFETCH(int, exitCode);
        QFETCH(QString, code);
        QFETCH(QString, word);
        makeBadInputs();
        QStringList arguments{"predict", "--json", "--image", "image ä.tif", "--model", "tunet.safetensors", "--output", "refused.zarr"};
        if (const auto at = arguments.indexOf(change.front()); at >= 0)
            arguments[at + 1] = change.back();
        else
            arguments << change;
        QProcess engine;
        engine.setWorkingDirectory(m_dir.path());
        engine.start(QStringLiteral(VOXELSCRIBE_ENGINE), arguments);
        QVERIFY(engine.waitForFinished(120000));
        const test::Finished finished{engine.exitCode(), QString::fromUtf8(engine.readAllStandardOutput()), QString::fromUtf8(engine.readAllStandardError())};
        QCOMPARE(finished.exitCode, exitCode);
        QCOMPARE(errorCode(finished), code);
        QVERIFY2(errorText(finished).contains(word), qPrintable(finished.out));
        QVERIFY2(!QFileInfo::exists(path("refused.zarr")), "something was left under the output's name");
    }

    void saysThatTheNetworksAreMissing()
    {
        qputenv("VOXELSCRIBE_NN_LIBRARY", "/nowhere/libvoxelscribe-nn.so");
        const auto finished = test::runEngine({"selftest", "--json"});
        qunsetenv("VOXELSCRIBE_NN_LIBRARY");
        QCOMPARE(finished.exitCode, 1);
        QCOMPARE(errorCode(finished), QStringLiteral("device"));
        QVERIFY(errorText(finished).contains(QStringLiteral("/nowhere/libvoxelscribe-nn.so")));
    }

    void selftestPasses()
    {
        const auto finished = test::runEngine({"selftest"});
        QVERIFY2(finished.exitCode == 0, qPrintable(finished.err));
        QVERIFY(finished.out.contains(QStringLiteral("self-test passed")));
    }

    void modelsTellTheirContracts()
    {
        makeBadInputs();
        const auto show = test::runEngine({"models", "show", path("tunet.safetensors"), "--json"});
        QCOMPARE(show.exitCode, 0);
        QCOMPARE(lastLine(show.out).value("network").toString(), QStringLiteral("tunet"));
        QCOMPARE(lastLine(show.out).value("halo").toInt(), 24);
        const auto verify = test::runEngine({"models", "verify", path("msdnet.safetensors"), "--image", path("image ä.tif"), "--json"});
        QVERIFY2(verify.exitCode == 0, qPrintable(verify.err));
        QCOMPARE(lastLine(verify.out).value("verified").toBool(), true);
        const auto list = test::runEngine({"models", "list", m_dir.path()});
        QCOMPARE(list.exitCode, 0);
        QVERIFY(list.out.contains(QStringLiteral("newer Voxelscribe")) && list.out.contains(QStringLiteral("Porenraum (größer)")));
        QCOMPARE(test::runEngine({"models", "verify", path("cut.safetensors")}).exitCode, 1);
        QCOMPARE(test::runEngine({"models", "paint", path("cut.safetensors")}).exitCode, 2);
    }

    void infoLoadsNoLibTorch()
    {
        const auto ldd = test::runProgram(QStringLiteral("ldd"), {QStringLiteral(VOXELSCRIBE_ENGINE)});
        QCOMPARE(ldd.exitCode, 0);
        QVERIFY(!ldd.out.contains(QStringLiteral("libtorch")) && !ldd.out.contains(QStringLiteral("libc10")));
    }

private:
    QString path(const QString& name) const { return m_dir.filePath(name); }

    void makeBadInputs()
    {
        if (QFileInfo::exists(path("cut.safetensors")))
            return;
        writeModel(path("colour.safetensors"), {"msdnet", {{"num_layers", 2}}, 3, 3}, 4);
        Safetensors content = readSafetensors(path("tunet.safetensors").toStdString());
        json contract = json::parse(content.metadata.at("voxelscribe"));
        contract["formatVersion"] = 99;
        content.metadata["voxelscribe"] = contract.dump();
        writeSafetensors(path("newer.safetensors").toStdString(), content);
        QFile cut(path("cut.safetensors"));
        const QByteArray whole = bytesOf(path("tunet.safetensors"));
        QVERIFY(cut.open(QIODevice::WriteOnly) && cut.write(whole.left(whole.size() - 100)) > 0);
        QDir(m_dir.path()).mkpath("foreign.zarr");
        QFile foreign(path("foreign.zarr/letter.txt"));
        QVERIFY(foreign.open(QIODevice::WriteOnly) && foreign.write("dear") == 4);
        QVERIFY(QFile::copy(path("image ä.tif"), path("exists.tif")));
    }

    static bool waitForChunks(QProcess& engine, int chunks)
    {
        QByteArray out;
        while (out.count("\"event\":\"chunk\"") < chunks) {
            if (!engine.waitForReadyRead(120000))
                return false;
            out += engine.readAllStandardOutput();
        }
        return true;
    }

    static bool killAfterChunks(const QStringList& arguments, int chunks)
    {
        QProcess engine;
        engine.start(QStringLiteral(VOXELSCRIBE_ENGINE), arguments);
        if (!waitForChunks(engine, chunks))
            return false;
        engine.kill();
        return engine.waitForFinished(30000) && engine.exitStatus() == QProcess::CrashExit;
    }

    QTemporaryDir m_dir;
};

QTEST_GUILESS_MAIN(TestPredictCommand)
#include "tst_predict_command.moc"
