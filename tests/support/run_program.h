#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>

namespace voxelscribe::test {

/// What a program said and how it ended.
struct Finished {
    int exitCode = -1;
    QString out;
    QString err;
};

inline Finished runProgram(const QString& program, const QStringList& arguments, int timeoutMs = 120000)
{
    QProcess process;
    process.start(program, arguments);
    Finished finished;
    if (!process.waitForStarted() || !process.waitForFinished(timeoutMs))
        process.kill();
    finished.exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    finished.out = QString::fromUtf8(process.readAllStandardOutput());
    finished.err = QString::fromUtf8(process.readAllStandardError());
    return finished;
}

/// Runs the engine of this build.
inline Finished runEngine(const QStringList& arguments, int timeoutMs = 120000)
{
    return runProgram(QStringLiteral(VOXELSCRIBE_ENGINE), arguments, timeoutMs);
}

/// Runs Python code with Debian's own interpreter, an independent reader of what the program wrote.
inline Finished runPython(const QString& code, const QStringList& arguments = {})
{
    return runProgram(QStringLiteral("/usr/bin/python3"), QStringList{QStringLiteral("-c"), code} + arguments);
}

} // namespace voxelscribe::test
