#include "widgets/common/command_palette.h"

#include "widgets/common/action_list_model.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/style.h"
#include "widgets/common/theme.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace voxelscribe::common {

namespace {

/// A line of the palette: icon and name, then the category, the shortcut at the right.
class ActionDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {200, option.fontMetrics.height() + 12};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const ThemeColours& colours = themeColours(option.palette);
        const bool enabled = index.flags().testFlag(Qt::ItemIsEnabled);
        const bool chosen = option.state.testFlag(QStyle::State_Selected);
        if (chosen)
            painter->fillRect(option.rect, colours.accentSoft);
        const QRect line = option.rect.adjusted(10, 0, -10, 0);
        const QRect iconRect(line.left(), line.center().y() - 8, 17, 17);
        index.data(Qt::DecorationRole).value<QIcon>().paint(painter, iconRect, Qt::AlignCenter,
                                                            enabled ? QIcon::Normal : QIcon::Disabled);
        const QRect textRect = line.adjusted(28, 0, 0, 0);
        const QString text = index.data(Qt::DisplayRole).toString();
        painter->setFont(option.font);
        painter->setPen(option.palette.color(enabled ? QPalette::Active : QPalette::Disabled, QPalette::Text));
        painter->drawText(textRect, Qt::AlignLeft | Qt::AlignVCenter, text);
        painter->setPen(colours.muted);
        painter->drawText(textRect.adjusted(option.fontMetrics.horizontalAdvance(text) + 12, 0, 0, 0),
                          Qt::AlignLeft | Qt::AlignVCenter, index.data(ActionListModel::CategoryRole).toString());
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, index.data(ActionListModel::ShortcutRole).toString());
    }
};

} // namespace

CommandPalette::CommandPalette(const ActionRegistry& registry, QWidget* parent)
    : QFrame(parent), m_actions(new ActionListModel(registry, this)), m_filtered(new QSortFilterProxyModel(this)),
      m_field(new QLineEdit(this)), m_list(new QListView(this))
{
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Command palette"));
    setAutoFillBackground(true);
    setCard(this, "true");
    m_filtered->setSourceModel(m_actions);
    m_filtered->setFilterRole(ActionListModel::SearchRole);
    m_list->setModel(m_filtered);
    m_list->setItemDelegate(new ActionDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    describe(m_list, tr("Commands found"));
    m_field->setPlaceholderText(tr("Find a command…"));
    describe(m_field, tr("Find a command"), tr("Type a part of its name; arrow keys choose, Enter runs, Escape closes"));
    m_field->installEventFilter(this);
    parent->installEventFilter(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_field);
    layout->addWidget(m_list);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListView::clicked, this, &CommandPalette::runChoice);
    hide();
}

void CommandPalette::open()
{
    if (isHidden())
        m_focusBefore = QApplication::focusWidget();
    m_actions->refresh();
    m_field->clear();
    filter({});
    place();
    show();
    raise();
    m_field->setFocus();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parent() && event->type() == QEvent::Resize && isVisible())
        place();
    if (watched != m_field)
        return false;
    if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason &&
        static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason)
        hide();
    if (event->type() != QEvent::KeyPress)
        return false;
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down: moveChoice(1); return true;
    case Qt::Key_Up: moveChoice(-1); return true;
    case Qt::Key_PageDown: moveChoice(8); return true;
    case Qt::Key_PageUp: moveChoice(-8); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: runChoice(); return true;
    case Qt::Key_Escape: leave(); return true;
    default: return false;
    }
}

void CommandPalette::place()
{
    const QSize room = parentWidget()->size();
    const int rows = qMax(1, m_filtered->rowCount()) * (fontMetrics().height() + 12);
    const int wanted = m_field->sizeHint().height() + rows + 28;
    const QSize size(qMin(560, room.width() - 32), qMin(wanted, qMin(440, room.height() - 64)));
    setGeometry((room.width() - size.width()) / 2, qMin(64, room.height() / 8), size.width(), size.height());
}

void CommandPalette::filter(const QString& text)
{
    // Every word must occur, in any order.
    QString pattern;
    for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        pattern += QStringLiteral("(?=.*%1)").arg(QRegularExpression::escape(word));
    m_filtered->setFilterRegularExpression(QRegularExpression(pattern, QRegularExpression::CaseInsensitiveOption));
    m_list->setCurrentIndex({});
    moveChoice(1);
    place();
}

void CommandPalette::moveChoice(int step)
{
    const int count = m_filtered->rowCount();
    if (count == 0)
        return;
    const int direction = step < 0 ? -1 : 1;
    int row = m_list->currentIndex().isValid() ? m_list->currentIndex().row() + step : 0;
    row = qBound(0, row, count - 1);
    // Disabled commands are passed over.
    while (row >= 0 && row < count && !m_filtered->index(row, 0).flags().testFlag(Qt::ItemIsEnabled))
        row += direction;
    if (row >= 0 && row < count)
        m_list->setCurrentIndex(m_filtered->index(row, 0));
}

void CommandPalette::runChoice()
{
    QAction* action = m_actions->actionAt(m_filtered->mapToSource(m_list->currentIndex()));
    if (action == nullptr || !action->isEnabled())
        return;
    leave();
    action->trigger();
}

void CommandPalette::leave()
{
    hide();
    if (m_focusBefore)
        m_focusBefore->setFocus();
}

} // namespace voxelscribe::common
