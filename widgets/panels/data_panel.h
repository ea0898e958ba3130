#pragma once

#include "core/base/extent.h"

#include <QString>
#include <QStringList>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

namespace voxelscribe::panels {

/// What stands in the opened file.
struct DataSummary {
    QString fileName;
    QString path;
    QString format;               ///< "BigTIFF"
    Extent extent;
    QString dtype;                ///< "uint16"
    qint64 bytes = 0;             ///< all samples
    QStringList warnings;
};

/// One array of the file that could be opened instead.
struct DatasetChoice {
    QString name;                 ///< what datasetChosen gives back
    QString description;          ///< "uint16, 64 × 512 × 512"
};

/// Step 1: what was opened, which data set, voxel size, contrast.
class DataPanel : public QWidget {
    Q_OBJECT
public:
    explicit DataPanel(QWidget* parent = nullptr);
    ~DataPanel() override;

    void setData(const DataSummary& summary);
    /// The choice shows from two data sets on.
    void setDatasets(const std::vector<DatasetChoice>& datasets, const QString& current);
    /// `fromFile`: the file says so; the fields stay editable, what a person types outranks the file.
    void setVoxelSizeUm(const std::optional<VoxelSizeUm>& size, bool fromFile);
    void setContrast(double low, double high);
    /// Range that the contrast fields accept, from the statistics or the dtype.
    void setContrastRange(double min, double max, bool integers);
    void setReadOnly(bool readOnly);

Q_SIGNALS:
    void datasetChosen(const QString& name);
    void voxelSizeEdited(voxelscribe::VoxelSizeUm size);
    void voxelSizeCleared();      ///< back to what the file says, or unknown
    void contrastEdited(double low, double high);
    void autoContrastRequested();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::panels
