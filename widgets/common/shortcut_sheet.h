#pragma once

#include <QPointer>
#include <QWidget>

class QFrame;

namespace voxelscribe::common {

class ActionRegistry;

/// The sheet of all shortcuts, by category, over its whole parent. "?", Escape or a click closes it.
class ShortcutSheet : public QWidget {
    Q_OBJECT
public:
    ShortcutSheet(const ActionRegistry& registry, QWidget* parent);

    /// Shows the shortcuts now in force.
    void open();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void leave();

    const ActionRegistry& m_registry;
    QFrame* m_card = nullptr;
    QPointer<QWidget> m_focusBefore;
};

} // namespace voxelscribe::common
