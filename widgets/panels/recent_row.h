#pragma once

#include "widgets/panels/start_screen.h"

#include <QAbstractButton>

namespace voxelscribe::panels {

/// A recent project on the first screen: name, image, when. A button over the whole line.
class RecentRow : public QAbstractButton {
    Q_OBJECT
public:
    explicit RecentRow(RecentProject project, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    RecentProject m_project;
};

/// "today 03:12", "yesterday 17:40", "12 Nov 2026".
QString whenText(const QDateTime& when, const QDateTime& now);

} // namespace voxelscribe::panels
