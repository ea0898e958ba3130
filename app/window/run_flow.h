#pragma once

#include "app/window/engine_commands.h"
#include "app/window/job_board.h"
#include "app/window/mask_tally.h"
#include "app/window/results.h"
#include "app/window/session.h"
#include "app/window/train_flow.h"
#include "widgets/common/message_bar.h"
#include "widgets/panels/check_panel.h"
#include "widgets/panels/run_panel.h"

#include <QElapsedTimer>
#include <QObject>
#include <optional>

namespace voxelscribe::window {

/// Steps 4 and 5: runs the model on slices, shows masks as they are finished, resumes what was interrupted, and keeps the results.
class RunFlow : public QObject {
    Q_OBJECT
public:
    RunFlow(Session& session, TrainFlow& training, JobBoard& jobs, panels::RunPanel& runPanel, panels::CheckPanel& checkPanel,
            common::MessageBar& messages, QObject* parent = nullptr);

    bool isRunning() const { return m_job != 0; }
    /// The result that is shown; nullopt: none.
    const std::optional<StoredResult>& shown() const { return m_shown; }
    VolumePtr mask() const { return m_mask; }
    void setCurrentSlice(std::int64_t z);
    void preview();
    void runAll();
    void resume();

Q_SIGNALS:
    /// Another mask (or none) is shown.
    void maskChanged();
    /// Slices [from, to) of it are new.
    void maskSlicesFinished(qint64 from, qint64 to);
    void runningChanged();
    /// The first whole run of this model has ended.
    void finishedAll();

private:
    struct Run {
        RunChoice choice;
        bool isPreview = false;
        std::int64_t voxels = 0; ///< the run outlives its stack, when that is closed
    };
    void runSlices(std::int64_t from, std::int64_t to);
    void begin(Run run);
    void onChunk(const Run& run, const QJsonObject& data);
    void onEnded(const Run& run, const QString& interrupted);
    void showRunning(const Run& run, const common::JobProgress& progress);
    void showResult(const std::filesystem::path& folder);
    void take(const std::optional<StoredResult>& result, VolumePtr mask);
    void refreshResults(bool showNewest);
    void showShares();
    void showNote();
    void showModel();
    void clear();
    RunChoice choiceFor(std::int64_t from, std::int64_t to, const QString& name) const;

    Session& m_session;
    TrainFlow& m_training;
    JobBoard& m_jobs;
    panels::RunPanel& m_runPanel;
    panels::CheckPanel& m_checkPanel;
    common::MessageBar& m_messages;
    MaskTally m_tally;
    std::optional<StoredResult> m_shown;
    VolumePtr m_mask;
    bool m_maskIsOpening = false;
    std::vector<StoredResult> m_results;
    std::int64_t m_currentSlice = 0;
    qint64 m_job = 0;
    Run m_running;
    QElapsedTimer m_clock;
    bool m_olderThanStrokes = false;
    common::SerialWorker m_reader;
};

} // namespace voxelscribe::window
