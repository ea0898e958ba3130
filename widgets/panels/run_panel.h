#pragma once

#include "widgets/common/job_progress.h"

#include <QString>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <optional>

class QAbstractButton;

namespace voxelscribe::panels {

/// A run that was interrupted and can go on.
struct ResumableRun {
    std::int64_t slicesDone = 0;
    std::int64_t slicesTotal = 0;
    QString reason;                  ///< "The engine ended unexpectedly"; may be empty
};

/// Step 4: apply the model to this slice, some slices or all of them.
class RunPanel : public QWidget {
    Q_OBJECT
public:
    explicit RunPanel(QWidget* parent = nullptr);
    ~RunPanel() override;
    QAbstractButton* primaryButton() const;

    void setSliceCount(std::int64_t count);
    void setCurrentSlice(std::int64_t slice);
    /// The model that will run: its name. Empty: none, `why` says what to do.
    void setModel(const QString& name, const QString& why = {});
    void setResumable(const std::optional<ResumableRun>& run);
    /// "Shows masks of run 3, older than your strokes"; empty: nothing to say.
    void setResultNote(const QString& note);

    void setStarted();
    /// `voxelsPerSecond` 0: unknown.
    void setProgress(const common::JobProgress& progress, double voxelsPerSecond = 0);
    void setFinished(const QString& summary);              ///< "256 slices in 3 min 2 s"
    void setFailed(const QString& message);
    void setCancelled();
    bool isRunning() const;

Q_SIGNALS:
    void previewRequested();
    /// Slices [from, to).
    void runRequested(qint64 from, qint64 to);
    void resumeRequested();
    void cancelRequested();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::panels
