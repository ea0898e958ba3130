#pragma once

#include <QString>
#include <QWidget>
#include <memory>

class QAbstractButton;

namespace voxelscribe::panels {

enum class Step { data, annotate, train, run, check };
constexpr int kStepCount = 5;
enum class StepState { todo, current, done, busy };

/// The way through the job: five steps under one another, the current one open; Alt+1…5 open them. Each has one primary button: the step's own
/// ("Train") while it is to do, and "Next: …" once it is done or where the step has none of its own.
class StepPanel : public QWidget {
    Q_OBJECT
public:
    explicit StepPanel(QWidget* parent = nullptr);
    ~StepPanel() override;

    /// Puts a panel into a step; `ownPrimary` is the panel's main button, null if it has none. Takes ownership of `content`.
    void setStepContent(Step step, QWidget* content, QAbstractButton* ownPrimary = nullptr);
    /// Opens a step. Emits nothing.
    void setCurrentStep(Step step);
    Step currentStep() const;
    /// State and the one line under the step's name: "3 classes, 1,240 voxels". The open step may be in any state.
    void setStepState(Step step, StepState state, const QString& summary = {});
    StepState stepState(Step step) const;
    /// Why the next step is not possible yet; empty: it is. The button is disabled and says so.
    void setNextBlocked(Step step, const QString& why);

Q_SIGNALS:
    /// A person opened a step by its header or a "Next" button; it is open already.
    void stepChosen(voxelscribe::panels::Step step);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::panels
