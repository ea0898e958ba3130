#include "widgets/common/action_list_model.h"

#include "widgets/common/action_registry.h"

#include <QAction>

namespace voxelscribe::common {

ActionListModel::ActionListModel(const ActionRegistry& registry, QObject* parent) : QAbstractListModel(parent), m_registry(registry)
{
    refresh();
}

void ActionListModel::refresh()
{
    beginResetModel();
    m_count = static_cast<int>(m_registry.specs().size());
    endResetModel();
}

QAction* ActionListModel::actionAt(const QModelIndex& index) const
{
    if (!index.isValid() || index.row() >= m_count)
        return nullptr;
    return m_registry.action(m_registry.specs()[static_cast<std::size_t>(index.row())].id);
}

int ActionListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_count;
}

QVariant ActionListModel::data(const QModelIndex& index, int role) const
{
    const QAction* action = actionAt(index);
    if (action == nullptr)
        return {};
    const ActionSpec& spec = m_registry.specs()[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return spec.text;
    case Qt::DecorationRole: return action->icon();
    case Qt::ToolTipRole: return action->toolTip();
    case CategoryRole: return spec.category;
    case ShortcutRole: return action->shortcut().toString(QKeySequence::NativeText);
    case SearchRole: return QStringLiteral("%1 %2 %3").arg(spec.category, spec.text, spec.description);
    case Qt::AccessibleTextRole: return QStringLiteral("%1: %2").arg(spec.category, spec.text);
    default: return {};
    }
}

Qt::ItemFlags ActionListModel::flags(const QModelIndex& index) const
{
    const QAction* action = actionAt(index);
    if (action == nullptr || !action->isEnabled())
        return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

} // namespace voxelscribe::common
