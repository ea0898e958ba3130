#pragma once

#include "widgets/slice/slice_view.h"

#include <QElapsedTimer>
#include <QPointF>
#include <optional>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace voxelscribe::slice {

/// What the hands can ask of a slice view. Positions are the widget's.
class InputTarget {
public:
    virtual ~InputTarget() = default;
    virtual bool hasPicture() const = 0;
    virtual void stepSlices(std::int64_t by) = 0;
    virtual void goToEnd(bool last) = 0;
    virtual void zoom(double factor, std::optional<QPointF> around) = 0;
    virtual void pan(QPointF delta) = 0;
    virtual void fit() = 0;
    /// Window/level: `delta` since the drag began.
    virtual void beginContrast() = 0;
    virtual void dragContrast(QPointF delta) = 0;
    virtual void growBrush(double steps) = 0;
    /// False where painting is not possible now; the reason has been told.
    virtual bool beginStroke(QPointF at, bool erase) = 0;
    virtual void extendStroke(QPointF to) = 0;
    virtual void endStroke() = 0;
    virtual void cancelStroke() = 0;
    virtual void fillAt(QPointF at, bool erase) = 0;
    virtual void pickAt(QPointF at) = 0;
    virtual void hover(std::optional<QPointF> at) = 0;
    virtual void toggleOverlay() = 0;
    virtual void changeOpacity(double by) = 0;
    virtual void toggleOutline() = 0;
    virtual void maximise() = 0;
    /// Tool, modifiers or gesture changed: cursor and brush ring may have to.
    virtual void handsChanged() = 0;
};

/// Turns mouse, wheel and keys into gestures. Every handler returns whether the event was for it.
class SliceInput {
public:
    explicit SliceInput(InputTarget& target) : m_target(target) {}

    void setTool(Tool tool);
    Tool tool() const { return m_tool; }
    bool isStroking() const { return m_gesture == Gesture::stroke; }
    bool isPanning() const { return m_gesture == Gesture::pan; }
    bool isPanReady() const { return m_spaceHeld || m_tool == Tool::navigate; }
    bool isErasing() const { return m_altHeld || m_tool == Tool::eraser; }
    bool paints() const { return m_tool == Tool::brush || m_tool == Tool::eraser; }

    bool press(const QMouseEvent& event);
    bool move(const QMouseEvent& event);
    bool release(const QMouseEvent& event);
    bool doubleClick(const QMouseEvent& event);
    bool wheel(const QWheelEvent& event);
    bool keyPress(const QKeyEvent& event);
    bool keyRelease(const QKeyEvent& event);
    /// Ends whatever is going on: the view is hidden, or shows something else from now on.
    void finish();
    /// Held keys may be released unseen from now on.
    void focusLost();

private:
    enum class Gesture { none, pan, contrast, stroke, spent };
    void begin(Gesture gesture, const QMouseEvent& event);
    bool pressTool(const QMouseEvent& event);
    bool sliceKey(const QKeyEvent& event);
    bool letterKey(const QKeyEvent& event);

    InputTarget& m_target;
    Tool m_tool = Tool::navigate;
    Gesture m_gesture = Gesture::none;
    Qt::MouseButton m_button = Qt::NoButton;
    QPointF m_pressed;
    QPointF m_last;
    bool m_spaceHeld = false;
    bool m_altHeld = false;
    double m_wheelSteps = 0;              ///< what touchpads scroll in less than a step
    QElapsedTimer m_overlayKey;           ///< valid while S is held
};

} // namespace voxelscribe::slice
