#pragma once

#include <QIcon>
#include <QWidget>

namespace voxelscribe::common {

/// An icon beside a text. Draws it anew each time, so it follows theme and screen.
class Symbol : public QWidget {
    Q_OBJECT
public:
    Symbol(const QString& iconName, int edge, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QIcon m_icon;
};

} // namespace voxelscribe::common
