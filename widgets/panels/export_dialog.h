#pragma once

#include "core/base/dtype.h"
#include "core/base/extent.h"
#include "core/io/writer.h"
#include "core/model/class_info.h"

#include <QDialog>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace voxelscribe::panels {

/// The masks that are to be exported.
struct ExportSubject {
    Extent extent;
    DType dtype = DType::uint8;
    std::optional<VoxelSizeUm> voxelSizeUm;
    std::vector<ClassInfo> classes;
    QString folder;                  ///< where the path starts
    QString baseName;                ///< "sandstone_masks"
    QStringList protectedPaths;      ///< the image and the project: never written over
    QString warning;                 ///< "Only 132 of 256 slices are segmented; the rest is 0."; may be empty
};

/// What the values of the export mean, as the engine's `export` options.
enum class ExportValues { ids, colourTable, perClass, scale255 };

struct ExportRequest {
    io::OutputFormat format = io::OutputFormat::tiff;
    QString path;                    ///< a folder name ends in "/" for a TIFF series
    ExportValues values = ExportValues::ids;
    bool overwrite = false;
};

/// What is found at a path, asked on a worker thread.
struct TargetState {
    bool exists = false;
    bool isFolder = false;
    bool holdsOtherFiles = false;    ///< a folder that neither a TIFF series nor a Zarr explains: must not be replaced
    bool folderExists = false;       ///< the folder that it will lie in
    bool folderWritable = false;
    std::int64_t freeBytes = 0;
};
TargetState probeTarget(const QString& path);
/// Whether writing to `path` would change one of `protectedPaths`: the same file, or a folder around or inside it.
bool touchesProtected(const QString& path, const QStringList& protectedPaths);

/// Asks where and how masks are written and shows what will be there: shape, type, voxel size, size, free space.
/// Export is disabled, with the reason, where it cannot work; an existing file is only replaced after an explicit tick. Not modal.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    using Probe = std::function<TargetState(const QString& path)>;
    explicit ExportDialog(ExportSubject subject, QWidget* parent = nullptr, Probe probe = probeTarget);
    ~ExportDialog() override;

    ExportRequest request() const;
    /// Why export is disabled; empty: it is possible.
    QString refusal() const;
    /// Uncompressed bytes of what would be written.
    std::int64_t neededBytes() const;

Q_SIGNALS:
    /// The dialog closes itself.
    void exportRequested(const voxelscribe::panels::ExportRequest& request);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::panels
