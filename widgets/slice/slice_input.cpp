#include "widgets/slice/slice_input.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <cmath>

namespace voxelscribe::slice {

namespace {

constexpr double kZoomStep = 1.25;
constexpr std::int64_t kManySlices = 10;
constexpr double kOpacityStep = 0.1;
constexpr int kPeekMs = 400;              ///< S held longer than this was a peek: its release takes it back
constexpr double kWheelUnits = 120;

} // namespace

void SliceInput::setTool(Tool tool)
{
    finish();
    m_tool = tool;
    m_target.handsChanged();
}

void SliceInput::begin(Gesture gesture, const QMouseEvent& event)
{
    m_gesture = gesture;
    m_button = event.button();
    m_pressed = m_last = event.position();
    m_target.handsChanged();
}

bool SliceInput::press(const QMouseEvent& event)
{
    if (!m_target.hasPicture())
        return false;
    if (m_gesture != Gesture::none && event.buttons() == event.button())
        finish(); // its release went elsewhere, for example to a dialog
    if (m_gesture != Gesture::none)
        return true; // a second button during a gesture changes nothing
    m_altHeld = event.modifiers().testFlag(Qt::AltModifier);
    const bool left = event.button() == Qt::LeftButton;
    if (event.button() == Qt::MiddleButton || (left && isPanReady())) {
        begin(Gesture::pan, event);
        return true;
    }
    if (event.button() == Qt::RightButton) {
        m_target.beginContrast();
        begin(Gesture::contrast, event);
        return true;
    }
    return left && pressTool(event);
}

bool SliceInput::pressTool(const QMouseEvent& event)
{
    begin(Gesture::spent, event);
    if (m_tool == Tool::pick)
        m_target.pickAt(event.position());
    else if (m_tool == Tool::fill)
        m_target.fillAt(event.position(), m_altHeld);
    else if (m_target.beginStroke(event.position(), isErasing()))
        m_gesture = Gesture::stroke;
    m_target.handsChanged();
    return true;
}

bool SliceInput::move(const QMouseEvent& event)
{
    const QPointF at = event.position();
    const bool alt = event.modifiers().testFlag(Qt::AltModifier);
    if (m_gesture != Gesture::none && !event.buttons().testFlag(m_button))
        finish();
    if (m_gesture == Gesture::none && alt != m_altHeld) {
        m_altHeld = alt;
        m_target.handsChanged();
    }
    if (m_gesture == Gesture::pan)
        m_target.pan(at - m_last);
    else if (m_gesture == Gesture::contrast)
        m_target.dragContrast(at - m_pressed);
    else if (m_gesture == Gesture::stroke)
        m_target.extendStroke(at);
    m_last = at;
    m_target.hover(at);
    return true;
}

bool SliceInput::release(const QMouseEvent& event)
{
    if (m_gesture == Gesture::none || event.button() != m_button)
        return m_gesture != Gesture::none;
    if (m_gesture == Gesture::stroke && event.position() != m_last)
        m_target.extendStroke(event.position());
    finish();
    return true;
}

bool SliceInput::doubleClick(const QMouseEvent& event)
{
    // With a painting tool a double click is two dabs.
    const bool isFree = m_tool == Tool::navigate || m_tool == Tool::pick;
    if (!isFree || event.button() != Qt::LeftButton)
        return press(event);
    m_target.maximise();
    return true;
}

bool SliceInput::wheel(const QWheelEvent& event)
{
    if (!m_target.hasPicture())
        return false;
    // Alt turns the wheel sideways on some platforms, Shift on others.
    const QPoint turned = event.angleDelta();
    const double steps = (turned.y() != 0 ? turned.y() : turned.x()) / kWheelUnits;
    if (event.modifiers().testFlag(Qt::ControlModifier)) {
        m_target.zoom(std::pow(kZoomStep, steps), event.position());
        return true;
    }
    const bool shift = event.modifiers().testFlag(Qt::ShiftModifier);
    if (shift && paints()) {
        m_target.growBrush(steps);
        return true;
    }
    if (isStroking())
        return true;
    if (steps * m_wheelSteps < 0)
        m_wheelSteps = 0;
    m_wheelSteps += steps;
    const double whole = std::trunc(m_wheelSteps);
    m_wheelSteps -= whole;
    if (whole != 0)
        m_target.stepSlices(-static_cast<std::int64_t>(whole) * (shift ? kManySlices : 1));
    return true;
}

bool SliceInput::keyPress(const QKeyEvent& event)
{
    if (!m_target.hasPicture())
        return false;
    switch (event.key()) {
    case Qt::Key_Alt:
        m_altHeld = true;
        m_target.handsChanged();
        return false; // others may watch Alt too
    case Qt::Key_Space:
        m_spaceHeld = true;
        m_target.handsChanged();
        return true;
    case Qt::Key_Escape:
        if (!isStroking())
            return false;
        m_gesture = Gesture::spent;
        m_target.cancelStroke();
        m_target.handsChanged();
        return true;
    default: break;
    }
    return sliceKey(event) || letterKey(event);
}

bool SliceInput::sliceKey(const QKeyEvent& event)
{
    const Qt::KeyboardModifiers modifiers = event.modifiers() & ~Qt::KeypadModifier;
    if (modifiers != Qt::NoModifier && modifiers != Qt::ShiftModifier)
        return false;
    const std::int64_t many = modifiers == Qt::ShiftModifier ? kManySlices : 1;
    std::int64_t by = 0;
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Up: by = -many; break;
    case Qt::Key_Right:
    case Qt::Key_Down: by = many; break;
    case Qt::Key_PageUp: by = -1; break;
    case Qt::Key_PageDown: by = 1; break;
    case Qt::Key_Home:
    case Qt::Key_End: break;
    default: return false;
    }
    if (isStroking())
        return true;
    if (by != 0)
        m_target.stepSlices(by);
    else
        m_target.goToEnd(event.key() == Qt::Key_End);
    return true;
}

bool SliceInput::letterKey(const QKeyEvent& event)
{
    const Qt::KeyboardModifiers modifiers = event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier);
    if (modifiers != Qt::NoModifier)
        return false;
    switch (event.key()) { // with Shift on some keyboards
    case Qt::Key_Plus:
    case Qt::Key_Equal: m_target.zoom(kZoomStep, {}); return true;
    case Qt::Key_Minus:
    case Qt::Key_Underscore: m_target.zoom(1 / kZoomStep, {}); return true;
    case Qt::Key_BracketLeft: m_target.growBrush(-1); return true;
    case Qt::Key_BracketRight: m_target.growBrush(1); return true;
    default: break;
    }
    if (event.modifiers().testFlag(Qt::ShiftModifier))
        return false;
    switch (event.key()) {
    case Qt::Key_F: m_target.fit(); return true;
    case Qt::Key_A: m_target.changeOpacity(-kOpacityStep); return true;
    case Qt::Key_D: m_target.changeOpacity(kOpacityStep); return true;
    case Qt::Key_O: m_target.toggleOutline(); return true;
    case Qt::Key_S:
        if (!event.isAutoRepeat()) {
            m_target.toggleOverlay();
            m_overlayKey.start();
        }
        return true;
    default: return false;
    }
}

bool SliceInput::keyRelease(const QKeyEvent& event)
{
    if (event.isAutoRepeat())
        return event.key() == Qt::Key_Space || event.key() == Qt::Key_S;
    switch (event.key()) {
    case Qt::Key_Alt:
        m_altHeld = false;
        m_target.handsChanged();
        return false;
    case Qt::Key_Space:
        m_spaceHeld = false;
        m_target.handsChanged();
        return true;
    case Qt::Key_S:
        if (m_overlayKey.isValid() && m_overlayKey.elapsed() > kPeekMs)
            m_target.toggleOverlay();
        m_overlayKey.invalidate();
        return true;
    default: return false;
    }
}

void SliceInput::finish()
{
    const bool stroked = isStroking();
    m_gesture = Gesture::none;
    m_button = Qt::NoButton;
    if (stroked)
        m_target.endStroke();
    m_target.handsChanged();
}

void SliceInput::focusLost()
{
    m_spaceHeld = false;
    m_altHeld = false;
    m_overlayKey.invalidate();
    m_target.handsChanged();
}

} // namespace voxelscribe::slice
