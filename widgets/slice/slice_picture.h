#pragma once

#include "widgets/slice/annotation_layer.h"
#include "widgets/slice/colour_map.h"
#include "widgets/slice/tile_loader.h"

#include <QElapsedTimer>
#include <QObject>
#include <memory>
#include <optional>

namespace voxelscribe::slice {

/// The layers of the shown slice: image, mask and annotations. Asks the loaders for what shows and draws what is there.
/// While a slice is being read, the one before stays: `shownSlice` lags behind the slice that was asked for.
class SlicePicture : public QObject {
    Q_OBJECT
public:
    explicit SlicePicture(QObject* parent = nullptr);
    ~SlicePicture() override;

    /// Bytes for samples, mask and pictures together; what shows is kept whatever it says. Holds from the next volume on.
    void setMemoryBudget(std::int64_t bytes);
    /// Lets go of the mask too: it belongs to the volume before.
    void setVolume(VolumePtr volume, Plane plane);
    const VolumePtr& volume() const { return m_volume; }
    /// {slices, height, width} of the plane; zeros without a volume.
    Extent planeExtent() const;
    void setMask(VolumePtr mask);
    bool hasMask() const { return m_maskLoader != nullptr; }
    void maskChanged(const Region& dirty);
    void setAnnotations(AnnotationReader reader);
    /// Returns the part of the shown plane that has to be painted again, in voxels.
    PixelRect annotationsChanged(const Region& dirty);
    void setClasses(const std::vector<ClassInfo>& classes);
    void setAppearance(const SliceAppearance& appearance);

    /// Asks for what shows of `slice`; called whenever slice or view change, and again when `changed` was emitted.
    void request(std::int64_t slice, const ViewGeometry& geometry, double devicePixelRatio);
    /// A voxel of the slice (v, u) whose value is wanted although only a coarser picture of it is shown.
    void setProbe(std::optional<PixelRect> voxel) { m_probe = voxel; }
    /// Nothing is wanted for now; reads that have not begun will not.
    void rest();
    std::int64_t shownSlice() const { return m_shown; }
    /// Something that shows is still being read.
    bool isLoading() const { return m_loading; }
    /// The slice asked for is the one that is seen, and all of it that shows is there or has failed.
    bool isComplete() const { return m_volume != nullptr && m_shown == m_slice && !m_imageMissing; }
    /// Why the shown slice, or its mask, cannot be read; empty where all is well.
    const QString& imageFailure() const { return m_imageFailure; }
    const QString& maskFailure() const { return m_maskFailure; }

    /// Draws what shows in `part` of the widget. Returns whether some of the annotations are still to be drawn: paint again.
    bool paint(QPainter& painter, const ViewGeometry& geometry, const QRectF& part, bool pale);

    /// What lies at a voxel of the shown slice, from what is already in memory; NaN and 0 where it is not.
    double valueAt(std::int64_t v, std::int64_t u);
    std::uint16_t maskAt(std::int64_t v, std::int64_t u);
    std::uint16_t annotationAt(std::int64_t v, std::int64_t u) const;

Q_SIGNALS:
    /// Samples came, or a read failed.
    void changed();
    /// The annotations could not be read; they are not asked for any more.
    void annotationsFailed(const QString& message);

private:
    struct View {
        PixelRect visible;
        int level = 0;        ///< of the pictures
        int readLevel = 0;    ///< of the samples they are made from
    };
    void makeLoaders();
    void makeMaskLoader();
    std::vector<TileKey> probed(const TileGrid& grid) const;
    std::vector<TileKey> ahead(const TileGrid& grid, const std::vector<TileKey>& visible, std::int64_t bytesAPixel,
                               std::int64_t budgetBytes) const;
    bool hasSomethingToShow();
    bool requestMask();
    void paintImage(QPainter& painter, const PictureFrame& frame, const PixelRect& voxels);
    void paintImageTile(QPainter& painter, const PictureFrame& frame, const TileKey& key);
    void paintMask(QPainter& painter, const PictureFrame& frame, const PixelRect& voxels);
    bool paintAnnotations(QPainter& painter, const PictureFrame& frame, const PixelRect& voxels);

    VolumePtr m_volume;
    VolumePtr m_mask;
    Plane m_plane = Plane::xy;
    std::unique_ptr<TileLoader> m_imageLoader;
    std::unique_ptr<TileLoader> m_maskLoader;
    TilePictures m_imagePictures;
    TilePictures m_maskPictures;
    GreyMap m_greys;
    ClassColours m_colours;
    AnnotationLayer m_annotations;
    SliceAppearance m_appearance;
    std::uint64_t m_imageStyle = 0;
    std::uint64_t m_maskStyle = 0;
    View m_view;
    std::optional<PixelRect> m_probe;
    std::int64_t m_budgetBytes = std::int64_t{256} << 20;
    std::int64_t m_slice = 0;
    std::int64_t m_shown = 0;
    std::int64_t m_direction = 1;
    QElapsedTimer m_sinceSlice;
    bool m_loading = false;
    bool m_imageMissing = false;
    QString m_imageFailure;
    QString m_maskFailure;
};

} // namespace voxelscribe::slice
