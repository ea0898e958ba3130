#include "widgets/common/message_bar.h"

#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/symbol.h"
#include "widgets/common/text.h"

#include <QAccessible>
#include <QFontDatabase>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace voxelscribe::common {

namespace {

const char* wordOf(Severity severity)
{
    switch (severity) {
    case Severity::info: return "info";
    case Severity::warning: return "warning";
    case Severity::error: break;
    }
    return "error";
}

QString spokenSeverity(Severity severity)
{
    switch (severity) {
    case Severity::info: return MessageBar::tr("Note");
    case Severity::warning: return MessageBar::tr("Warning");
    case Severity::error: break;
    }
    return MessageBar::tr("Error");
}

QPlainTextEdit* makeDetails(const QString& text, QWidget* parent)
{
    auto* details = new QPlainTextEdit(text, parent);
    details->setReadOnly(true);
    details->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    details->setFixedHeight(details->fontMetrics().lineSpacing() * 7);
    details->setTabChangesFocus(true);
    details->setAccessibleName(MessageBar::tr("Details"));
    details->hide();
    return details;
}

/// The line of a notice, before its buttons.
QHBoxLayout* makeLine(const Notice& notice, QFrame* frame)
{
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(new Symbol(QString::fromLatin1(wordOf(notice.severity)), 18, frame), 0, Qt::AlignVCenter);
    auto* text = new QLabel(sentence(notice.text), frame);
    text->setObjectName(QStringLiteral("noticeText"));
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    line->addWidget(text, 1);
    return line;
}

void addDetails(const QString& text, QFrame* frame, QVBoxLayout* inside, QHBoxLayout* line)
{
    QPlainTextEdit* details = makeDetails(text, frame);
    inside->addWidget(details);
    auto* toggle = new QPushButton(MessageBar::tr("Details"), frame);
    toggle->setCheckable(true);
    setQuiet(toggle);
    describe(toggle, MessageBar::tr("Details"), MessageBar::tr("Show what exactly was reported"));
    QObject::connect(toggle, &QPushButton::toggled, details, &QWidget::setVisible);
    line->addWidget(toggle, 0, Qt::AlignVCenter);
}

} // namespace

MessageBar::MessageBar(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("messageBar"));
    setAccessibleName(tr("Messages"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(4);
    hide();
}

void MessageBar::post(const Notice& notice)
{
    const QString key = notice.key.isEmpty() ? notice.text : notice.key;
    clear(key);
    auto* frame = new QFrame(this);
    frame->setObjectName(key);
    frame->setAccessibleName(QStringLiteral("%1: %2").arg(spokenSeverity(notice.severity), sentence(notice.text)));
    setCard(frame, wordOf(notice.severity));
    auto* inside = new QVBoxLayout(frame);
    inside->setContentsMargins(10, 6, 6, 6);
    QHBoxLayout* line = makeLine(notice, frame);
    inside->addLayout(line);

    if (!notice.details.isEmpty())
        addDetails(notice.details, frame, inside, line);
    if (!notice.actionText.isEmpty()) {
        auto* button = new QPushButton(notice.actionText, frame);
        describe(button, notice.actionText);
        button->setFocusPolicy(Qt::TabFocus); // a click leaves the keys with the image; the button is gone after it
        connect(button, &QPushButton::clicked, this, [this, key, action = notice.action] {
            clear(key);
            if (action)
                action();
        });
        line->addWidget(button, 0, Qt::AlignVCenter);
    }
    auto* close = new QToolButton(frame);
    close->setIcon(icon(QStringLiteral("close"), QPalette::WindowText));
    describe(close, tr("Dismiss"), tr("Dismiss this message"));
    close->setFocusPolicy(Qt::TabFocus);
    connect(close, &QToolButton::clicked, this, [this, key] {
        clear(key);
        Q_EMIT dismissed(key);
    });
    line->addWidget(close, 0, Qt::AlignVCenter);

    m_layout->insertWidget(0, frame);
    show();
    QAccessibleEvent alert(frame, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void MessageBar::clear(const QString& key)
{
    if (QWidget* frame = find(key)) {
        m_layout->removeWidget(frame);
        frame->hide();
        frame->deleteLater();
    }
    setVisible(count() > 0);
}

void MessageBar::clearAll()
{
    while (count() > 0)
        clear(m_layout->itemAt(0)->widget()->objectName());
}

int MessageBar::count() const
{
    return m_layout->count();
}

bool MessageBar::has(const QString& key) const
{
    return find(key) != nullptr;
}

QWidget* MessageBar::find(const QString& key) const
{
    for (int i = 0; i < m_layout->count(); ++i)
        if (QWidget* frame = m_layout->itemAt(i)->widget(); frame->objectName() == key)
            return frame;
    return nullptr;
}

} // namespace voxelscribe::common
