#include "find.h"
#include "widgets/panels/paint_tool_bar.h"

#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>

using namespace voxelscribe;
using namespace voxelscribe::panels;
using namespace voxelscribe::test;

class TestPaintToolBar : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void toolsExcludeOneAnother()
    {
        PaintToolBar bar;
        bar.show();
        QSignalSpy chosen(&bar, &PaintToolBar::toolChosen);
        QCOMPARE(bar.tool(), slice::Tool::navigate);
        click(child<QToolButton>(bar, "tool_brush"));
        QCOMPARE(bar.tool(), slice::Tool::brush);
        QVERIFY(!child<QToolButton>(bar, "tool_navigate")->isChecked());
        QTest::keyClick(child<QToolButton>(bar, "tool_fill"), Qt::Key_Space);
        QCOMPARE(chosen.size(), 2);
        QCOMPARE(chosen[1][0].value<slice::Tool>(), slice::Tool::fill);
    }
    void fitsANarrowWindow()
    {
        QWidget host;
        PaintToolBar bar(&host);
        bar.resize(900, 40);
        host.show();
        auto* slider = child<QSlider>(bar, "maskOpacity");
        const auto* name = bar.findChild<QLabel*>();
        QVERIFY(name->isVisible());
        bar.resize(bar.minimumSizeHint().width(), 40);
        QTRY_VERIFY(!name->isVisible());
        QVERIFY(slider->isVisible());
        QTRY_VERIFY(slider->geometry().right() < bar.width());
        bar.resize(900, 40);
        QTRY_VERIFY(name->isVisible());
    }
    void settingTellsNobody()
    {
        PaintToolBar bar;
        QSignalSpy tool(&bar, &PaintToolBar::toolChosen);
        QSignalSpy plane(&bar, &PaintToolBar::planeChosen);
        QSignalSpy overlay(&bar, &PaintToolBar::overlayVisibleChosen);
        QSignalSpy opacity(&bar, &PaintToolBar::maskOpacityChosen);
        bar.setTool(slice::Tool::eraser);
        bar.setPlane(Plane::zy);
        bar.setOverlayVisible(false);
        bar.setMaskOpacity(0.2);
        QCOMPARE(bar.tool(), slice::Tool::eraser);
        QVERIFY(child<QToolButton>(bar, "plane_zy")->isChecked());
        QCOMPARE(child<QSlider>(bar, "maskOpacity")->value(), 20);
        QCOMPARE(tool.size() + plane.size() + overlay.size() + opacity.size(), 0);
    }
    void clicksTakeNoFocus()
    {
        QWidget window;
        auto* bar = new PaintToolBar(&window);
        auto* view = new QWidget(&window);
        view->setFocusPolicy(Qt::StrongFocus);
        view->setGeometry(0, 60, 100, 100);
        QVERIFY(showActive(window));
        view->setFocus();
        click(child<QToolButton>(*bar, "tool_brush"));
        QVERIFY(view->hasFocus());
    }
    void refusedPaintingSaysWhyAndNavigates()
    {
        PaintToolBar bar;
        bar.setTool(slice::Tool::brush);
        bar.setPaintingEnabled(false, QStringLiteral("Another window has this project open."));
        QCOMPARE(bar.tool(), slice::Tool::navigate);
        auto* brush = child<QToolButton>(bar, "tool_brush");
        QVERIFY(!brush->isEnabled());
        QVERIFY(brush->toolTip().contains(QStringLiteral("Another window")));
        QVERIFY(child<QToolButton>(bar, "tool_pick")->isEnabled());
        bar.setPaintingEnabled(true);
        QVERIFY(brush->isEnabled());
        QCOMPARE(brush->toolTip(), QStringLiteral("Paint the chosen class (B)"));
    }
    void undoNamesItsStep()
    {
        PaintToolBar bar;
        bar.show();
        QSignalSpy undone(&bar, &PaintToolBar::undoRequested);
        auto* undo = child<QToolButton>(bar, "undo");
        click(undo);
        QCOMPARE(undone.size(), 0);
        QVERIFY(undo->toolTip().contains(QStringLiteral("Nothing to undo")));
        bar.setUndo(QStringLiteral("stroke in slice 12"));
        click(undo);
        QCOMPARE(undone.size(), 1);
        QCOMPARE(undo->toolTip(), QStringLiteral("Undo: stroke in slice 12 (Ctrl+Z)"));
        QVERIFY(!child<QToolButton>(bar, "redo")->isEnabled());
    }
    void viewControlsTell()
    {
        PaintToolBar bar;
        bar.show();
        QSignalSpy fit(&bar, &PaintToolBar::fitRequested);
        QSignalSpy plane(&bar, &PaintToolBar::planeChosen);
        QSignalSpy overlay(&bar, &PaintToolBar::overlayVisibleChosen);
        QSignalSpy outline(&bar, &PaintToolBar::maskOutlineChosen);
        QSignalSpy strokes(&bar, &PaintToolBar::annotationOpacityChosen);
        click(child<QToolButton>(bar, "fit"));
        click(child<QToolButton>(bar, "plane_xz"));
        click(child<QToolButton>(bar, "overlay"));
        click(child<QToolButton>(bar, "outline"));
        QTest::keyClick(child<QSlider>(bar, "annotationOpacity"), Qt::Key_Home);
        QCOMPARE(fit.size(), 1);
        QCOMPARE(plane[0][0].value<Plane>(), Plane::xz);
        QCOMPARE(overlay[0][0].toBool(), false);
        QCOMPARE(outline[0][0].toBool(), true);
        QCOMPARE(strokes[0][0].toDouble(), 0.0);
    }
};

QTEST_MAIN(TestPaintToolBar)
#include "tst_paint_tool_bar.moc"
