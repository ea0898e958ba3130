#pragma once

#include "core/base/extent.h"

#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <vector>

/// The engine's command lines that the window asks for: what it does, a person can do in a terminal.
namespace voxelscribe::window {

struct TrainChoice {
    QString image;
    QString annotations;
    QString model;          ///< the file to be written
    QString network;        ///< empty: the engine's default
    double seconds = 150;
    QString initialModel;   ///< empty: from scratch
};

struct RunChoice {
    QString image;
    QString model;
    QString output;         ///< a Zarr folder
    std::int64_t from = 0;  ///< slices [from, to)
    std::int64_t to = 0;
    std::int64_t first = 0; ///< the slice in view, computed first
    bool resume = false;
    bool overwrite = false;
    std::optional<VoxelSizeUm> voxelSizeUm; ///< the person's own
};

struct ExportChoice {
    QString mask;
    QString output;
    bool colourTable = false;
    bool perClass = false;
    bool scale255 = false;
    bool overwrite = false;
};

QStringList trainCommand(const TrainChoice& choice);
QStringList runCommand(const RunChoice& choice);
QStringList exportCommand(const ExportChoice& choice);
/// The sample: a simulated tomography stack of 64×384×384.
QStringList sampleCommand(const QString& image);

} // namespace voxelscribe::window
