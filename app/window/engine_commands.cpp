#include "app/window/engine_commands.h"

namespace voxelscribe::window {

QStringList trainCommand(const TrainChoice& choice)
{
    QStringList command{QStringLiteral("train"), QStringLiteral("--image"), choice.image, QStringLiteral("--annotations"), choice.annotations, QStringLiteral("--model"), choice.model,
                        QStringLiteral("--seconds"), QString::number(choice.seconds)};
    if (!choice.network.isEmpty())
        command << QStringLiteral("--network") << choice.network;
    if (!choice.initialModel.isEmpty())
        command << QStringLiteral("--init") << choice.initialModel;
    return command;
}

QStringList runCommand(const RunChoice& choice)
{
    QStringList command{QStringLiteral("predict"), QStringLiteral("--image"), choice.image, QStringLiteral("--model"), choice.model, QStringLiteral("--output"), choice.output,
                        QStringLiteral("--slices"), QStringLiteral("%1:%2").arg(choice.from).arg(choice.to)};
    if (choice.first > choice.from && choice.first < choice.to)
        command << QStringLiteral("--first") << QString::number(choice.first);
    if (choice.resume)
        command << QStringLiteral("--resume");
    if (choice.overwrite)
        command << QStringLiteral("--overwrite");
    if (choice.voxelSizeUm)
        command << QStringLiteral("--voxel-size")
                << QStringLiteral("%1,%2,%3").arg(choice.voxelSizeUm->z).arg(choice.voxelSizeUm->y).arg(choice.voxelSizeUm->x);
    return command;
}

QStringList exportCommand(const ExportChoice& choice)
{
    QStringList command{QStringLiteral("export"), choice.mask, choice.output};
    if (choice.colourTable)
        command << QStringLiteral("--colour-table");
    if (choice.perClass)
        command << QStringLiteral("--per-class");
    if (choice.scale255)
        command << QStringLiteral("--scale255");
    if (choice.overwrite)
        command << QStringLiteral("--overwrite");
    return command;
}

QStringList sampleCommand(const QString& image)
{
    return {QStringLiteral("phantom"), image, QStringLiteral("--shape"), "64,384,384", QStringLiteral("--overwrite")};
}

} // namespace voxelscribe::window
