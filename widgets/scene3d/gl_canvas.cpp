#include "widgets/scene3d/gl_canvas.h"

#include "widgets/scene3d/scene_pipeline.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QOpenGLContext>
#include <QWheelEvent>
#include <cmath>
#include <vtkOpenGLState.h>

namespace voxelscribe::scene3d {

QString openGlProblem()
{
    const QString platform = QGuiApplication::platformName();
    if (platform == QStringLiteral("offscreen") || platform == QStringLiteral("minimal"))
        return GlCanvas::tr("there is no display");
    QOpenGLContext context;
    if (!context.create())
        return GlCanvas::tr("this display offers no OpenGL");
    if (context.format().version() < qMakePair(3, 2))
        return GlCanvas::tr("this display offers OpenGL %1.%2 only, 3.2 is needed")
            .arg(context.format().majorVersion())
            .arg(context.format().minorVersion());
    return {};
}

GlCanvas::GlCanvas(ScenePipeline& pipeline, QWidget* parent) : QOpenGLWidget(parent), m_pipeline(pipeline)
{
    QSurfaceFormat format;
    format.setVersion(3, 2);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    setFormat(format);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("3D view"));
    setMinimumSize(120, 120);
}

GlCanvas::~GlCanvas()
{
    if (!m_ready)
        return;
    makeCurrent();
    m_window->Finalize();
    doneCurrent();
}

void GlCanvas::initializeGL()
{
    m_window->SetReadyForRendering(true);
    m_window->SetOwnContext(0);
    m_window->SetMultiSamples(0);
    m_window->SetFrameBlitModeToBlitToCurrent();
    m_window->InitializeFromCurrentContext();
    if (!m_ready)
        m_pipeline.attach(m_window);
    m_ready = true;
}

void GlCanvas::resizeGL(int, int)
{
    const double ratio = devicePixelRatioF();
    m_window->SetSize(static_cast<int>(std::lround(width() * ratio)), static_cast<int>(std::lround(height() * ratio)));
    m_pipeline.viewResized();
}

void GlCanvas::paintGL()
{
    // Qt has changed the context behind VTK's back: it must look again which framebuffer is bound.
    m_window->SetIsCurrent(true);
    m_window->GetState()->Reset();
    m_window->GetState()->ResetFramebufferBindings();
    m_window->Render();
    Q_EMIT drawn();
}

void GlCanvas::mousePressEvent(QMouseEvent* event)
{
    m_last = event->pos();
    setFocus(Qt::MouseFocusReason);
}

void GlCanvas::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint moved = event->pos() - m_last;
    m_last = event->pos();
    if ((event->buttons() & Qt::LeftButton) != 0)
        m_pipeline.rotate(-0.4 * moved.x(), 0.4 * moved.y());
    else if ((event->buttons() & Qt::MiddleButton) != 0)
        m_pipeline.pan(double(moved.x()) / height(), -double(moved.y()) / height());
    else if ((event->buttons() & Qt::RightButton) != 0)
        m_pipeline.dolly(std::exp(-0.01 * moved.y()));
    else
        return;
    update();
}

void GlCanvas::wheelEvent(QWheelEvent* event)
{
    m_pipeline.dolly(std::exp(event->angleDelta().y() / 120.0 * 0.12));
    update();
    event->accept();
}

void GlCanvas::keyPressEvent(QKeyEvent* event)
{
    constexpr double kStep = 6; // degrees a key press
    switch (event->key()) {
    case Qt::Key_Left: m_pipeline.rotate(kStep, 0); break;
    case Qt::Key_Right: m_pipeline.rotate(-kStep, 0); break;
    case Qt::Key_Up: m_pipeline.rotate(0, -kStep); break;
    case Qt::Key_Down: m_pipeline.rotate(0, kStep); break;
    case Qt::Key_Plus: m_pipeline.dolly(1.1); break;
    case Qt::Key_Minus: m_pipeline.dolly(1 / 1.1); break;
    case Qt::Key_R: Q_EMIT resetRequested(); break;
    default: QOpenGLWidget::keyPressEvent(event); return;
    }
    update();
}

} // namespace voxelscribe::scene3d
