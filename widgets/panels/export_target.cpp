#include "widgets/panels/export_dialog.h"

#include "core/base/bytes.h"
#include "core/base/error.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <filesystem>

namespace voxelscribe::panels {

namespace {

/// True for a folder that is neither a Zarr nor made of TIFF files only.
bool holdsOther(const QString& folder)
{
    const QDir dir(folder);
    for (const char* mark : {".zarray", ".zgroup", ".zattrs"})
        if (dir.exists(QLatin1String(mark)))
            return false;
    QDirIterator entries(folder, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    while (entries.hasNext()) {
        const QFileInfo entry(entries.next());
        const QString suffix = entry.suffix().toLower();
        if (!entry.isFile() || (suffix != QLatin1String("tif") && suffix != QLatin1String("tiff")))
            return true;
    }
    return false;
}

/// Resolves links as far as the path exists.
QString canonical(const QString& path)
{
    const QFileInfo info(QDir::cleanPath(path));
    if (info.exists())
        return info.canonicalFilePath();
    const QString folder = QFileInfo(info.absolutePath()).canonicalFilePath();
    return folder.isEmpty() ? info.absoluteFilePath() : folder + QLatin1Char('/') + info.fileName();
}

bool isSameOrInside(const QString& path, const QString& folder)
{
    return path == folder || path.startsWith(folder.endsWith(QLatin1Char('/')) ? folder : folder + QLatin1Char('/'));
}

} // namespace

TargetState probeTarget(const QString& path)
{
    const QFileInfo target(QDir::cleanPath(path));
    const QFileInfo folder(target.absolutePath());
    TargetState state;
    state.exists = target.exists() || target.isSymLink();
    state.isFolder = target.isDir();
    state.holdsOtherFiles = state.isFolder && holdsOther(target.absoluteFilePath());
    state.folderExists = folder.isDir();
    state.folderWritable = state.folderExists && folder.isWritable();
    try {
        state.freeBytes = freeDiskBytes(std::filesystem::path(target.absolutePath().toStdString()));
    } catch (const Error&) {
        // A folder whose file system cannot be asked is reported by the two flags above.
        state.folderWritable = false;
    }
    return state;
}

bool touchesProtected(const QString& path, const QStringList& protectedPaths)
{
    const QString target = canonical(path);
    for (const QString& one : protectedPaths) {
        const QString kept = canonical(one);
        if (isSameOrInside(target, kept) || isSameOrInside(kept, target))
            return true;
    }
    return false;
}

} // namespace voxelscribe::panels
