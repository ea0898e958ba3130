#pragma once

#include <QFrame>
#include <QPointer>

class QLineEdit;
class QListView;
class QSortFilterProxyModel;

namespace voxelscribe::common {

class ActionListModel;
class ActionRegistry;

/// Finds every action by name: type, choose with the arrow keys, Enter runs it, Escape leaves. A card over the top of its parent.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    CommandPalette(const ActionRegistry& registry, QWidget* parent);

    /// Shows the palette with all actions, takes the focus and gives it back on closing.
    void open();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void filter(const QString& text);
    void moveChoice(int step);
    void runChoice();
    void leave();

    ActionListModel* m_actions;
    QSortFilterProxyModel* m_filtered;
    QLineEdit* m_field;
    QListView* m_list;
    QPointer<QWidget> m_focusBefore;
};

} // namespace voxelscribe::common
