#include "widgets/scene3d/scene_view.h"

#include "widgets/common/serial_worker.h"
#include "widgets/scene3d/gl_canvas.h"
#include "widgets/scene3d/scene_pipeline.h"
#include "widgets/scene3d/surfaces.h"
#include "widgets/scene3d/volume_proxy.h"

#include <QLabel>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <set>

namespace voxelscribe::scene3d {

namespace {

constexpr std::int64_t kLargestEdge = 192;   // voxels of the proxy: fits any texture limit and draws on a CPU
constexpr Rgb kBackground = 0x23262b;        // dark in both themes, as behind slices: bright voxels must show
constexpr double kMatrixOpacity = 0.12;      // of the class that fills most: what it encloses must be seen

using Flag = std::shared_ptr<std::atomic<bool>>;

Flag newFlag()
{
    return std::make_shared<std::atomic<bool>>(false);
}

/// The surfaces of one state of the mask, and how many proxy voxels each class has.
struct Surfaces {
    std::map<std::uint8_t, vtkSmartPointer<vtkPolyData>> ofIndex;
    std::array<std::int64_t, 256> voxels{};
};

Surfaces makeSurfaces(const std::vector<std::uint8_t>& labels, const Extent& extent, std::size_t classes, const VoxelSizeUm& spacing)
{
    Surfaces surfaces;
    for (const std::uint8_t label : labels)
        ++surfaces.voxels[label];
    for (std::size_t index = 1; index <= classes; ++index)
        surfaces.ofIndex[static_cast<std::uint8_t>(index)] = surfaceOf(labels, extent, static_cast<std::uint8_t>(index), spacing);
    return surfaces;
}

} // namespace

struct SceneView::Impl {
    explicit Impl(SceneView& owner) : view(owner) {}

    SceneView& view;
    ScenePipeline pipeline;
    GlCanvas* canvas = nullptr;
    QLabel* empty = nullptr;
    VolumePtr volume;
    VolumePtr mask;
    ProxyGeometry geometry;
    VoxelSizeUm spacing;
    double low = 0;
    double high = 255;
    std::vector<ClassInfo> classes;
    std::vector<std::uint8_t> indexOfId;          ///< class id → 1… in `classes`, 0 elsewhere
    std::vector<std::uint8_t> labels;             ///< the mask's proxy
    std::vector<std::uint8_t> greys;              ///< the image's proxy
    std::int64_t greySlices = 0;                  ///< how many slices of it are there
    std::set<std::int64_t> wantedSlices;          ///< proxy slices of the mask to be read again
    std::array<std::int64_t, 256> voxels{};
    QTimer surfaceTimer;
    bool surfacesRunning = false;
    bool surfacesStale = false;
    Flag stopImage = newFlag();
    Flag stopMask = newFlag();
    common::SerialWorker imageWorker;
    common::SerialWorker maskWorker;

    void showEmpty(const QString& text)
    {
        empty->setText(text);
        empty->setVisible(true);
        if (canvas != nullptr)
            canvas->setVisible(false);
    }

    void redraw()
    {
        if (canvas != nullptr)
            canvas->update();
    }

    void readImage();
    void readWantedMaskSlices();
    void startSurfaces();
    void startImageSurface();
    void showSurfaces(const Surfaces& surfaces);
    void applyLooks();
    double opacityOf(std::size_t index) const;
};

void SceneView::Impl::readImage()
{
    *stopImage = true;
    stopImage = newFlag();
    greys.assign(static_cast<std::size_t>(geometry.extent.voxels()), 0);
    greySlices = 0;
    pipeline.setImageSurface(nullptr);
    for (const std::int64_t k : coarseToFine(geometry.extent.z)) {
        const auto read = [source = volume, shape = geometry, k, from = low, to = high, stop = stopImage] {
            return *stop ? std::vector<std::uint8_t>() : readImageSlice(*source, shape, k, from, to);
        };
        const auto guarded = [read] {
            try {
                return read();
            } catch (const std::exception&) {
                return std::vector<std::uint8_t>(); // the slice view tells which slice cannot be read; here it stays dark
            }
        };
        imageWorker.post(guarded, &view, [this, k, stop = stopImage](const std::vector<std::uint8_t>& slice) {
            if (*stop)
                return;
            std::copy(slice.begin(), slice.end(), greys.begin() + k * geometry.extent.y * geometry.extent.x);
            pipeline.setImageSlice(k, slice);
            if (++greySlices == geometry.extent.z)
                startImageSurface();
            if (k % 8 == 7 || k + 1 == geometry.extent.z || k % 64 == 0) {
                pipeline.imageChanged();
                redraw();
                Q_EMIT view.updated();
            }
        });
    }
}

void SceneView::Impl::readWantedMaskSlices()
{
    for (const std::int64_t k : std::exchange(wantedSlices, {})) {
        const auto read = [source = mask, shape = geometry, k, ids = indexOfId, stop = stopMask] {
            try {
                return *stop ? std::vector<std::uint8_t>() : readLabelSlice(*source, shape, k, ids);
            } catch (const std::exception&) {
                return std::vector<std::uint8_t>();
            }
        };
        maskWorker.post(read, &view, [this, k, stop = stopMask](const std::vector<std::uint8_t>& slice) {
            if (*stop || slice.empty())
                return;
            std::copy(slice.begin(), slice.end(), labels.begin() + k * geometry.extent.y * geometry.extent.x);
            surfacesStale = true;
            if (!surfaceTimer.isActive() && !surfacesRunning)
                surfaceTimer.start();
        });
    }
}

void SceneView::Impl::startSurfaces()
{
    if (surfacesRunning || !surfacesStale)
        return;
    surfacesStale = false;
    surfacesRunning = true;
    const auto make = [snapshot = labels, extent = geometry.extent, count = classes.size(), size = spacing] {
        return makeSurfaces(snapshot, extent, count, size);
    };
    maskWorker.post(make, &view, [this, stop = stopMask](const Surfaces& surfaces) {
        surfacesRunning = false;
        if (!*stop)
            showSurfaces(surfaces);
        if (surfacesStale)
            surfaceTimer.start();
    });
}

void SceneView::Impl::startImageSurface()
{
    const auto make = [snapshot = greys, extent = geometry.extent, size = spacing] { return imageSurfaceOf(snapshot, extent, size); };
    imageWorker.post(make, &view, [this, stop = stopImage](const vtkSmartPointer<vtkPolyData>& surface) {
        if (*stop)
            return;
        pipeline.setImageSurface(surface);
        redraw();
        Q_EMIT view.updated();
    });
}

double SceneView::Impl::opacityOf(std::size_t index) const
{
    const auto largest = std::max_element(voxels.begin() + 1, voxels.end());
    return static_cast<std::size_t>(largest - voxels.begin()) == index ? kMatrixOpacity : 1.0;
}

void SceneView::Impl::showSurfaces(const Surfaces& surfaces)
{
    voxels = surfaces.voxels;
    for (const auto& [index, surface] : surfaces.ofIndex) {
        if (index > classes.size())
            continue;
        const ClassInfo& info = classes[index - 1U];
        pipeline.setSurface(info.id, surface, info.colour, opacityOf(index));
    }
    applyLooks();
    Q_EMIT view.updated();
}

void SceneView::Impl::applyLooks()
{
    for (std::size_t i = 0; i < classes.size(); ++i)
        if (classes[i].visible && !labels.empty())
            pipeline.setSurface(classes[i].id, nullptr, classes[i].colour, opacityOf(i + 1));
        else
            pipeline.hideSurface(classes[i].id);
    redraw();
}

SceneView::SceneView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(*this))
{
    // VTK's TBB backend waits forever when filters run on a thread of ours; its header for choosing one is no C++20.
    qputenv("VTK_SMP_BACKEND_IN_USE", "Sequential");
    setAccessibleName(tr("3D view area"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_impl->empty = new QLabel(this);
    m_impl->empty->setAlignment(Qt::AlignCenter);
    m_impl->empty->setWordWrap(true);
    m_impl->empty->setAccessibleName(tr("3D view message"));
    layout->addWidget(m_impl->empty);
    m_impl->surfaceTimer.setSingleShot(true);
    m_impl->surfaceTimer.setInterval(400);
    connect(&m_impl->surfaceTimer, &QTimer::timeout, this, [this] { m_impl->startSurfaces(); });
    const QString problem = openGlProblem();
    if (problem.isEmpty()) {
        m_impl->canvas = new GlCanvas(m_impl->pipeline, this);
        layout->addWidget(m_impl->canvas);
        connect(m_impl->canvas, &GlCanvas::resetRequested, this, &SceneView::resetView);
        connect(m_impl->canvas, &GlCanvas::drawn, this, &SceneView::updated);
    }
    setVolume(nullptr, std::nullopt);
    if (!problem.isEmpty())
        m_impl->showEmpty(tr("The 3D view is off: %1. Everything else works.").arg(problem));
    m_impl->pipeline.setBackground(kBackground);
}

SceneView::~SceneView()
{
    *m_impl->stopImage = true;
    *m_impl->stopMask = true;
}

void SceneView::setVolume(VolumePtr volume, std::optional<VoxelSizeUm> voxelSizeUm)
{
    *m_impl->stopImage = true;
    m_impl->volume = std::move(volume);
    setMask(nullptr);
    if (m_impl->canvas == nullptr)
        return;
    if (!m_impl->volume) {
        m_impl->pipeline.clear();
        m_impl->showEmpty(tr("Open a stack to see it in 3D"));
        return;
    }
    m_impl->empty->setVisible(false);
    m_impl->canvas->setVisible(true);
    m_impl->geometry = ProxyGeometry::fit(m_impl->volume->extent(), kLargestEdge);
    const VoxelSizeUm size = voxelSizeUm.value_or(VoxelSizeUm{});
    const Extent& step = m_impl->geometry.step;
    m_impl->spacing = {size.z * static_cast<double>(step.z), size.y * static_cast<double>(step.y), size.x * static_cast<double>(step.x)};
    m_impl->pipeline.setExtent(m_impl->geometry.extent, m_impl->spacing);
    m_impl->readImage();
    m_impl->redraw();
}

void SceneView::setContrast(double low, double high)
{
    if (low == m_impl->low && high == m_impl->high)
        return;
    m_impl->low = low;
    m_impl->high = high;
    if (m_impl->volume && m_impl->canvas != nullptr)
        m_impl->readImage();
}

void SceneView::setClasses(std::vector<ClassInfo> classes)
{
    const auto sameIds = std::ranges::equal(classes, m_impl->classes, {}, &ClassInfo::id, &ClassInfo::id);
    if (!sameIds)
        for (const ClassInfo& old : m_impl->classes)
            m_impl->pipeline.removeSurface(old.id);
    m_impl->classes = std::move(classes);
    if (m_impl->classes.size() > 255)
        m_impl->classes.resize(255);
    if (sameIds) {
        m_impl->applyLooks();
        return;
    }
    m_impl->indexOfId.assign(65536, 0);
    for (std::size_t i = 0; i < m_impl->classes.size(); ++i)
        m_impl->indexOfId[m_impl->classes[i].id] = static_cast<std::uint8_t>(i + 1);
    if (m_impl->mask)
        maskSlicesChanged(0, m_impl->mask->extent().z);
}

void SceneView::setMask(VolumePtr mask)
{
    *m_impl->stopMask = true;
    m_impl->stopMask = newFlag();
    m_impl->mask = std::move(mask);
    m_impl->wantedSlices.clear();
    m_impl->labels.clear();
    m_impl->voxels = {};
    for (const ClassInfo& info : m_impl->classes)
        m_impl->pipeline.removeSurface(info.id);
    if (m_impl->mask && m_impl->volume && m_impl->canvas != nullptr)
        m_impl->labels.assign(static_cast<std::size_t>(m_impl->geometry.extent.voxels()), 0);
    m_impl->redraw();
}

void SceneView::maskSlicesChanged(std::int64_t from, std::int64_t to)
{
    if (!m_impl->mask || m_impl->labels.empty())
        return;
    const auto slices = m_impl->geometry.slicesIn(from, to);
    m_impl->wantedSlices.insert(slices.begin(), slices.end());
    m_impl->readWantedMaskSlices();
}

void SceneView::setSlicePlane(Plane plane, std::int64_t slice)
{
    if (!m_impl->volume || m_impl->canvas == nullptr)
        return;
    const Extent& step = m_impl->geometry.step;
    const std::int64_t across = plane == Plane::xy ? step.z : plane == Plane::xz ? step.y : step.x;
    m_impl->pipeline.setSlicePlane(plane, slice / across);
    m_impl->redraw();
}

void SceneView::setImageVisible(bool visible)
{
    m_impl->pipeline.setImageVisible(visible);
    m_impl->redraw();
}

void SceneView::setMaskVisible(bool visible)
{
    m_impl->pipeline.setMaskVisible(visible);
    m_impl->applyLooks();
}

void SceneView::resetView()
{
    m_impl->pipeline.resetCamera();
    m_impl->redraw();
}

QImage SceneView::grabScene()
{
    return m_impl->canvas != nullptr && m_impl->volume ? m_impl->canvas->grabFramebuffer() : QImage();
}

} // namespace voxelscribe::scene3d
