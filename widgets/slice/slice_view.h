#pragma once

#include "core/model/class_info.h"
#include "core/volume/plane.h"
#include "core/volume/volume.h"

#include <QPointF>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace voxelscribe::slice {

enum class Tool { navigate, brush, eraser, fill, pick };

/// Reads the annotation ids of a region into `out`; called on the GUI thread, must not touch a file.
using AnnotationReader = std::function<void(const Region&, std::span<std::uint16_t> out)>;

/// How the view shows things; a value, set as a whole.
struct SliceAppearance {
    double contrastLow = 0;
    double contrastHigh = 255;
    double annotationOpacity = 0.8;
    double maskOpacity = 0.45;
    bool overlayVisible = true;
    bool maskOutline = false;       ///< outlines instead of filled areas

    bool operator==(const SliceAppearance&) const = default;
};

/// One orthogonal slice of a volume with annotations and masks over it: pan, zoom, window/level, painting. Plain QPainter
/// on image tiles; samples are read on worker threads, a slow file never blocks the view. Owns no data and changes none:
/// strokes leave as signals, and whoever edits calls `annotationsChanged`.
class SliceView : public QWidget {
    Q_OBJECT
public:
    explicit SliceView(QWidget* parent = nullptr);
    ~SliceView() override;

    /// Null: the empty state. Keeps plane, tool and annotation reader; lets go of the mask, which belongs to the volume before.
    void setVolume(VolumePtr volume);
    void setVoxelSizeUm(std::optional<VoxelSizeUm> size);  ///< pixels are drawn in their physical aspect; the scale bar needs it
    void setPlane(Plane plane);
    Plane plane() const;
    void setSlice(std::int64_t slice);
    std::int64_t slice() const;
    std::int64_t sliceCount() const;
    void setAppearance(const SliceAppearance& appearance);
    const SliceAppearance& appearance() const;
    void setClasses(std::vector<ClassInfo> classes);       ///< colours and visibility of annotations and masks

    void setAnnotations(AnnotationReader reader);
    void annotationsChanged(const Region& dirty);          ///< repaints only what shows of it
    /// The predicted mask (ids), read on worker threads; slices not yet there read as 0. Null: none.
    void setMask(VolumePtr mask);
    void maskChanged(const Region& dirty);
    /// A mask that is older than the annotations is drawn paler and marked; `note` is what the mark says.
    void setMaskNote(const QString& note);

    void setTool(Tool tool);
    Tool tool() const;
    void setBrushRadius(double radiusPixels);              ///< for the cursor's ring
    double brushRadius() const;
    void setPaintingEnabled(bool enabled, const QString& why = {}); ///< false: a try to paint emits paintingRefused(why)

    /// Marks where the other planes cut this one; `voxel` need not lie in the shown slice. Nothing: no crosshair.
    void setCrosshair(std::optional<Extent> voxel);
    /// Bytes for samples and pictures together (256 MiB where nobody says); what shows is kept whatever it says.
    /// Holds from the next volume on.
    void setMemoryBudget(std::int64_t bytes);

    void fitToView();                                      ///< F
    void zoomBy(double factor, QPointF around);
    void showPosition(const Extent& voxel);                ///< goes to its slice and centres it
    /// The file's pixel under a widget position, unclamped, and back.
    PlanePoint imagePosition(QPointF widgetPosition) const;
    QPointF widgetPosition(PlanePoint imagePosition) const;
    /// Text to show where there is no volume.
    void setEmptyText(const QString& text);
    /// The current slice is what is seen, and all of it that shows has been read (or has failed to).
    bool isComplete() const;
    QSize sizeHint() const override;

Q_SIGNALS:
    void sliceChanged(qint64 slice);
    void contrastDragged(double low, double high);
    void brushRadiusDragged(double radiusPixels);
    /// Voxel under the pointer with its value; `inside` false when the pointer has left the image.
    void pointerMoved(bool inside, voxelscribe::Extent voxel, double value, quint16 annotation, quint16 mask);
    void strokeBegan(voxelscribe::PlanePoint at, bool erase);
    void strokeExtended(voxelscribe::PlanePoint to);
    void strokeEnded();
    void strokeCancelled();
    void fillRequested(voxelscribe::PlanePoint at, bool erase);
    void classPicked(quint16 id);
    void paintingRefused(const QString& why);
    void readFailed(const QString& message);
    void firstSliceShown(qint64 milliseconds);             ///< once after setVolume, measured from it
    void appearanceChanged(const voxelscribe::slice::SliceAppearance& appearance); ///< by keys; the view has it already
    /// Double click (with the tools navigate and pick; with the others it paints).
    void maximiseToggled();

protected:
    bool event(QEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::slice
