#include "widgets/panels/export_rules.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <limits>

namespace voxelscribe::panels {

namespace {

/// Names that belong to a format; the first is the one that is added.
QStringList suffixesOf(io::OutputFormat format)
{
    switch (format) {
    case io::OutputFormat::tiff: return {QStringLiteral(".tif"), QStringLiteral(".tiff")};
    case io::OutputFormat::hdf5: return {QStringLiteral(".h5"), QStringLiteral(".hdf5"), QStringLiteral(".nxs")};
    case io::OutputFormat::zarr: return {QStringLiteral(".zarr")};
    case io::OutputFormat::tiffSeries: break;
    }
    return {};
}

bool hasSuffix(const QString& path, const QStringList& suffixes)
{
    return std::any_of(suffixes.begin(), suffixes.end(), [&](const QString& suffix) { return path.endsWith(suffix, Qt::CaseInsensitive); });
}

QString withoutSlash(QString path)
{
    while (path.size() > 1 && path.endsWith(QLatin1Char('/')))
        path.chop(1);
    return path;
}

} // namespace

std::vector<ExportValues> possibleValues(io::OutputFormat format, DType dtype)
{
    const bool tiff = format == io::OutputFormat::tiff || format == io::OutputFormat::tiffSeries;
    if (tiff && dtype == DType::uint8)
        return {ExportValues::ids, ExportValues::colourTable, ExportValues::perClass, ExportValues::scale255};
    return {ExportValues::ids, ExportValues::perClass, ExportValues::scale255};
}

DType exportedDType(ExportValues values, DType dtype)
{
    return values == ExportValues::perClass || values == ExportValues::scale255 ? DType::uint8 : dtype;
}

std::int64_t exportedBytes(const ExportSubject& subject, ExportValues values)
{
    // In floating point: an estimate must not overflow, whatever the stack.
    const double files = values == ExportValues::perClass ? double(subject.classes.size()) : 1.0;
    const double bytes = double(subject.extent.z) * double(subject.extent.y) * double(subject.extent.x) *
                         double(dtypeSize(exportedDType(values, subject.dtype))) * files;
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    return bytes < double(kMost) ? static_cast<std::int64_t>(bytes) : kMost;
}

QString withFormatSuffix(const QString& path, io::OutputFormat format)
{
    QString bare = withoutSlash(path.trimmed());
    if (bare.isEmpty())
        return bare;
    const QStringList own = suffixesOf(format);
    if (!own.isEmpty() && hasSuffix(bare, own))
        return bare;
    for (const auto other : {io::OutputFormat::tiff, io::OutputFormat::hdf5, io::OutputFormat::zarr})
        for (const QString& suffix : suffixesOf(other))
            if (bare.endsWith(suffix, Qt::CaseInsensitive)) {
                bare.chop(suffix.size());
                return own.isEmpty() ? bare : bare + own.front();
            }
    return own.isEmpty() ? bare : bare + own.front();
}

QString completedPath(const QString& typed, io::OutputFormat format, const QString& folder)
{
    QString path = withoutSlash(typed.trimmed());
    if (path.isEmpty())
        return path;
    if (path.startsWith(QLatin1String("~/")))
        path = QDir::homePath() + path.mid(1);
    if (QDir::isRelativePath(path))
        path = QDir(folder).absoluteFilePath(path);
    const QStringList suffixes = suffixesOf(format);
    if (!suffixes.isEmpty() && !hasSuffix(path, suffixes))
        path += suffixes.front();
    path = QDir::cleanPath(path);
    return format == io::OutputFormat::tiffSeries ? path + QLatin1Char('/') : path;
}

std::optional<QString> refusalOf(const QString& path, io::OutputFormat format, const TargetState& state, bool touchesProtected)
{
    const QFileInfo info(QDir::cleanPath(path));
    const bool wantsFolder = format == io::OutputFormat::tiffSeries || format == io::OutputFormat::zarr;
    if (touchesProtected)
        return ExportDialog::tr("This would write over your image or project. Choose another name.");
    if (!state.folderExists)
        return ExportDialog::tr("There is no folder %1. Choose one that exists.").arg(info.absolutePath());
    if (!state.folderWritable)
        return ExportDialog::tr("The folder %1 may not be written to. Choose another one.").arg(info.absolutePath());
    if (state.exists && state.isFolder != wantsFolder)
        return state.isFolder ? ExportDialog::tr("%1 is a folder. Choose another name.").arg(info.fileName())
                              : ExportDialog::tr("%1 is a file, and this format needs a folder. Choose another name.").arg(info.fileName());
    if (state.exists && state.holdsOtherFiles)
        return ExportDialog::tr("The folder %1 holds other files. Choose a new name.").arg(info.fileName());
    return std::nullopt;
}

} // namespace voxelscribe::panels
