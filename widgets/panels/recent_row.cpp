#include "widgets/panels/recent_row.h"

#include "widgets/common/icons.h"
#include "widgets/common/theme.h"

#include <QLocale>
#include <QPainter>

namespace voxelscribe::panels {

QString whenText(const QDateTime& when, const QDateTime& now)
{
    if (!when.isValid())
        return {};
    const QLocale english(QLocale::English, QLocale::UnitedKingdom);
    const qint64 days = when.date().daysTo(now.date());
    if (days == 0)
        return RecentRow::tr("today %1").arg(english.toString(when.time(), QStringLiteral("HH:mm")));
    if (days == 1)
        return RecentRow::tr("yesterday %1").arg(english.toString(when.time(), QStringLiteral("HH:mm")));
    return english.toString(when.date(), QStringLiteral("d MMM yyyy"));
}

RecentRow::RecentRow(RecentProject project, QWidget* parent) : QAbstractButton(parent), m_project(std::move(project))
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const QString when = whenText(m_project.when, QDateTime::currentDateTime());
    setAccessibleName(tr("Open %1").arg(m_project.name));
    setAccessibleDescription(QStringLiteral("%1, %2").arg(m_project.missing ? tr("missing") : m_project.image, when));
    setToolTip(m_project.missing ? tr("%1 is not there any more").arg(m_project.path) : m_project.path);
}

QSize RecentRow::sizeHint() const
{
    return {300, 2 * fontMetrics().height() + 16};
}

void RecentRow::paintEvent(QPaintEvent*)
{
    const common::ThemeColours& colours = common::themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || hasFocus() || isDown()) {
        painter.setPen(hasFocus() ? QPen(colours.accent, 1) : QPen(Qt::NoPen));
        painter.setBrush(isDown() ? colours.accentSoft : colours.surface);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    }
    const QRect inner = rect().adjusted(12, 8, -12, -8);
    common::icon(QStringLiteral("cube"), QPalette::WindowText)
        .paint(&painter, QRect(inner.left(), inner.center().y() - 11, 22, 22), Qt::AlignCenter,
               m_project.missing || !isEnabled() ? QIcon::Disabled : QIcon::Normal);
    const QRect text = inner.adjusted(36, 0, 0, 0);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const QString when = whenText(m_project.when, QDateTime::currentDateTime());
    const int whenWidth = fontMetrics().horizontalAdvance(when) + 16;
    const QRect upper(text.left(), text.top(), text.width() - whenWidth, fontMetrics().height());
    painter.setFont(bold);
    painter.setPen(m_project.missing || !isEnabled() ? colours.muted : colours.text);
    painter.drawText(upper, Qt::AlignLeft | Qt::AlignVCenter, QFontMetrics(bold).elidedText(m_project.name, Qt::ElideRight, upper.width()));
    painter.setFont(font());
    painter.setPen(colours.muted);
    painter.drawText(QRect(text.left(), text.top(), text.width(), upper.height()), Qt::AlignRight | Qt::AlignVCenter, when);
    const QRect lower(text.left(), upper.bottom() + 1, text.width(), fontMetrics().height());
    const QString image = m_project.missing ? tr("missing: %1").arg(m_project.path) : m_project.image;
    painter.drawText(lower, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(image, Qt::ElideMiddle, lower.width()));
}

void RecentRow::enterEvent(QEnterEvent* event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void RecentRow::leaveEvent(QEvent* event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

} // namespace voxelscribe::panels
