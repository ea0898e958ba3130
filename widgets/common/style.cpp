#include "widgets/common/style.h"

#include <QAbstractButton>
#include <QLabel>
#include <QStyle>

namespace voxelscribe::common {

namespace {

// A style sheet looks at dynamic properties only when the widget is polished.
void setStyleProperty(QWidget* widget, const char* name, const QVariant& value)
{
    if (widget->property(name) == value)
        return;
    widget->setProperty(name, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

} // namespace

void setPrimary(QAbstractButton* button, bool primary)
{
    button->setProperty("wantsPrimary", primary);
    setStyleProperty(button, "primary", primary && !button->property("yieldsPrimary").toBool());
}

void yieldPrimary(QAbstractButton* button, bool yields)
{
    button->setProperty("yieldsPrimary", yields);
    setPrimary(button, button->property("wantsPrimary").toBool());
}

bool isPrimary(const QAbstractButton* button)
{
    return button->property("primary").toBool();
}

void setQuiet(QAbstractButton* button)
{
    setStyleProperty(button, "quiet", true);
}

void setCard(QWidget* frame, const char* kind)
{
    setStyleProperty(frame, "card", QString::fromLatin1(kind));
}

void describe(QWidget* control, const QString& name, const QString& tooltip, const QString& shortcut)
{
    const QString text = tooltip.isEmpty() ? name : tooltip;
    control->setAccessibleName(name);
    control->setAccessibleDescription(tooltip);
    control->setToolTip(shortcut.isEmpty() ? text : QStringLiteral("%1 (%2)").arg(text, shortcut));
}

QLabel* makeNote(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    setTone(label, "muted");
    return label;
}

QLabel* makeHeading(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    setStyleProperty(label, "heading", true);
    return label;
}

void setTone(QLabel* label, const char* tone)
{
    setStyleProperty(label, "tone", QString::fromLatin1(tone));
}

void showText(QLabel* label, const QString& text)
{
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

} // namespace voxelscribe::common
