#include "hand.h"

#include "widgets/common/message_bar.h"
#include "widgets/slice/slice_view.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QWindow>

#include <algorithm>

namespace voxelscribe::test {

namespace {

/// Scrolls to a control, as a person would.
void bringIntoSight(QWidget* control)
{
    for (QWidget* around = control->parentWidget(); around != nullptr; around = around->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(around))
            area->ensureWidgetVisible(control, 0, 0);
}

/// As QTest::keyClicks, but for every letter that there is.
void typeInto(QWidget* field, const QString& text)
{
    for (const QChar letter : text)
        QTest::sendKeyEvent(QTest::Click, field, static_cast<Qt::Key>(letter.toUpper().unicode()), letter, Qt::NoModifier);
}

QPoint placeInWindow(const QWidget* control, const QPoint& place)
{
    return control->mapTo(control->window(), place);
}

} // namespace

std::vector<QWidget*> Hand::showing(const QString& name) const
{
    const bool isPart = name.startsWith(u'~');
    const QString wanted = isPart ? name.mid(1) : name;
    std::vector<QWidget*> found;
    for (QWidget* top : QApplication::topLevelWidgets()) {
        if (!top->isVisible() || (top != &m_window && top->parentWidget() == nullptr))
            continue;
        for (QWidget* widget : top->findChildren<QWidget*>())
            if (widget->isVisible() && (isPart ? widget->accessibleName().contains(wanted) : widget->accessibleName() == wanted))
                found.push_back(widget);
    }
    return found;
}

bool Hand::takeUp() const
{
    m_window.activateWindow();
    return QTest::qWaitForWindowActive(&m_window, kPatience);
}

bool Hand::waitFor(const QString& name, int timeoutMs) const
{
    return QTest::qWaitFor([&] { return find(name) != nullptr; }, timeoutMs);
}

bool Hand::click(const QString& name, int timeoutMs) const
{
    QAbstractButton* button = nullptr;
    if (!QTest::qWaitFor([&] { return (button = find<QAbstractButton>(name)) != nullptr && button->isEnabled(); }, timeoutMs)) {
        qWarning("no button named “%s” shows and is enabled; messages: %s", qPrintable(name), qPrintable(messages()));
        return false;
    }
    bringIntoSight(button);
    QTest::mouseClick(button->window()->windowHandle(), Qt::LeftButton, Qt::NoModifier, placeInWindow(button, button->rect().center()));
    QCoreApplication::processEvents();
    return true;
}

bool Hand::enter(const QString& name, const QString& text) const
{
    QWidget* field = find<QAbstractSpinBox>(name);
    if (field == nullptr)
        field = find<QLineEdit>(name);
    if (field == nullptr || !field->isEnabled())
        return false;
    bringIntoSight(field);
    QTest::mouseClick(field->window()->windowHandle(), Qt::LeftButton, Qt::NoModifier, placeInWindow(field, QPoint(12, field->height() / 2)));
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    typeInto(field, text);
    QTest::keyClick(field, Qt::Key_Tab);
    return true;
}

bool Hand::choose(const QString& comboBox, int index) const
{
    auto* box = find<QComboBox>(comboBox);
    if (box == nullptr || !box->isEnabled())
        return false;
    bringIntoSight(box);
    box->setFocus(Qt::TabFocusReason);
    QTest::keyClick(box, Qt::Key_Home);
    for (int i = 0; i < index; ++i)
        QTest::keyClick(box, Qt::Key_Down);
    return box->currentIndex() == index;
}

bool Hand::answerFileDialog(const QString& path) const
{
    QFileDialog* dialog = nullptr;
    const auto look = [&dialog] {
        for (QWidget* top : QApplication::topLevelWidgets())
            if (top->isVisible() && qobject_cast<QFileDialog*>(top) != nullptr)
                dialog = qobject_cast<QFileDialog*>(top);
        return dialog != nullptr;
    };
    if (!QTest::qWaitFor(look, kPatience))
        return false;
    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    if (name == nullptr)
        return false;
    // Pasted, not typed: the list of completions takes the focus where no window manager looks after it.
    QGuiApplication::clipboard()->setText(path);
    QTest::keyClick(name, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(name, Qt::Key_V, Qt::ControlModifier);
    QTest::keyClick(name, Qt::Key_Enter);
    return takeUp();
}

void Hand::key(Qt::Key key, Qt::KeyboardModifiers modifiers) const
{
    auto& view = part<slice::SliceView>();
    view.setFocus();
    QTest::keyClick(&view, key, modifiers);
    QCoreApplication::processEvents(); // nobody presses the next key before the program has seen to this one
}

void Hand::drag(const std::vector<QPoint>& places, Qt::KeyboardModifiers modifiers) const
{
    auto& view = part<slice::SliceView>();
    QWindow* window = view.window()->windowHandle();
    QTest::mousePress(window, Qt::LeftButton, modifiers, placeInWindow(&view, places.front()));
    for (const QPoint& place : places)
        QTest::mouseMove(window, placeInWindow(&view, place));
    QTest::mouseRelease(window, Qt::LeftButton, modifiers, placeInWindow(&view, places.back()));
}

bool Hand::goToSlice(qint64 slice) const
{
    auto& view = part<slice::SliceView>();
    for (int steps = 0; view.slice() != slice && steps < 1000; ++steps)
        key(view.slice() < slice ? Qt::Key_PageDown : Qt::Key_PageUp);
    return view.slice() == slice && QTest::qWaitFor([&] { return view.isComplete(); }, kPatience);
}

QStringList Hand::namesWith(const QString& part) const
{
    std::vector<QWidget*> widgets = showing(u'~' + part);
    std::ranges::stable_sort(widgets, {}, [](const QWidget* widget) { return widget->mapToGlobal(QPoint(0, 0)).y(); });
    QStringList names;
    for (const QWidget* widget : widgets)
        names << widget->accessibleName();
    return names;
}

QString Hand::messages() const
{
    QStringList texts;
    for (const QLabel* label : part<common::MessageBar>().findChildren<QLabel*>(QStringLiteral("noticeText")))
        if (label->isVisible())
            texts << label->text();
    return texts.join(u'\n');
}

} // namespace voxelscribe::test
