#pragma once

#include <QAbstractListModel>

class QAction;

namespace voxelscribe::common {

class ActionRegistry;

/// The actions of a registry as a list: text, category, shortcut. Disabled actions are listed but cannot be chosen.
class ActionListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { CategoryRole = Qt::UserRole, ShortcutRole, SearchRole };

    explicit ActionListModel(const ActionRegistry& registry, QObject* parent = nullptr);
    /// Takes over what the registry holds now.
    void refresh();
    QAction* actionAt(const QModelIndex& index) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    const ActionRegistry& m_registry;
    int m_count = 0;
};

} // namespace voxelscribe::common
