#pragma once

#include <QOpenGLWidget>
#include <QPoint>
#include <functional>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkNew.h>

namespace voxelscribe::scene3d {

class ScenePipeline;

/// A QOpenGLWidget that VTK draws into, with the mouse and keys of a 3D view: drag rotates, middle drag pans, wheel zooms.
class GlCanvas : public QOpenGLWidget {
    Q_OBJECT
public:
    GlCanvas(ScenePipeline& pipeline, QWidget* parent);
    ~GlCanvas() override;

Q_SIGNALS:
    void failed(const QString& message);
    void drawn();
    void resetRequested();

protected:
    void initializeGL() override;
    void resizeGL(int width, int height) override;
    void paintGL() override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    ScenePipeline& m_pipeline;
    vtkNew<vtkGenericOpenGLRenderWindow> m_window;
    QPoint m_last;
    bool m_ready = false;
};

/// Why OpenGL cannot be used here; empty: it can. Asked before a canvas is made.
QString openGlProblem();

} // namespace voxelscribe::scene3d
