#pragma once

#include "tests/support/test_data.h"
#include "widgets/slice/slice_view.h"

#include <QImage>
#include <QPixmap>
#include <QtTest/QtTest>

namespace voxelscribe::test {

/// Long: the machine may be slow and loaded. Nothing waits for it unless something is wrong.
constexpr int kPatienceMs = 60000;

/// Shows a view of an exact size and gives it the focus.
inline void showView(slice::SliceView& view, const QSize& size)
{
    view.resize(size);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.activateWindow();
    view.setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(view.hasFocus(), kPatienceMs);
}

/// What the view shows, once all of the slice is there.
inline QImage picture(slice::SliceView& view)
{
    [&] { QTRY_VERIFY_WITH_TIMEOUT(view.isComplete(), kPatienceMs); }();
    QCoreApplication::processEvents();
    return view.grab().toImage();
}

/// The colour of the device pixel in the middle of a voxel.
inline QColor voxelColour(const slice::SliceView& view, const QImage& image, std::int64_t v, std::int64_t u)
{
    const QPointF at = view.widgetPosition({static_cast<double>(u) + 0.5, static_cast<double>(v) + 0.5}) * image.devicePixelRatio();
    return image.pixelColor(at.toPoint());
}

inline QColor grey(int value)
{
    return {value, value, value};
}

/// `over` with `opacity` on `under`.
inline QColor blended(const QColor& over, const QColor& under, double opacity)
{
    const auto mix = [opacity](int a, int b) { return static_cast<int>(std::lround(opacity * a + (1 - opacity) * b)); };
    return {mix(over.red(), under.red()), mix(over.green(), under.green()), mix(over.blue(), under.blue())};
}

/// Rounding in the painter's 8-bit arithmetic differs by a step or two.
inline bool isNear(const QColor& a, const QColor& b, int tolerance = 3)
{
    return std::abs(a.red() - b.red()) <= tolerance && std::abs(a.green() - b.green()) <= tolerance
        && std::abs(a.blue() - b.blue()) <= tolerance;
}

} // namespace voxelscribe::test

#define VERIFY_COLOUR(actual, expected) \
    do { \
        const QColor actualColour = (actual); \
        const QColor expectedColour = (expected); \
        QVERIFY2(voxelscribe::test::isNear(actualColour, expectedColour), \
                 qPrintable(actualColour.name() + QStringLiteral(" instead of ") + expectedColour.name())); \
    } while (false)
