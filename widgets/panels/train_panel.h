#pragma once

#include "core/model/class_info.h"
#include "widgets/common/job_progress.h"
#include "widgets/panels/learning_curve.h"
#include "widgets/panels/model_card.h"

#include <QString>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QAbstractButton;

namespace voxelscribe::panels {

/// A class and how much of it is painted.
struct LabelledClass {
    ClassInfo info;
    std::int64_t voxels = 0;
};

/// What a person asks of a training.
struct TrainChoice {
    QString network;                 ///< "msdnet" or "tunet"
    double seconds = 150;
    bool continueFromModel = false;
    bool operator==(const TrainChoice&) const = default;
};

/// Step 3: learn from the strokes, or load a model.
class TrainPanel : public QWidget {
    Q_OBJECT
public:
    explicit TrainPanel(QWidget* parent = nullptr);
    ~TrainPanel() override;
    QAbstractButton* primaryButton() const;

    /// What is painted; classes without voxels are allowed. Fewer than two painted classes disable Train, and the panel says what is missing.
    void setMaterial(const std::vector<LabelledClass>& classes, std::int64_t slices);
    /// Another reason why training is not possible ("the project is read-only"); empty: none.
    void setBlocked(const QString& why);
    void setChoice(const TrainChoice& choice);
    TrainChoice choice() const;
    /// The model in use; nullopt: none yet.
    void setModel(const std::optional<ModelInfo>& model);

    void setStarted();                                    ///< clears curve and result
    void setProgress(const common::JobProgress& progress);
    void addEpoch(const EpochPoint& point);
    void setFinished(const QString& figures, const QString& note = {}); ///< "IoU 0.82 · loss 0.21 · 41 epochs in 2 min 29 s"
    void setFailed(const QString& message);
    void setCancelled();
    bool isRunning() const;
    /// Whether the engine can end a training early and keep the best weights; shows the button. Off by default.
    void setCanKeepBest(bool can);

Q_SIGNALS:
    void trainRequested(const voxelscribe::panels::TrainChoice& choice);
    void loadModelRequested();
    void cancelRequested();
    void keepBestRequested();
    void choiceChanged(const voxelscribe::panels::TrainChoice& choice);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::panels
