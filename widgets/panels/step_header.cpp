#include "widgets/panels/step_header.h"

#include "widgets/common/style.h"
#include "widgets/common/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>

namespace voxelscribe::panels {

StepHeader::StepHeader(int number, const QString& title, QWidget* parent) : QAbstractButton(parent), m_number(number)
{
    setText(title);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setShortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + number)));
    describeState();
}

void StepHeader::setState(StepState state, const QString& summary)
{
    m_state = state;
    m_summary = summary;
    describeState();
    update();
}

void StepHeader::setOpen(bool open)
{
    m_open = open;
    describeState();
    update();
}

QSize StepHeader::sizeHint() const
{
    return {220, 2 * fontMetrics().height() + 14};
}

void StepHeader::describeState()
{
    static const char* const kWords[] = {QT_TR_NOOP("to do"), QT_TR_NOOP("current"), QT_TR_NOOP("done"), QT_TR_NOOP("working")};
    QStringList description{tr(kWords[static_cast<int>(m_state)])};
    if (m_open)
        description << tr("open");
    if (!m_summary.isEmpty())
        description << m_summary;
    common::describe(this, tr("Step %1: %2").arg(m_number).arg(text()), description.join(QStringLiteral(", ")),
                     QStringLiteral("Alt+%1").arg(m_number));
}

void StepHeader::paintEvent(QPaintEvent*)
{
    const common::ThemeColours& colours = common::themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || hasFocus()) {
        painter.setPen(hasFocus() ? QPen(colours.accent, 1) : QPen(Qt::NoPen));
        painter.setBrush(m_open ? Qt::NoBrush : QBrush(colours.surface));
        painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 1.5, -2.5, -1.5), 6, 6);
    }
    constexpr double kCircle = 26;
    const QRectF circle(12, (height() - kCircle) / 2, kCircle, kCircle);
    paintMark(painter, circle);

    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const int left = static_cast<int>(circle.right()) + 12;
    const QRect words(left, 0, width() - left - 10, height());
    const int line = fontMetrics().height();
    const bool two = !m_summary.isEmpty();
    painter.setFont(m_open ? bold : font());
    painter.setPen(m_open || m_state == StepState::done ? colours.text : colours.muted);
    const QRect title(words.left(), two ? height() / 2 - line : (height() - line) / 2, words.width(), line);
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, text());
    if (!two)
        return;
    painter.setFont(font());
    painter.setPen(colours.muted);
    painter.drawText(QRect(words.left(), height() / 2, words.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_summary, Qt::ElideRight, words.width()));
}

void StepHeader::paintMark(QPainter& painter, const QRectF& circle) const
{
    const common::ThemeColours& colours = common::themeColours(palette());
    const bool filled = m_open && m_state != StepState::busy;
    painter.setPen(QPen(filled ? colours.accent : (m_state == StepState::done ? colours.success : colours.border), 1.5));
    painter.setBrush(filled ? QBrush(colours.accent) : QBrush(Qt::NoBrush));
    painter.drawEllipse(circle.adjusted(1, 1, -1, -1));
    const QColor ink = filled ? colours.onAccent : (m_state == StepState::done ? colours.success : colours.muted);
    if (m_state == StepState::busy) {
        painter.setPen(QPen(colours.link, 2.5, Qt::SolidLine, Qt::RoundCap));
        painter.drawArc(circle.adjusted(1, 1, -1, -1), 90 * 16, -240 * 16);
    }
    if (m_state == StepState::done) {
        QPainterPath tick;
        tick.moveTo(circle.left() + 8, circle.top() + 13.5);
        tick.lineTo(circle.left() + 11.5, circle.top() + 17);
        tick.lineTo(circle.left() + 18, circle.top() + 9.5);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(ink, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPath(tick);
        return;
    }
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(m_state == StepState::busy ? colours.link : ink);
    painter.drawText(circle, Qt::AlignCenter, QString::number(m_number));
}

void StepHeader::keyPressEvent(QKeyEvent* event)
{
    // Up and Down walk over the headers, not over every field between them: StepPanel does that.
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        event->ignore();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

void StepHeader::enterEvent(QEnterEvent* event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void StepHeader::leaveEvent(QEvent* event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

} // namespace voxelscribe::panels
