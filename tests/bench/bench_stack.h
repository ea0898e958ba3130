#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace voxelscribe::bench {

/// A folder of its own for simulated stacks, removed in the end unless they are to be kept.
class BenchFolder {
public:
    /// Ends the program with a message where it cannot be made.
    BenchFolder(const QString& parent, const QString& engine, bool keep);
    ~BenchFolder();
    BenchFolder(const BenchFolder&) = delete;
    BenchFolder& operator=(const BenchFolder&) = delete;

    QString path(const QString& name) const;
    /// Runs the engine, which must succeed, and returns its result. Results that are there already are made once.
    QJsonObject run(const QStringList& arguments) const;
    /// A phantom of `shape` as a TIFF series.
    QString series(const QString& shape);
    /// The same stack as NAME.h5 or NAME.zarr.
    QString converted(const QString& shape, const QString& name);
    /// A model of a few seconds' training.
    QString model(const QString& network, int seconds);

private:
    QString m_folder;
    QString m_engine;
    bool m_keep = false;
};

/// One line on standard output.
void tellLine(const QJsonObject& line);

} // namespace voxelscribe::bench
