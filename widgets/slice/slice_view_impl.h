#pragma once

#include "widgets/slice/slice_input.h"
#include "widgets/slice/slice_picture.h"
#include "widgets/slice/slice_view.h"
#include "widgets/slice/view_geometry.h"

#include <QElapsedTimer>
#include <QTimer>
#include <map>

class QPaintEvent;

namespace voxelscribe::slice {

/// State of a slice view and what its hands do; the drawing is in slice_view_paint.cpp.
struct SliceView::Impl : public InputTarget {
    explicit Impl(SliceView& owner);

    // What hands ask for.
    bool hasPicture() const override { return picture.volume() != nullptr; }
    void stepSlices(std::int64_t by) override { goTo(slice + by); }
    void goToEnd(bool last) override { goTo(last ? sliceCount() - 1 : 0); }
    void zoom(double factor, std::optional<QPointF> around) override;
    void pan(QPointF delta) override;
    void fit() override;
    void beginContrast() override;
    void dragContrast(QPointF delta) override;
    void growBrush(double steps) override;
    bool beginStroke(QPointF at, bool erase) override;
    void extendStroke(QPointF to) override;
    void endStroke() override;
    void cancelStroke() override;
    void fillAt(QPointF at, bool erase) override;
    void pickAt(QPointF at) override;
    void hover(std::optional<QPointF> at) override;
    void toggleOverlay() override;
    void changeOpacity(double by) override;
    void toggleOutline() override;
    void maximise() override;
    void handsChanged() override;

    // What shows.
    std::int64_t sliceCount() const { return picture.planeExtent().z; }
    void goTo(std::int64_t wanted);
    /// Fits the plane as it is now into the view. `soon`: reads nothing before the event loop runs again, since who opens a
    /// volume goes on to choose plane and slice, and a read of the wrong slice would hold up the right one.
    void resetGeometry(bool soon);
    /// Slice or view changed: asks for tiles, and paints again.
    void refresh();
    void applyAppearance(const SliceAppearance& changed);
    void tellByKey(const SliceAppearance& changed);
    void reportFailures();
    bool canPaint();
    void tellPointer();
    void updatePointerMarks();
    QRectF pointerMarks() const;

    // Drawing.
    void paint(const QPaintEvent& event);
    void paintMarks(QPainter& painter) const;
    void paintChips(QPainter& painter) const;
    QString messageText() const;
    QString orientationText() const;
    bool showsRing() const;

    bool handle(QEvent& event);

    SliceView& view;
    SlicePicture picture;
    SliceInput input;
    ViewGeometry geometry;
    Plane plane = Plane::xy;
    std::int64_t slice = 0;
    std::map<Plane, std::int64_t> placeIn;  ///< the slice that each orientation of this volume was left at
    std::optional<VoxelSizeUm> voxelSize;
    SliceAppearance appearance;
    SliceAppearance contrastStart;
    double brushRadius = 4;
    bool paintingEnabled = true;
    QString paintingRefusal;
    QString maskNote;
    QString emptyText;
    std::optional<QPointF> pointer;
    std::optional<Extent> crosshair;
    QTimer probeTimer;                  ///< runs out when the pointer rests
    QRectF markedArea;                  ///< where ring and voxel mark were drawn last
    QTimer busyTimer;
    bool isBusyShown = false;
    QElapsedTimer sinceVolume;
    bool awaitsFirstSlice = false;
    QString reportedImageFailure;
    std::int64_t reportedSlice = -1;
    QString reportedMaskFailure;
};

} // namespace voxelscribe::slice
