#include "widgets/slice/slice_picture.h"

#include "core/base/error.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

namespace voxelscribe::slice {

namespace {

/// Up to so many voxels in view, all of them are read, whatever the zoom: values under the pointer are then exact.
constexpr std::int64_t kFullReadPixels = std::int64_t{8} << 20;
constexpr int kImageThreads = 2;
constexpr int kMaskThreads = 1;
/// A mask that takes longer than this no longer holds back its slice.
constexpr int kMaskPatienceMs = 150;
/// From so many widget pixels a voxel on, outlines are lines and no longer voxels.
constexpr double kFineEdgeZoom = 6;
/// Annotations beyond this are drawn in the next round of the event loop.
constexpr int kAnnotationsMs = 16;

} // namespace

SlicePicture::SlicePicture(QObject* parent) : QObject(parent) {}
SlicePicture::~SlicePicture() = default;

Extent SlicePicture::planeExtent() const
{
    return m_volume ? voxelscribe::planeExtent(m_volume->extent(), m_plane) : Extent{};
}

void SlicePicture::setMemoryBudget(std::int64_t bytes)
{
    m_budgetBytes = bytes;
}

void SlicePicture::setVolume(VolumePtr volume, Plane plane)
{
    if (volume != m_volume)
        m_mask = nullptr;
    m_volume = std::move(volume);
    m_plane = plane;
    m_view = {};
    m_imageMissing = m_volume != nullptr;
    m_imageFailure.clear();
    makeLoaders();
}

void SlicePicture::makeLoaders()
{
    m_imageLoader.reset();
    m_imagePictures.clear();
    m_imagePictures.setBudget(m_budgetBytes / 4);
    if (m_volume) {
        const TileGrid grid(m_volume->extent(), m_volume->info().chunk, m_plane);
        const auto reader = [volume = m_volume, grid](const TileKey& lead, const StopQuery& stop) {
            return readImageTiles(*volume, grid, lead, stop);
        };
        m_imageLoader = std::make_unique<TileLoader>(grid, reader, m_budgetBytes / 2, kImageThreads);
        connect(m_imageLoader.get(), &TileLoader::settled, this, &SlicePicture::changed);
        m_annotations.setVolume(m_volume->extent(), m_plane);
    }
    makeMaskLoader();
}

void SlicePicture::setMask(VolumePtr mask)
{
    m_mask = std::move(mask);
    makeMaskLoader();
}

void SlicePicture::makeMaskLoader()
{
    m_maskLoader.reset();
    m_maskPictures.clear();
    m_maskPictures.setBudget(m_budgetBytes / 8);
    m_maskFailure.clear();
    if (!m_mask || !m_volume)
        return;
    if (m_mask->extent() != m_volume->extent()) {
        m_maskFailure = tr("the mask has %1 voxels, the image %2: choose the mask that was made from this image")
                            .arg(QString::fromStdString(m_mask->extent().text()), QString::fromStdString(m_volume->extent().text()));
        return;
    }
    const TileGrid grid(m_mask->extent(), m_mask->info().chunk, m_plane);
    const auto reader = [mask = m_mask, grid](const TileKey& lead, const StopQuery& stop) {
        return readMaskTiles(*mask, grid, lead, stop);
    };
    m_maskLoader = std::make_unique<TileLoader>(grid, reader, m_budgetBytes / 8, kMaskThreads);
    connect(m_maskLoader.get(), &TileLoader::settled, this, &SlicePicture::changed);
}

void SlicePicture::maskChanged(const Region& dirty)
{
    if (m_maskLoader)
        m_maskLoader->outdate(dirty);
}

void SlicePicture::setAnnotations(AnnotationReader reader)
{
    m_annotations.setReader(std::move(reader));
}

PixelRect SlicePicture::annotationsChanged(const Region& dirty)
{
    const PixelRect part = shownPart(dirty, m_plane, m_shown);
    if (!part.isEmpty())
        m_annotations.markDirty(part);
    return part;
}

void SlicePicture::setClasses(const std::vector<ClassInfo>& classes)
{
    m_colours.setClasses(classes);
    m_annotations.clear();
    ++m_maskStyle;
}

void SlicePicture::setAppearance(const SliceAppearance& appearance)
{
    if (appearance.contrastLow != m_greys.low() || appearance.contrastHigh != m_greys.high()) {
        m_greys.setWindow(appearance.contrastLow, appearance.contrastHigh);
        ++m_imageStyle;
    }
    if (appearance.maskOutline != m_appearance.maskOutline)
        ++m_maskStyle;
    m_appearance = appearance;
}

void SlicePicture::request(std::int64_t slice, const ViewGeometry& geometry, double devicePixelRatio)
{
    if (!m_imageLoader)
        return;
    if (slice != m_slice || !m_sinceSlice.isValid()) {
        m_direction = slice >= m_slice ? 1 : -1;
        m_sinceSlice.start();
    }
    m_slice = slice;
    m_view.visible = geometry.visibleVoxels();
    m_view.level = geometry.levelFor(devicePixelRatio);
    m_view.readLevel = m_view.visible.pixels() <= kFullReadPixels ? 0 : m_view.level;

    const TileGrid& grid = m_imageLoader->grid();
    const std::vector<TileKey> keys = grid.tilesIn(m_slice, m_view.readLevel, m_view.visible);
    const auto bytesAPixel = static_cast<std::int64_t>(dtypeSize(m_volume->info().dtype));
    std::vector<TileKey> later = probed(grid);
    const std::vector<TileKey> neighbours = ahead(grid, keys, bytesAPixel, m_budgetBytes / 2);
    later.insert(later.end(), neighbours.begin(), neighbours.end());
    m_imageLoader->want(keys, later);
    const auto settled = [this](const TileKey& key) { return m_imageLoader->isSettled(key); };
    m_imageMissing = !std::all_of(keys.begin(), keys.end(), settled);
    const bool maskMissing = requestMask();
    m_loading = m_imageMissing || maskMissing;
    if (m_shown != m_slice) {
        const bool waitsForMask = maskMissing && m_sinceSlice.elapsed() < kMaskPatienceMs;
        if ((!m_imageMissing && !waitsForMask) || !hasSomethingToShow())
            m_shown = m_slice;
    }
    m_annotations.show(m_shown, m_view.level);
    m_imageFailure.clear();
    for (const TileKey& key : keys)
        if (const QString* failure = m_imageLoader->failure(key); failure != nullptr && m_shown == m_slice)
            m_imageFailure = *failure;
}

void SlicePicture::rest()
{
    m_loading = false;
    for (TileLoader* loader : {m_imageLoader.get(), m_maskLoader.get()})
        if (loader != nullptr)
            loader->want({}, {});
}

/// Asks for the mask of the slice; true if it is still to come.
bool SlicePicture::requestMask()
{
    if (!m_maskLoader)
        return false;
    m_maskFailure.clear();
    if (!m_appearance.overlayVisible) {
        m_maskLoader->want({}, {});
        return false;
    }
    const std::vector<TileKey> keys = m_maskLoader->grid().tilesIn(m_slice, m_view.readLevel, m_view.visible);
    std::vector<TileKey> later = probed(m_maskLoader->grid());
    const std::vector<TileKey> neighbours = ahead(m_maskLoader->grid(), keys, 2, m_budgetBytes / 8);
    later.insert(later.end(), neighbours.begin(), neighbours.end());
    m_maskLoader->want(keys, later);
    bool missing = false;
    for (const TileKey& key : keys) {
        missing = missing || !m_maskLoader->isSettled(key);
        if (const QString* failure = m_maskLoader->failure(key))
            m_maskFailure = *failure;
    }
    return missing;
}

/// The full-resolution tile of the probed voxel, where only a coarser one is read for the picture.
std::vector<TileKey> SlicePicture::probed(const TileGrid& grid) const
{
    return m_probe && m_view.readLevel > 0 ? grid.tilesIn(m_slice, 0, *m_probe) : std::vector<TileKey>{};
}

/// Neighbouring slices in the direction of travel, as far as they fit beside what shows.
std::vector<TileKey> SlicePicture::ahead(const TileGrid& grid, const std::vector<TileKey>& visible, std::int64_t bytesAPixel,
                                         std::int64_t budgetBytes) const
{
    std::int64_t bytesASlice = 0;
    for (const TileKey& key : visible)
        bytesASlice += grid.tileRect(key).pixels() * bytesAPixel * grid.thickness();
    std::vector<TileKey> keys;
    if (bytesASlice * 4 > budgetBytes)
        return keys;
    for (const std::int64_t step : {m_direction, -m_direction, 2 * m_direction})
        for (TileKey key : visible) {
            key.slice += step;
            if (key.slice >= 0 && key.slice < grid.extent().z)
                keys.push_back(key);
        }
    return keys;
}

/// Whether any tile of the slice that is shown now is in memory.
bool SlicePicture::hasSomethingToShow()
{
    for (const TileKey& key : m_imageLoader->grid().tilesIn(m_shown, m_view.readLevel, m_view.visible))
        if (m_imageLoader->cache().find(key) != nullptr)
            return true;
    return false;
}

bool SlicePicture::paint(QPainter& painter, const ViewGeometry& geometry, const QRectF& part, bool pale)
{
    if (!m_imageLoader)
        return false;
    m_imagePictures.beginPass();
    m_maskPictures.beginPass();
    const PictureFrame frame{geometry, geometry.visibleVoxels(), m_imageLoader->grid().whole(0)};
    const PixelRect voxels = geometry.voxelsIn(part).grown(1).intersected(frame.plane);
    const double ratio = painter.device()->devicePixelRatioF();
    const double finest = std::max(geometry.scaleU(), geometry.scaleV()) * ratio;
    const double coarsest = std::min(geometry.scaleU(), geometry.scaleV()) * ratio;
    // Magnified voxels stay squares; only where a screen pixel holds several voxels are they blended.
    painter.setRenderHint(QPainter::SmoothPixmapTransform, coarsest < 1 && finest < 2);
    paintImage(painter, frame, voxels);
    if (!m_appearance.overlayVisible)
        return false;
    painter.setOpacity(m_appearance.maskOpacity * (pale ? 0.5 : 1.0));
    paintMask(painter, frame, voxels);
    painter.setOpacity(m_appearance.annotationOpacity);
    const bool unfinished = paintAnnotations(painter, frame, voxels);
    painter.setOpacity(1);
    return unfinished;
}

void SlicePicture::paintImage(QPainter& painter, const PictureFrame& frame, const PixelRect& voxels)
{
    const TileGrid& grid = m_imageLoader->grid();
    const std::vector<TileKey> keys = grid.tilesIn(m_shown, m_view.readLevel, voxels);
    const auto present = [this](const TileKey& key) { return m_imageLoader->cache().find(key) != nullptr; };
    if (!std::all_of(keys.begin(), keys.end(), present))
        // Until they come: what other zooms have left, the coarser below the finer.
        for (int level = m_view.level + 3; level >= 0; --level)
            if (level != m_view.readLevel)
                for (const TileKey& key : grid.tilesIn(m_shown, level, voxels))
                    paintImageTile(painter, frame, key);
    for (const TileKey& key : keys)
        paintImageTile(painter, frame, key);
}

void SlicePicture::paintImageTile(QPainter& painter, const PictureFrame& frame, const TileKey& key)
{
    const SampleTile* tile = m_imageLoader->cache().find(key);
    if (tile == nullptr)
        return;
    const int reduction = std::max(0, m_view.level - key.level);
    const int factor = 1 << reduction;
    const QImage& image = m_imagePictures.picture(key, *tile, factor, m_imageStyle, [&] { return m_greys.image(*tile, factor); });
    drawPicture(painter, frame, image, tile->rect.v << key.level, tile->rect.u << key.level, key.level + reduction);
}

void SlicePicture::paintMask(QPainter& painter, const PictureFrame& frame, const PixelRect& voxels)
{
    if (!m_maskLoader)
        return;
    const int reduction = m_view.level - m_view.readLevel;
    const int factor = 1 << reduction;
    const bool fineEdges = m_appearance.maskOutline && m_view.readLevel == 0
        && std::min(frame.geometry.scaleU(), frame.geometry.scaleV()) >= kFineEdgeZoom;
    for (const TileKey& key : m_maskLoader->grid().tilesIn(m_shown, m_view.readLevel, voxels)) {
        const SampleTile* tile = m_maskLoader->cache().find(key);
        if (tile == nullptr)
            continue;
        const PixelRect rect = m_maskLoader->grid().tileRect(key);
        if (fineEdges) {
            drawMaskEdges(painter, frame.geometry, *tile, rect.intersected(voxels), m_colours);
            continue;
        }
        const QImage& image = m_maskPictures.picture(key, *tile, factor, m_maskStyle, [&] {
            return maskImage(*tile, rect, factor, m_appearance.maskOutline, m_colours);
        });
        drawPicture(painter, frame, image, rect.v << key.level, rect.u << key.level, m_view.level);
    }
}

bool SlicePicture::paintAnnotations(QPainter& painter, const PictureFrame& frame, const PixelRect& voxels)
{
    try {
        const bool finished = m_annotations.prepare(voxels, m_colours, kAnnotationsMs);
        m_annotations.paint(painter, frame, voxels);
        return !finished;
    } catch (const Error& error) {
        m_annotations.setReader({});
        const QString message = tr("The annotations cannot be shown: %1").arg(QString::fromUtf8(error.what()));
        QMetaObject::invokeMethod(this, [this, message] { Q_EMIT annotationsFailed(message); }, Qt::QueuedConnection);
        return false;
    }
}

double SlicePicture::valueAt(std::int64_t v, std::int64_t u)
{
    if (m_imageLoader)
        for (const TileKey& key : m_imageLoader->grid().tilesIn(m_shown, 0, {v, u, 1, 1}))
            if (const SampleTile* tile = m_imageLoader->cache().find(key))
                return tile->at(v, u);
    return std::numeric_limits<double>::quiet_NaN();
}

std::uint16_t SlicePicture::maskAt(std::int64_t v, std::int64_t u)
{
    if (m_maskLoader)
        for (const TileKey& key : m_maskLoader->grid().tilesIn(m_shown, 0, {v, u, 1, 1}))
            if (const SampleTile* tile = m_maskLoader->cache().find(key))
                return static_cast<std::uint16_t>(tile->at(v, u));
    return 0;
}

std::uint16_t SlicePicture::annotationAt(std::int64_t v, std::int64_t u) const
{
    try {
        return m_annotations.hasReader() ? m_annotations.idAt(m_shown, v, u) : std::uint16_t{0};
    } catch (const Error&) {
        return 0; // painting meets the same error, and tells it
    }
}

} // namespace voxelscribe::slice
