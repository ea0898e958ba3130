#include "widgets/panels/class_row.h"

#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/text.h"
#include "widgets/panels/parts.h"

#include <QColorDialog>
#include <QFocusEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QToolButton>

namespace voxelscribe::panels {

ClassRow::ClassRow(const ClassInfo& info, QWidget* parent)
    : QFrame(parent), m_info(info), m_number(makeToolButton({}, {}, {}, {}, this)), m_swatch(makeToolButton({}, {}, {}, {}, this)),
      m_name(new QLineEdit(this)), m_count(common::makeNote({}, this)),
      m_eye(makeToolButton(QStringLiteral("eye"), {}, {}, {}, this)), m_lock(makeToolButton(QStringLiteral("unlock"), {}, {}, {}, this)),
      m_remove(makeToolButton(QStringLiteral("remove"), {}, {}, {}, this))
{
    setObjectName(QStringLiteral("class%1").arg(info.id));
    common::setCard(this, "row");
    arrange();
    connectParts();
    showInfo();
}

void ClassRow::arrange()
{
    m_number->setObjectName(QStringLiteral("choose"));
    m_number->setCheckable(true);
    m_number->setProperty("plain", true);
    m_swatch->setObjectName(QStringLiteral("colour"));
    m_swatch->setProperty("plain", true);
    m_name->setObjectName(QStringLiteral("name"));
    m_name->setProperty("inplace", true);
    m_name->setFocusPolicy(Qt::TabFocus);
    m_name->setMinimumWidth(60);
    // A click on the name chooses the class; else the next key, meant for the image, would land in the name.
    m_name->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_name->installEventFilter(this);
    m_count->setWordWrap(false);
    m_count->setObjectName(QStringLiteral("count"));
    m_eye->setObjectName(QStringLiteral("visible"));
    m_eye->setCheckable(true);
    m_lock->setObjectName(QStringLiteral("lock"));
    m_lock->setCheckable(true);
    m_remove->setObjectName(QStringLiteral("remove"));
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(4, 2, 4, 2);
    line->setSpacing(1);
    line->addWidget(m_number);
    line->addWidget(m_swatch);
    line->addWidget(m_name, 1);
    line->addWidget(m_count);
    line->addSpacing(4);
    for (QToolButton* button : {m_eye, m_lock, m_remove}) {
        button->setIconSize({16, 16});
        button->setProperty("plain", true);
        line->addWidget(button);
    }
}

void ClassRow::connectParts()
{
    connect(m_number, &QToolButton::clicked, this, [this] {
        m_number->setChecked(true);
        Q_EMIT chosen();
    });
    connect(m_swatch, &QToolButton::clicked, this, &ClassRow::chooseColour);
    connect(m_eye, &QToolButton::clicked, this, [this](bool on) {
        ClassInfo changed = m_info;
        changed.visible = on;
        change(changed);
    });
    connect(m_lock, &QToolButton::clicked, this, [this](bool on) {
        ClassInfo changed = m_info;
        changed.locked = on;
        change(changed);
    });
    connect(m_remove, &QToolButton::clicked, this, &ClassRow::removeRequested);
}

void ClassRow::setInfo(const ClassInfo& info)
{
    m_info = info;
    showInfo();
}

void ClassRow::setPlace(int place)
{
    m_place = place;
    showInfo();
}

void ClassRow::setVoxels(std::int64_t voxels)
{
    m_voxels = voxels;
    m_count->setText(common::formatCount(voxels));
    m_count->setAccessibleName(common::formatCounted(voxels, tr("labelled voxel"), tr("labelled voxels")));
    m_count->setToolTip(m_count->accessibleName());
}

void ClassRow::setActive(bool active)
{
    common::setCard(this, active ? "active" : "row");
    m_number->setChecked(active);
}

void ClassRow::setReadOnly(bool readOnly)
{
    m_readOnly = readOnly;
    m_name->setReadOnly(readOnly);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_swatch, m_lock, m_remove})
        widget->setEnabled(!readOnly);
}

void ClassRow::editName()
{
    if (m_readOnly)
        return;
    m_name->setFocus(Qt::OtherFocusReason);
    m_name->selectAll();
}

void ClassRow::mousePressEvent(QMouseEvent*)
{
    Q_EMIT chosen();
}

void ClassRow::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (m_name->geometry().contains(event->position().toPoint()))
        editName();
}

void ClassRow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_F2)
        editName();
    else
        QFrame::keyPressEvent(event);
}

bool ClassRow::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_name)
        return false;
    if (event->type() == QEvent::FocusIn)
        m_name->setAttribute(Qt::WA_TransparentForMouseEvents, false);
    if (event->type() == QEvent::FocusOut) {
        m_name->setAttribute(Qt::WA_TransparentForMouseEvents, true);
        m_name->deselect();
        takeName();
    }
    if (event->type() != QEvent::KeyPress)
        return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key != Qt::Key_Escape && key != Qt::Key_Return && key != Qt::Key_Enter)
        return false;
    if (key == Qt::Key_Escape)
        m_name->setText(toText(m_info.name));
    m_name->clearFocus();
    Q_EMIT nameDone();
    return true;
}

void ClassRow::showInfo()
{
    const QString name = toText(m_info.name);
    if (!m_name->hasFocus() && m_name->text() != name)
        m_name->setText(name);
    m_name->setCursorPosition(m_name->hasFocus() ? m_name->cursorPosition() : 0);
    m_swatch->setIcon(swatchIcon(m_info.colour));
    m_number->setText(m_place >= 1 && m_place <= 9 ? QString::number(m_place) : QStringLiteral("·"));
    m_eye->setChecked(m_info.visible);
    m_eye->setIcon(common::icon(m_info.visible ? QStringLiteral("eye") : QStringLiteral("eye-off")));
    m_lock->setChecked(m_info.locked);
    m_lock->setIcon(common::icon(m_info.locked ? QStringLiteral("lock") : QStringLiteral("unlock")));
    common::describe(m_number, tr("Paint %1").arg(name), tr("Paint with class %1").arg(name), m_place <= 9 ? QString::number(m_place) : QString());
    common::describe(m_swatch, tr("Colour of %1").arg(name), tr("Change the colour of %1").arg(name));
    common::describe(m_name, tr("Name of class %1").arg(m_info.id), tr("Double-click to rename"), QStringLiteral("F2"));
    common::describe(m_eye, tr("Show %1").arg(name), m_info.visible ? tr("Hide %1 in the views").arg(name) : tr("Show %1 in the views").arg(name));
    common::describe(m_lock, tr("Lock %1").arg(name),
                     m_info.locked ? tr("%1 is locked: tools leave it as it is").arg(name) : tr("Lock %1 against painting").arg(name), QStringLiteral("K"));
    common::describe(m_remove, tr("Remove %1").arg(name), tr("Remove %1 and its strokes; undo brings them back").arg(name));
}

void ClassRow::change(const ClassInfo& info)
{
    if (info == m_info)
        return;
    m_info = info;
    showInfo();
    Q_EMIT edited(info);
}

void ClassRow::takeName()
{
    const QString name = m_name->text().simplified();
    ClassInfo changed = m_info;
    // A class without a name could not be told apart in a list or an export.
    if (!name.isEmpty())
        changed.name = name.toStdString();
    m_name->setText(toText(changed.name));
    m_name->setCursorPosition(0);
    change(changed);
}

void ClassRow::chooseColour()
{
    auto* dialog = new QColorDialog(toQColor(m_info.colour), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Colour of %1").arg(toText(m_info.name)));
    connect(dialog, &QColorDialog::colorSelected, this, [this](const QColor& colour) {
        ClassInfo changed = m_info;
        changed.colour = toRgb(colour);
        change(changed);
    });
    dialog->open();
}

} // namespace voxelscribe::panels
