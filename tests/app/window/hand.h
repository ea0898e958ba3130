#pragma once

#include <QPoint>
#include <QString>
#include <QtTest/QtTest>
#include <QWidget>

#include <vector>

namespace voxelscribe::slice {
class SliceView;
}

namespace voxelscribe::test {

/// A job on a slow, loaded computer; only a broken program waits so long.
constexpr int kPatience = 120000;

/// Does what a person does: finds the controls that show by their accessible names, and uses mouse and keys on them.
class Hand {
public:
    explicit Hand(QWidget& window) : m_window(window) {}

    /// The control that shows under this name ("~part": a part of it), in the window and its dialogs; null if none does.
    template <typename Control = QWidget>
    Control* find(const QString& name) const
    {
        for (QWidget* widget : showing(name))
            if (auto* control = qobject_cast<Control*>(widget))
                return control;
        return nullptr;
    }
    /// The first part of this type, whether it shows or not.
    template <typename Part>
    Part& part() const
    {
        auto* found = m_window.findChild<Part*>();
        if (found == nullptr)
            qFatal("the window lacks a part");
        return *found;
    }

    /// Waits until the window has the keyboard.
    bool takeUp() const;
    /// Waits until such a control shows.
    bool waitFor(const QString& name, int timeoutMs = kPatience) const;
    /// Waits until a button of this name shows and is enabled, then clicks in its middle.
    bool click(const QString& name, int timeoutMs = kPatience) const;
    /// Replaces what stands in a text or number field and presses Enter.
    bool enter(const QString& name, const QString& text) const;
    /// Chooses an entry of a combo box by keys.
    bool choose(const QString& comboBox, int index) const;
    /// Pastes a path into the file dialog that shows and presses Enter.
    bool answerFileDialog(const QString& path) const;
    /// A key pressed in the slice view.
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const;

    /// Presses, drags and releases the left button through places of the slice view.
    void drag(const std::vector<QPoint>& places, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const;
    /// Steps to a slice by keys.
    bool goToSlice(qint64 slice) const;

    /// The names of all controls that show and have this in their name, from top to bottom.
    QStringList namesWith(const QString& part) const;
    /// All notices over the content, one a line.
    QString messages() const;

private:
    std::vector<QWidget*> showing(const QString& name) const;

    QWidget& m_window;
};

} // namespace voxelscribe::test
