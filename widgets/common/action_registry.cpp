#include "widgets/common/action_registry.h"

#include "widgets/common/icons.h"

#include <QAction>
#include <QWidget>
#include <algorithm>

namespace voxelscribe::common {

ActionRegistry::ActionRegistry(QObject* parent) : QObject(parent) {}

QAction* ActionRegistry::add(const ActionSpec& spec)
{
    Q_ASSERT_X(action(spec.id) == nullptr, "ActionRegistry::add", "an id is added once");
    auto* made = new QAction(spec.text, this);
    made->setObjectName(spec.id);
    made->setCheckable(spec.checkable);
    made->setShortcutContext(spec.inViewsOnly ? Qt::WidgetWithChildrenShortcut : Qt::WindowShortcut);
    if (!spec.iconName.isEmpty())
        made->setIcon(icon(spec.iconName));
    ActionSpec stored = spec;
    stored.shortcuts.removeIf([this](const QKeySequence& shortcut) { return !idOf(shortcut).isEmpty(); });
    made->setShortcuts(stored.shortcuts);
    showShortcuts(made, stored);
    m_specs.push_back(stored);
    m_actions.push_back(made);
    return made;
}

QAction* ActionRegistry::action(const QString& id) const
{
    for (std::size_t i = 0; i < m_specs.size(); ++i)
        if (m_specs[i].id == id)
            return m_actions[i];
    return nullptr;
}

QString ActionRegistry::idOf(const QKeySequence& shortcut) const
{
    const auto found = std::find_if(m_specs.begin(), m_specs.end(),
                                    [&](const ActionSpec& spec) { return spec.shortcuts.contains(shortcut); });
    return found == m_specs.end() ? QString() : found->id;
}

QStringList ActionRegistry::conflicts(const QString& id, const QList<QKeySequence>& shortcuts) const
{
    QStringList others;
    for (const QKeySequence& shortcut : shortcuts) {
        const QString owner = idOf(shortcut);
        if (!owner.isEmpty() && owner != id && !others.contains(owner))
            others << owner;
    }
    return others;
}

QStringList ActionRegistry::setShortcuts(const QString& id, const QList<QKeySequence>& shortcuts)
{
    const QStringList others = conflicts(id, shortcuts);
    if (!others.isEmpty())
        return others;
    for (std::size_t i = 0; i < m_specs.size(); ++i) {
        if (m_specs[i].id != id || m_specs[i].shortcuts == shortcuts)
            continue;
        m_specs[i].shortcuts = shortcuts;
        m_actions[i]->setShortcuts(shortcuts);
        showShortcuts(m_actions[i], m_specs[i]);
        Q_EMIT shortcutsChanged(id);
    }
    return {};
}

void ActionRegistry::attachToWindow(QWidget* window) const
{
    for (std::size_t i = 0; i < m_specs.size(); ++i)
        if (!m_specs[i].inViewsOnly)
            window->addAction(m_actions[i]);
}

void ActionRegistry::attachToView(QWidget* view) const
{
    for (std::size_t i = 0; i < m_specs.size(); ++i)
        if (m_specs[i].inViewsOnly)
            view->addAction(m_actions[i]);
}

void ActionRegistry::showShortcuts(QAction* action, const ActionSpec& spec) const
{
    const QString text = spec.description.isEmpty() ? spec.text : spec.description;
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    action->setToolTip(keys.isEmpty() ? text : QStringLiteral("%1 (%2)").arg(text, keys));
}

} // namespace voxelscribe::common
