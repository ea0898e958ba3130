#pragma once

#include "core/base/extent.h"
#include "core/model/class_info.h"

#include <QDateTime>
#include <QString>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QAbstractButton;

namespace voxelscribe::panels {

/// How much of the segmented part belongs to each class.
struct ClassVolume {
    ClassInfo info;
    std::int64_t voxels = 0;
    std::optional<double> meanConfidence;   ///< 0…1
};
struct VolumeShares {
    std::vector<ClassVolume> classes;
    std::int64_t voxels = 0;                ///< all voxels of the slices that are done
    std::int64_t slicesDone = 0;
    std::int64_t slicesTotal = 0;
    std::optional<VoxelSizeUm> voxelSizeUm;
};

/// A run whose masks can be looked at.
struct ResultEntry {
    QString id;
    QDateTime when;
    QString model;
    std::int64_t slicesDone = 0;
    std::int64_t slicesTotal = 0;
    bool complete = false;
};

/// Step 5: volume share of each class, the runs, export.
class CheckPanel : public QWidget {
    Q_OBJECT
public:
    explicit CheckPanel(QWidget* parent = nullptr);
    ~CheckPanel() override;
    QAbstractButton* primaryButton() const;

    /// nullopt: nothing has been segmented yet.
    void setShares(const std::optional<VolumeShares>& shares);
    void setResults(const std::vector<ResultEntry>& results, const QString& shownId);
    /// The run whose masks show now; an id that is none of the runs is a preview.
    void setShown(const QString& id);
    /// Why export is not possible; empty: it is.
    void setExportBlocked(const QString& why);

Q_SIGNALS:
    void resultChosen(const QString& id);
    void exportRequested();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::panels
