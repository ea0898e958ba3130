#pragma once

#include "app/window/main_window.h"
#include "core/project/project_list.h"
#include "hand.h"
#include "support/run_program.h"
#include "truth.h"
#include "widgets/common/theme.h"
#include "widgets/slice/slice_view.h"

#include <memory>

namespace voxelscribe::test {

/// A window and the hand that works in it.
class Desk {
public:
    explicit Desk(const QString& engine = QStringLiteral(VOXELSCRIBE_ENGINE))
        : m_theme(std::make_unique<common::Theme>(*qApp)), m_window(std::make_unique<window::MainWindow>(*m_theme, engine)), hand(*m_window)
    {
        m_window->show();
    }

    window::MainWindow& window() const { return *m_window; }
    slice::SliceView& view() const { return hand.part<slice::SliceView>(); }

    /// Opens a stack and waits until its slice shows.
    bool open(const QString& path) const
    {
        m_window->openPath(path);
        return QTest::qWaitFor([&] { return view().isVisible() && view().isComplete(); }, kPatience) && hand.takeUp();
    }

    /// Places of the slice view along a line between two pixels of the slice.
    std::vector<QPoint> line(PlanePoint from, PlanePoint to) const
    {
        const PlanePoint middle{(from.u + to.u) / 2, (from.v + to.v) / 2};
        return {view().widgetPosition(from).toPoint(), view().widgetPosition(middle).toPoint(), view().widgetPosition(to).toPoint()};
    }

private:
    std::unique_ptr<common::Theme> m_theme;
    std::unique_ptr<window::MainWindow> m_window;

public:
    Hand hand;
};

/// Makes a simulated stack and, where a path is given, strokes for it. Empty, or why it failed.
inline QString makeStack(const QString& path, const QString& shape, const QString& strokes = {})
{
    QStringList command{"phantom", path, "--shape", shape, "--overwrite"};
    if (!strokes.isEmpty())
        command << "--strokes" << strokes;
    const Finished made = runEngine(command);
    return made.exitCode == 0 ? QString() : made.err;
}

inline QString projectOf(const QString& stack)
{
    return QString::fromStdString(project::autosavePathFor(stack.toStdString()).string());
}

inline QString annotationsOf(const QString& stack)
{
    return projectOf(stack) + "/annotations.zarr";
}

} // namespace voxelscribe::test
