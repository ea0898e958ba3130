#include "core/base/bytes.h"
#include "tests/bench/bench_open.h"
#include "tests/bench/bench_stack.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QProcess>

#include <exception>

using namespace voxelscribe;
using namespace voxelscribe::bench;

namespace {

struct Options {
    QString shape;
    QString memory;
    QString slices;
    QStringList networks;
    QString browse;
    int trainSeconds = 20;
};

/// What the libraries may take beside the budget that was asked for.
constexpr qint64 kLibraries = qint64{400} << 20;
constexpr qint64 kGibibyte = qint64{1} << 30;
constexpr double kFirstSliceMs = 1000;

/// Opening is measured in a process of its own, so that memory and caches are those of a window just started.
QJsonObject openingOf(const QString& path, bool cold, const QString& browse)
{
    if (cold)
        dropFromPageCache(path);
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(QCoreApplication::applicationFilePath(), {"show", path, "--browse", browse});
    if (!process.waitForFinished(-1) || process.exitCode() != 0)
        qFatal("showing %s failed", qPrintable(path));
    QJsonObject line = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    line["bench"] = QStringLiteral("open");
    line["cold"] = cold;
    line["good"] = line["firstSliceMs"].toDouble() < kFirstSliceMs && line["peakMemoryBytes"].toDouble() < static_cast<double>(kGibibyte + kLibraries);
    return line;
}

void benchOpen(BenchFolder& folder, const Options& options)
{
    const QStringList stacks{folder.series(options.shape), folder.converted(options.shape, "data.h5"), folder.converted(options.shape, "data.zarr")};
    for (const QString& stack : stacks)
        for (const bool cold : {true, false})
            tellLine(openingOf(stack, cold, options.browse));
}

void tellMemory(const QString& what, const QJsonObject& result, const Options& options)
{
    const qint64 limit = parseByteSize(options.memory.toStdString()) + kLibraries;
    const double peak = result["peakMemoryBytes"].toDouble();
    QJsonObject line{{"bench", "memory"}, {"command", what}, {"memory", options.memory}, {"seconds", result["seconds"]},
                     {"voxels", result["voxels"]}, {"peakMemoryBytes", peak}, {"limitBytes", limit},
                     {"ratio", peak / static_cast<double>(limit)}, {"good", peak < static_cast<double>(limit)}};
    if (result.contains("voxelsPerSecond"))
        line["voxelsPerSecond"] = result["voxelsPerSecond"];
    tellLine(line);
}

void benchMemory(BenchFolder& folder, const Options& options)
{
    const QString stack = folder.series(options.shape);
    for (const char* output : {"out.h5", "out.zarr", "out.tif"}) {
        tellMemory(QStringLiteral("convert to ") + output, folder.run({"convert", stack, folder.path(output), "--memory", options.memory, "--overwrite"}), options);
        QDir(folder.path(output)).removeRecursively();
        QFile::remove(folder.path(output));
    }
    const QStringList range = options.slices.isEmpty() ? QStringList() : QStringList{"--slices", options.slices};
    for (const QString& network : options.networks) {
        const QJsonObject done = folder.run(QStringList{"predict", "--image", stack, "--model", folder.model(network, options.trainSeconds), "--output",
                                                        folder.path("mask.tif"), "--memory", options.memory, "--overwrite"} + range);
        tellMemory(QStringLiteral("predict with ") + network, done, options);
    }
}

void addOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(QStringLiteral("Measures opening and memory on a simulated stack; a JSON line a measurement."));
    parser.addHelpOption();
    parser.addPositionalArgument(QStringLiteral("what"), QStringLiteral("open, memory or all"));
    parser.addOptions({
        {QStringLiteral("folder"), QStringLiteral("Where the data go meanwhile (three times the stack)."), QStringLiteral("dir"), QDir::tempPath()},
        {QStringLiteral("engine"), QStringLiteral("The engine to measure."), QStringLiteral("program"),
         QCoreApplication::applicationDirPath() + QStringLiteral("/voxelscribe-engine")},
        {QStringLiteral("shape"), QStringLiteral("z,y,x of the stack."), QStringLiteral("shape"), QStringLiteral("256,2048,2048")},
        {QStringLiteral("memory"), QStringLiteral("The budget of convert and predict."), QStringLiteral("size"), QStringLiteral("1GiB")},
        {QStringLiteral("slices"), QStringLiteral("a:b to predict; all by default."), QStringLiteral("a:b")},
        {QStringLiteral("browse"), QStringLiteral("Slices at random to show after the first."), QStringLiteral("number"), QStringLiteral("50")},
        {QStringLiteral("networks"), QStringLiteral("Whose prediction is measured."), QStringLiteral("names"), QStringLiteral("tunet,msdnet")},
        {QStringLiteral("keep"), QStringLiteral("Keep the data for another run.")},
    });
}

} // namespace

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    QCommandLineParser parser;
    addOptions(parser);
    parser.process(application);
    const QString what = parser.positionalArguments().value(0);
    if (what == QStringLiteral("show")) { // by itself, with the path as the second argument
        tellLine(measureOpening(parser.positionalArguments().value(1), parser.value("browse").toInt()));
        return 0;
    }
    if (what != QStringLiteral("open") && what != QStringLiteral("memory") && what != QStringLiteral("all"))
        parser.showHelp(2);
    try {
        BenchFolder folder(parser.value("folder"), parser.value("engine"), parser.isSet("keep"));
        qputenv("XDG_DATA_HOME", folder.path("home").toLocal8Bit()); // opening makes a project, which is not the person's
        const Options options{parser.value("shape"), parser.value("memory"), parser.value("slices"), parser.value("networks").split(QLatin1Char(',')),
                              parser.value("browse")};
        if (what != QStringLiteral("memory"))
            benchOpen(folder, options);
        if (what != QStringLiteral("open"))
            benchMemory(folder, options);
    } catch (const std::exception& error) {
        qCritical("error: %s", error.what());
        return 1;
    }
    return 0;
}
