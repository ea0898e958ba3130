#include "widgets/panels/parts.h"

#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/symbol.h"
#include "widgets/common/text.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <memory>

namespace voxelscribe::panels {

QColor toQColor(Rgb colour)
{
    return QColor::fromRgb(QRgb(colour));
}

Rgb toRgb(const QColor& colour)
{
    return colour.rgb() & 0xffffffU;
}

QString toText(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

QIcon swatchIcon(Rgb colour)
{
    constexpr int kEdge = 16;
    constexpr int kScale = 2;
    QPixmap pixmap(kEdge * kScale, kEdge * kScale);
    pixmap.setDevicePixelRatio(kScale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(toQColor(colour));
    painter.setPen(QPen(toQColor(colour).darker(130), 1));
    painter.drawRoundedRect(QRectF(1, 1, kEdge - 2, kEdge - 2), 4, 4);
    QIcon icon(pixmap);
    icon.addPixmap(pixmap, QIcon::Disabled); // a colour that cannot be changed is a colour all the same
    return icon;
}

QToolButton* makeToolButton(const QString& iconName, const QString& name, const QString& tooltip, const QString& shortcut,
                            QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setIcon(common::icon(iconName));
    button->setIconSize({18, 18});
    button->setFocusPolicy(Qt::TabFocus);
    button->setAutoRaise(true);
    common::describe(button, name, tooltip, shortcut);
    return button;
}

QPushButton* makeButton(const QString& iconName, const QString& text, const QString& tooltip, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    if (!iconName.isEmpty())
        button->setIcon(common::icon(iconName));
    button->setAutoDefault(false);
    common::describe(button, text, tooltip);
    return button;
}

QProgressBar* makeProgressBar(const QString& name, QWidget* parent)
{
    auto* bar = new QProgressBar(parent);
    bar->setRange(0, 1000);
    bar->setTextVisible(false);
    bar->setAccessibleName(name);
    return bar;
}

void showPermille(QProgressBar* bar, int permille)
{
    // A range of nothing is Qt's way to show work of unknown length.
    bar->setRange(0, permille < 0 ? 0 : 1000);
    if (permille >= 0)
        bar->setValue(permille);
}

QFrame* makeCard(const char* kind, const QString& text, QWidget* parent)
{
    auto* frame = new QFrame(parent);
    common::setCard(frame, kind);
    frame->setAccessibleName(common::sentence(text));
    auto* line = new QHBoxLayout(frame);
    line->setContentsMargins(8, 6, 8, 6);
    line->setSpacing(8);
    line->addWidget(new common::Symbol(QString::fromLatin1(kind), 16, frame), 0, Qt::AlignTop);
    auto* label = new QLabel(common::sentence(text), frame);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    line->addWidget(label, 1);
    return frame;
}

void clearLayout(QLayout* layout)
{
    while (QLayoutItem* item = layout->takeAt(0)) {
        const std::unique_ptr<QLayoutItem> owned(item);
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
    }
}

NumberBox::NumberBox(QWidget* parent) : QDoubleSpinBox(parent)
{
    setLocale(QLocale::c());
    setDecimals(6);
    setKeyboardTracking(false);
    setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QString NumberBox::textFromValue(double value) const
{
    return QLocale::c().toString(value, 'g', 7);
}

QSize NumberBox::sizeHint() const
{
    // QDoubleSpinBox asks for the widest possible number with all its decimals, which no panel has room for.
    QSize hint = QDoubleSpinBox::sizeHint();
    hint.setWidth(fontMetrics().horizontalAdvance(QStringLiteral("00000.0")) + 34);
    return hint;
}

QSize NumberBox::minimumSizeHint() const
{
    return {fontMetrics().horizontalAdvance(QStringLiteral("00.00")) + 34, sizeHint().height()};
}

} // namespace voxelscribe::panels
