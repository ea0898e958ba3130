#pragma once

#include "widgets/panels/step_panel.h"

#include <QAbstractButton>

namespace voxelscribe::panels {

/// The line of one step: a circle with its number, a tick when done, its name and one line of summary.
class StepHeader : public QAbstractButton {
    Q_OBJECT
public:
    StepHeader(int number, const QString& title, QWidget* parent = nullptr);

    void setState(StepState state, const QString& summary);
    StepState state() const { return m_state; }
    void setOpen(bool open);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void paintMark(QPainter& painter, const QRectF& circle) const;
    void describeState();

    int m_number;
    StepState m_state = StepState::todo;
    QString m_summary;
    bool m_open = false;
};

} // namespace voxelscribe::panels
