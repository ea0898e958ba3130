#pragma once

#include "core/volume/plane.h"
#include "widgets/slice/slice_view.h"

#include <QString>
#include <QWidget>
#include <memory>

namespace voxelscribe::panels {

/// The slim bar over the slice view: tools, undo and redo, fit, plane, overlay and its two opacities.
class PaintToolBar : public QWidget {
    Q_OBJECT
public:
    explicit PaintToolBar(QWidget* parent = nullptr);
    ~PaintToolBar() override;

    void setTool(slice::Tool tool);
    slice::Tool tool() const;
    /// False: painting tools are disabled and say why.
    void setPaintingEnabled(bool enabled, const QString& why = {});
    /// `what` names the step: "stroke in slice 12"; empty: nothing to undo.
    void setUndo(const QString& what);
    void setRedo(const QString& what);
    void setPlane(Plane plane);
    void setOverlayVisible(bool visible);
    void setAnnotationOpacity(double opacity);
    void setMaskOpacity(double opacity);
    void setMaskOutline(bool outline);
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void toolChosen(voxelscribe::slice::Tool tool);
    void undoRequested();
    void redoRequested();
    void fitRequested();
    void planeChosen(voxelscribe::Plane plane);
    void overlayVisibleChosen(bool visible);
    void annotationOpacityChosen(double opacity);
    void maskOpacityChosen(double opacity);
    void maskOutlineChosen(bool outline);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::panels
