#pragma once

#include "widgets/common/hint_bar.h"

#include <QPointer>
#include <QWidget>
#include <utility>
#include <vector>

class QFrame;

namespace voxelscribe::common {

class ActionRegistry;

/// The sheet of all keys and of what the mouse does, by category, over its whole parent. "?", Escape or a click closes it.
class ShortcutSheet : public QWidget {
    Q_OBJECT
public:
    ShortcutSheet(const ActionRegistry& registry, QWidget* parent);

    /// Lines beside those of the actions, under a heading of their own: what the mouse does, keys that a view handles itself.
    void addLines(const QString& heading, const QList<Hint>& lines);
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
    std::vector<std::pair<QString, QList<Hint>>> m_lines;
    QFrame* m_card = nullptr;
    QPointer<QWidget> m_focusBefore;
};

} // namespace voxelscribe::common
