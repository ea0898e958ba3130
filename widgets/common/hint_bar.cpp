#include "widgets/common/hint_bar.h"

#include "widgets/common/style.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>

namespace voxelscribe::common {

namespace {
const QString kGap = QStringLiteral("     ");
}

HintBar::HintBar(QWidget* parent) : QWidget(parent), m_hintLabel(makeNote({}, this)), m_readout(new QLabel(this))
{
    m_hintLabel->setWordWrap(false);
    m_hintLabel->setTextFormat(Qt::RichText);
    m_hintLabel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_hintLabel->setAccessibleName(tr("What mouse and keys do"));
    m_readout->setObjectName(QStringLiteral("readout"));
    m_readout->setAccessibleName(tr("Under the pointer"));
    m_readout->setTextFormat(Qt::PlainText);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 3, 10, 3);
    layout->setSpacing(24);
    layout->addWidget(m_hintLabel, 1);
    layout->addWidget(m_readout);
}

void HintBar::setHints(const QList<Hint>& hints)
{
    if (m_hints == hints)
        return;
    m_hints = hints;
    showHints();
}

void HintBar::setReadout(const QString& text)
{
    if (m_readout->text() == text)
        return;
    m_readout->setText(text);
    showHints();
}

QString HintBar::readout() const
{
    return m_readout->text();
}

void HintBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showHints();
}

void HintBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        showHints();
}

void HintBar::showHints()
{
    // As many whole hints as there is room for; the first are the most useful.
    QFont bold = m_hintLabel->font();
    bold.setBold(true);
    const QFontMetrics metrics(m_hintLabel->font());
    const QFontMetrics boldMetrics(bold);
    const int readout = m_readout->text().isEmpty() ? 0 : m_readout->sizeHint().width() + 24;
    int room = width() - 20 - readout;
    QStringList shown;
    QStringList spoken;
    for (const Hint& hint : m_hints) {
        room -= boldMetrics.horizontalAdvance(hint.keys) + metrics.horizontalAdvance(QStringLiteral("  ") + hint.what + kGap);
        if (room < 0)
            break;
        shown << QStringLiteral("<b>%1</b>&nbsp;&nbsp;%2").arg(hint.keys.toHtmlEscaped(), hint.what.toHtmlEscaped());
        spoken << QStringLiteral("%1: %2").arg(hint.keys, hint.what);
    }
    m_hintLabel->setText(shown.join(QStringLiteral("&nbsp;&nbsp;&nbsp;&nbsp; ")));
    m_hintLabel->setAccessibleDescription(spoken.join(QStringLiteral("; ")));
}

} // namespace voxelscribe::common
