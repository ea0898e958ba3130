#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>
#include <vector>

class QAction;
class QWidget;

namespace voxelscribe::common {

/// What the registry needs to make an action.
struct ActionSpec {
    QString id;                      ///< "paint.brush"; stable, used in settings
    QString text;                    ///< "Brush"
    QString category;                ///< "Paint": group in the palette and the sheet
    QList<QKeySequence> shortcuts;
    QString iconName;                ///< of `icon`; empty: none
    bool checkable = false;
    bool inViewsOnly = false;        ///< single letters: acts only while a view has the focus
    QString description;             ///< tooltip; the text if empty
};

/// Owns every action of the window, by id. Two actions may not share a shortcut.
class ActionRegistry : public QObject {
    Q_OBJECT
public:
    explicit ActionRegistry(QObject* parent = nullptr);

    /// Makes the action. An id may be added once. Shortcuts that others have already are left out (see `conflicts`).
    QAction* add(const ActionSpec& spec);
    /// Null if there is none.
    QAction* action(const QString& id) const;
    const std::vector<ActionSpec>& specs() const { return m_specs; }   ///< with the shortcuts in force, in order of adding
    QString idOf(const QKeySequence& shortcut) const;                  ///< empty: free
    /// Ids of the other actions that use one of `shortcuts`.
    QStringList conflicts(const QString& id, const QList<QKeySequence>& shortcuts) const;
    /// Replaces the shortcuts of an action; does nothing and returns the other ids where there is a conflict.
    QStringList setShortcuts(const QString& id, const QList<QKeySequence>& shortcuts);

    /// Lets the window's shortcuts act in `window`, all but those of `inViewsOnly`.
    void attachToWindow(QWidget* window) const;
    /// Lets the `inViewsOnly` shortcuts act while `view` or a child of it has the focus.
    void attachToView(QWidget* view) const;

Q_SIGNALS:
    void shortcutsChanged(const QString& id);

private:
    void showShortcuts(QAction* action, const ActionSpec& spec) const;

    std::vector<ActionSpec> m_specs;
    std::vector<QAction*> m_actions;
};

} // namespace voxelscribe::common
