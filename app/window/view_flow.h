#pragma once

#include "app/window/run_flow.h"
#include "app/window/session.h"
#include "widgets/common/hint_bar.h"
#include "widgets/common/message_bar.h"
#include "widgets/panels/class_panel.h"
#include "widgets/panels/data_panel.h"
#include "widgets/panels/paint_tool_bar.h"
#include "widgets/scene3d/scene_view.h"
#include "widgets/slice/slice_view.h"

#include <QObject>

namespace voxelscribe::window {

/// The views and panels that show and paint the session: slice view, tool bar, class list, data panel, 3D view and hint bar.
class ViewFlow : public QObject {
    Q_OBJECT
public:
    struct Parts {
        slice::SliceView* slice = nullptr;
        scene3d::SceneView* scene = nullptr;
        panels::PaintToolBar* toolBar = nullptr;
        panels::ClassPanel* classes = nullptr;
        panels::DataPanel* data = nullptr;
        common::HintBar* hints = nullptr;
        common::MessageBar* messages = nullptr;
    };
    ViewFlow(Session& session, RunFlow& run, const Parts& parts, QObject* parent = nullptr);

    /// What mouse and keys do in the slice view beside the actions, for the sheet.
    static QList<common::Hint> mouseAndKeys();
    void setTool(slice::Tool tool);
    void setPlane(Plane plane);
    void autoContrast();
    void stepClass(int by);
    void chooseClass(int number);
    void toggleLock();

private:
    void connectSlice();
    void connectPanels();
    void connectScene();
    void showStack();
    void showNothing();
    void showClasses();
    void showHistory();
    void showHints();
    void showReadout(bool inside, const Extent& voxel, double value, quint16 annotation, quint16 mask);
    void setContrast(double low, double high);
    void fill(PlanePoint at, bool erase);
    void setAppearance(const slice::SliceAppearance& appearance);
    void setBrushRadius(double radius);
    void rememberView();

    Session& m_session;
    RunFlow& m_run;
    Parts m_parts;
    common::SerialWorker m_reader;
    QTimer m_remember;
    double m_brushRadius = 6;
};

} // namespace voxelscribe::window
