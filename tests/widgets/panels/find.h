#pragma once

#include <QWidget>
#include <QtTest/QtTest>

namespace voxelscribe::test {

/// The child with this object name; fails the test loudly where there is none.
template <typename Widget>
Widget* child(const QObject& parent, const char* name)
{
    auto* found = parent.findChild<Widget*>(QLatin1String(name));
    if (found == nullptr)
        qFatal("no child named %s", name);
    return found;
}

inline void click(QWidget* widget)
{
    QTest::mouseClick(widget, Qt::LeftButton);
}

/// Shows the window and waits until it takes keys.
inline bool showActive(QWidget& window)
{
    window.show();
    window.activateWindow();
    return QTest::qWaitForWindowActive(&window);
}

} // namespace voxelscribe::test
