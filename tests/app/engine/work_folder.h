#pragma once

#include "support/run_program.h"

#include <QByteArray>
#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QTemporaryDir>

#include <csignal>
#include <sys/mount.h>
#include <unistd.h>

namespace voxelscribe::test {

/// The last JSON line of what a program said: its result or its error.
inline QJsonObject lastObject(const QString& out)
{
    return QJsonDocument::fromJson(out.trimmed().split(QLatin1Char('\n')).last().toUtf8()).object();
}

/// A folder with umlauts and spaces in which the engine works on relative names, as a person in a terminal does.
class WorkFolder {
public:
    WorkFolder() : m_folder(QDir::tempPath() + QStringLiteral("/Größe und Länge-XXXXXX")) {}

    bool isValid() const { return m_folder.isValid(); }
    QString path(const QString& name = {}) const { return name.isEmpty() ? m_folder.path() : m_folder.filePath(name); }

    void start(QProcess& process, const QStringList& arguments) const
    {
        process.setWorkingDirectory(m_folder.path());
        process.start(QStringLiteral(VOXELSCRIBE_ENGINE), arguments);
    }

    Finished run(const QStringList& arguments, int timeoutMs = 300000) const
    {
        QProcess process;
        start(process, arguments);
        Finished finished;
        if (!process.waitForFinished(timeoutMs))
            process.kill();
        finished.exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
        finished.out = QString::fromUtf8(process.readAllStandardOutput());
        finished.err = QString::fromUtf8(process.readAllStandardError());
        return finished;
    }

    /// Names, hidden ones too, of what lies in a folder here.
    QStringList names(const QString& folder = {}) const
    {
        return QDir(path(folder)).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
    }

    QByteArray bytes(const QString& name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    void write(const QString& name, const QByteArray& content) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(name));
    }

    /// A file's bytes, or all files below a folder with theirs.
    QMap<QString, QByteArray> content(const QString& name) const
    {
        QMap<QString, QByteArray> all;
        if (QFileInfo(path(name)).isFile())
            all[{}] = bytes(name);
        for (QDirIterator it(path(name), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); it.hasNext();) {
            const QString file = it.next();
            all[QDir(path(name)).relativeFilePath(file)] = bytes(QDir(path()).relativeFilePath(file));
        }
        return all;
    }

private:
    QTemporaryDir m_folder;
};

/// Waits until standard output has said `word` so many times; false if the program ends before.
inline bool waitForWord(QProcess& process, const QByteArray& word, int times = 1)
{
    QByteArray out;
    while (out.count(word) < times) {
        if (!process.waitForReadyRead(300000))
            return false;
        out += process.readAllStandardOutput();
    }
    return true;
}

/// A small file system of its own; not there where nobody may mount one.
class SmallDisk {
public:
    SmallDisk(const QString& at, const char* options, unsigned long flags = 0) : m_at(at.toLocal8Bit())
    {
        QDir().mkpath(at);
        m_isThere = ::mount("tmpfs", m_at.constData(), "tmpfs", flags, options) == 0;
    }
    ~SmallDisk()
    {
        if (m_isThere)
            ::umount(m_at.constData());
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    bool isThere() const { return m_isThere; }

    /// Leaves not a byte free.
    void fill() const
    {
        QFile filler(QString::fromLocal8Bit(m_at) + QStringLiteral("/filler"));
        if (!filler.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
            return;
        for (const int size : {1 << 16, 1 << 12, 1})
            while (filler.write(QByteArray(size, 'x')) == size) {}
    }
    void empty() const { QFile::remove(QString::fromLocal8Bit(m_at) + QStringLiteral("/filler")); }

private:
    QByteArray m_at;
    bool m_isThere = false;
};

} // namespace voxelscribe::test
