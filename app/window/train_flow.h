#pragma once

#include "app/window/job_board.h"
#include "app/window/model_words.h"
#include "app/window/session.h"
#include "widgets/common/message_bar.h"
#include "widgets/panels/train_panel.h"

#include <QObject>
#include <QString>
#include <optional>

namespace voxelscribe::window {

/// Step 3: trains from the session's strokes, loads models, and keeps the one in use.
class TrainFlow : public QObject {
    Q_OBJECT
public:
    TrainFlow(Session& session, JobBoard& jobs, panels::TrainPanel& panel, common::MessageBar& messages, QObject* parent = nullptr);

    const std::optional<LoadedModel>& model() const { return m_model; }
    bool isRunning() const { return m_job != 0; }
    /// Learns with what the panel says.
    void train();
    /// Copies the model into the project and uses it from now on.
    void loadModel(const std::filesystem::path& path);
    void askForModel(QWidget* window);

Q_SIGNALS:
    void modelChanged();
    void runningChanged();

private:
    void start(const panels::TrainChoice& choice);
    void sessionOpened();
    void showMaterial();
    void useModel(const std::filesystem::path& path, bool copy);
    void onFinished(const QString& path, const QJsonObject& result);
    void ended();

    Session& m_session;
    JobBoard& m_jobs;
    panels::TrainPanel& m_panel;
    common::MessageBar& m_messages;
    std::optional<LoadedModel> m_model;
    qint64 m_job = 0;
    common::SerialWorker m_reader;
};

} // namespace voxelscribe::window
