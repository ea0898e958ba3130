#include "widgets/common/shortcut_sheet.h"

#include "widgets/common/action_registry.h"
#include "widgets/common/style.h"

#include <QApplication>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <algorithm>
#include <vector>

namespace voxelscribe::common {

namespace {

QString keysOf(const ActionSpec& spec)
{
    return QKeySequence::listToString(spec.shortcuts, QKeySequence::NativeText).replace(QLatin1String("; "), QLatin1String(", "));
}

/// Heading and lines of one category.
QWidget* makeCategory(const QString& name, const QList<Hint>& lines, QWidget* parent)
{
    auto* box = new QWidget(parent);
    box->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 12);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(1, 1);
    grid->addWidget(makeHeading(name, box), 0, 0, 1, 2);
    int row = 1;
    for (const Hint& line : lines) {
        QLabel* keys = makeNote(line.keys, box);
        keys->setWordWrap(false);
        grid->addWidget(keys, row, 0);
        grid->addWidget(new QLabel(line.what, box), row, 1);
        ++row;
    }
    return box;
}

/// Categories in order of first appearance, with those actions that have a shortcut.
std::vector<std::pair<QString, QList<Hint>>> categoriesOf(const ActionRegistry& registry)
{
    std::vector<std::pair<QString, QList<Hint>>> categories;
    for (const ActionSpec& spec : registry.specs()) {
        if (spec.shortcuts.isEmpty())
            continue;
        auto found = std::find_if(categories.begin(), categories.end(), [&](const auto& it) { return it.first == spec.category; });
        if (found == categories.end())
            found = categories.insert(categories.end(), {spec.category, {}});
        found->second.push_back({keysOf(spec), spec.text});
    }
    return categories;
}

/// The categories in `count` columns, each new one put into the shortest.
QWidget* makeColumns(const std::vector<std::pair<QString, QList<Hint>>>& categories, int count)
{
    auto* content = new QWidget;
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(0, 12, 0, 0);
    columns->setSpacing(36);
    std::vector<std::pair<qsizetype, QVBoxLayout*>> heights;
    for (int i = 0; i < count; ++i) {
        auto* column = new QVBoxLayout;
        columns->addLayout(column, 1);
        heights.emplace_back(0, column);
    }
    for (const auto& [name, lines] : categories) {
        auto shortest = std::min_element(heights.begin(), heights.end());
        shortest->second->addWidget(makeCategory(name, lines, content));
        shortest->first += lines.size() + 2;
    }
    for (const auto& [height, column] : heights)
        column->addStretch(1);
    return content;
}

} // namespace

ShortcutSheet::ShortcutSheet(const ActionRegistry& registry, QWidget* parent) : QWidget(parent), m_registry(registry)
{
    setObjectName(QStringLiteral("shortcutSheet"));
    setAccessibleName(tr("Keyboard shortcuts"));
    setFocusPolicy(Qt::StrongFocus);
    parent->installEventFilter(this);
    hide();
}

void ShortcutSheet::addLines(const QString& heading, const QList<Hint>& lines)
{
    m_lines.emplace_back(heading, lines);
}

void ShortcutSheet::open()
{
    if (isHidden())
        m_focusBefore = QApplication::focusWidget();
    delete layout();
    if (m_card != nullptr)
        m_card->deleteLater();
    setGeometry(parentWidget()->rect());

    auto* card = new QFrame(this);
    m_card = card;
    card->setAutoFillBackground(true);
    setCard(card, "true");
    card->setMaximumWidth(1100);
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(24, 20, 24, 16);
    auto* title = new QLabel(tr("Keys and mouse"), card);
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.3);
    large.setWeight(QFont::DemiBold);
    title->setFont(large);
    inside->addWidget(title);
    inside->addWidget(makeNote(tr("Single letters act while an image view has the focus. Escape or ? closes this sheet."), card));
    auto* scroll = new QScrollArea(card);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->viewport()->setAutoFillBackground(false);
    auto categories = categoriesOf(m_registry);
    categories.insert(categories.end(), m_lines.begin(), m_lines.end());
    scroll->setWidget(makeColumns(categories, width() < 1100 ? 2 : 3));
    scroll->widget()->setAutoFillBackground(false);
    inside->addWidget(scroll, 1);
    auto* around = new QHBoxLayout(this);
    around->setContentsMargins(32, 32, 32, 32);
    around->addWidget(card);
    show();
    raise();
    setFocus();
}

bool ShortcutSheet::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parent() && event->type() == QEvent::Resize && isVisible())
        setGeometry(parentWidget()->rect());
    return false;
}

void ShortcutSheet::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape || event->key() == Qt::Key_Question || event->key() == Qt::Key_Return)
        leave();
    else
        QWidget::keyPressEvent(event);
}

void ShortcutSheet::mousePressEvent(QMouseEvent*)
{
    leave();
}

void ShortcutSheet::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), QColor(0, 0, 0, 140));
}

void ShortcutSheet::leave()
{
    hide();
    if (m_focusBefore)
        m_focusBefore->setFocus();
}

} // namespace voxelscribe::common
