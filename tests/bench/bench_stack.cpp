#include "tests/bench/bench_stack.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QProcess>

#include <cstdio>

namespace voxelscribe::bench {

BenchFolder::BenchFolder(const QString& parent, const QString& engine, bool keep)
    : m_folder(QDir(parent).absoluteFilePath(QStringLiteral("voxelscribe-bench"))), m_engine(engine), m_keep(keep)
{
    if (!QDir().mkpath(m_folder))
        qFatal("cannot make the folder %s; name another with --folder", qPrintable(m_folder));
}

BenchFolder::~BenchFolder()
{
    if (!m_keep)
        QDir(m_folder).removeRecursively();
}

QString BenchFolder::path(const QString& name) const
{
    return m_folder + QLatin1Char('/') + name;
}

QJsonObject BenchFolder::run(const QStringList& arguments) const
{
    std::fprintf(stderr, "%s %s\n", qPrintable(m_engine), qPrintable(arguments.join(QLatin1Char(' '))));
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(m_engine, arguments + QStringList{"--json"});
    if (!process.waitForFinished(-1) || process.exitCode() != 0)
        qFatal("%s failed", qPrintable(arguments.first()));
    return QJsonDocument::fromJson(process.readAllStandardOutput().trimmed().split('\n').last()).object();
}

QString BenchFolder::series(const QString& shape)
{
    const QString folder = path(QStringLiteral("stack ") + shape);
    if (!QFileInfo::exists(folder)) {
        const QJsonObject made = run({"phantom", folder + QLatin1Char('/'), "--shape", shape});
        const double speed = made["voxels"].toDouble() / made["seconds"].toDouble();
        tellLine({{"bench", "phantom"}, {"shape", shape}, {"seconds", made["seconds"]}, {"voxelsPerSecond", speed},
                  {"peakMemoryBytes", made["peakMemoryBytes"]}, {"good", speed >= 20e6}});
    }
    return folder;
}

QString BenchFolder::converted(const QString& shape, const QString& name)
{
    const QString file = path(QStringLiteral("stack ") + shape + QLatin1Char(' ') + name);
    if (!QFileInfo::exists(file))
        run({"convert", series(shape), file});
    return file;
}

QString BenchFolder::model(const QString& network, int seconds)
{
    const QString model = path(network + QStringLiteral(".safetensors"));
    if (QFileInfo::exists(model))
        return model;
    run({"phantom", path("small.tif"), "--shape", "6,256,256", "--strokes", path("strokes.tif"), "--overwrite"});
    run({"train", "--image", path("small.tif"), "--annotations", path("strokes.tif"), "--network", network, "--seconds", QString::number(seconds),
         "--model", model});
    return model;
}

void tellLine(const QJsonObject& line)
{
    std::printf("%s\n", QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
    std::fflush(stdout);
}

} // namespace voxelscribe::bench
