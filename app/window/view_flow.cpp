#include "app/window/view_flow.h"

#include "widgets/common/text.h"

#include <QFileInfo>
#include <algorithm>
#include <cmath>

namespace voxelscribe::window {

namespace {

panels::DataSummary summaryOf(const OpenedStack& stack)
{
    const VolumeInfo& info = stack.volume->info();
    panels::DataSummary summary;
    summary.path = QString::fromStdString(stack.source.text());
    summary.fileName = QString::fromStdString(stack.source.path.filename().string());
    summary.format = QString::fromStdString(stack.listing.format);
    summary.extent = info.extent;
    summary.dtype = QString::fromLatin1(dtypeName(info.dtype).data(), qsizetype(dtypeName(info.dtype).size()));
    summary.bytes = info.extent.voxels() * std::int64_t(dtypeSize(info.dtype));
    for (const std::string& warning : stack.notices)
        summary.warnings << QString::fromStdString(warning);
    return summary;
}

std::vector<panels::DatasetChoice> datasetsOf(const OpenedStack& stack)
{
    std::vector<panels::DatasetChoice> choices;
    for (const VolumeInfo& info : stack.listing.arrays)
        choices.push_back({QString::fromStdString(info.name), QStringLiteral("%1, %2 × %3 × %4")
                                                                  .arg(QString::fromStdString(std::string(dtypeName(info.dtype))))
                                                                  .arg(info.extent.z)
                                                                  .arg(info.extent.y)
                                                                  .arg(info.extent.x)});
    return choices;
}

} // namespace

ViewFlow::ViewFlow(Session& session, RunFlow& run, const Parts& parts, QObject* parent)
    : QObject(parent), m_session(session), m_run(run), m_parts(parts)
{
    m_remember.setSingleShot(true);
    m_remember.setInterval(1500);
    connect(&m_remember, &QTimer::timeout, this, &ViewFlow::rememberView);
    connectSlice();
    connectPanels();
    connectScene();
    connect(&session, &Session::opened, this, &ViewFlow::showStack);
    connect(&session, &Session::closed, this, &ViewFlow::showNothing);
    connect(&session, &Session::classesChanged, this, &ViewFlow::showClasses);
    connect(&session, &Session::activeClassChanged, m_parts.classes, &panels::ClassPanel::setActiveClass);
    connect(&session, &Session::historyChanged, this, &ViewFlow::showHistory);
    connect(&session, &Session::editRefused, this, [this](const QString& why) {
        m_parts.messages->post({common::Severity::warning, why, {}, {}, {}, QStringLiteral("refused")});
    });
    connect(&session, &Session::annotationsChanged, m_parts.slice, &slice::SliceView::annotationsChanged);
    connect(&session, &Session::voxelSizeChanged, this, [this] {
        m_parts.slice->setVoxelSizeUm(m_session.voxelSizeUm());
        m_parts.scene->setVolume(m_session.stack().volume, m_session.voxelSizeUm());
        m_parts.scene->setSlicePlane(m_parts.slice->plane(), m_parts.slice->slice());
        m_parts.scene->setMask(m_run.mask());
        m_parts.scene->maskSlicesChanged(0, m_session.stack().volume->extent().z);
    });
    setBrushRadius(m_brushRadius);
    setTool(slice::Tool::brush);
    showNothing();
}

void ViewFlow::connectSlice()
{
    slice::SliceView* view = m_parts.slice;
    connect(view, &slice::SliceView::strokeBegan, this, [this](PlanePoint at, bool erase) {
        m_session.beginStroke(m_parts.slice->plane(), m_parts.slice->slice(), m_brushRadius, at, erase);
    });
    connect(view, &slice::SliceView::strokeExtended, &m_session, &Session::extendStroke);
    connect(view, &slice::SliceView::strokeEnded, &m_session, &Session::endStroke);
    connect(view, &slice::SliceView::strokeCancelled, &m_session, &Session::cancelStroke);
    connect(view, &slice::SliceView::fillRequested, this, &ViewFlow::fill);
    connect(view, &slice::SliceView::classPicked, this, [this](quint16 id) {
        m_session.setActiveClass(id);
        setTool(slice::Tool::brush);
    });
    connect(view, &slice::SliceView::paintingRefused, this, [this](const QString& why) {
        m_parts.messages->post({common::Severity::info, why, {}, {}, {}, QStringLiteral("refused")});
    });
    connect(view, &slice::SliceView::readFailed, this, [this](const QString& message) {
        m_parts.messages->post({common::Severity::error, message, {}, {}, {}, QStringLiteral("read")});
    });
    connect(view, &slice::SliceView::pointerMoved, this, &ViewFlow::showReadout);
    connect(view, &slice::SliceView::contrastDragged, this, &ViewFlow::setContrast);
    connect(view, &slice::SliceView::brushRadiusDragged, this, &ViewFlow::setBrushRadius);
    connect(view, &slice::SliceView::appearanceChanged, this, &ViewFlow::setAppearance);
    connect(view, &slice::SliceView::sliceChanged, this, [this](qint64 slice) {
        m_parts.scene->setSlicePlane(m_parts.slice->plane(), slice);
        if (m_parts.slice->plane() == Plane::xy)
            m_run.setCurrentSlice(slice);
        m_remember.start();
    });
}

void ViewFlow::connectPanels()
{
    panels::PaintToolBar* bar = m_parts.toolBar;
    connect(bar, &panels::PaintToolBar::toolChosen, this, &ViewFlow::setTool);
    connect(bar, &panels::PaintToolBar::undoRequested, &m_session, &Session::undo);
    connect(bar, &panels::PaintToolBar::redoRequested, &m_session, &Session::redo);
    connect(bar, &panels::PaintToolBar::fitRequested, m_parts.slice, &slice::SliceView::fitToView);
    connect(bar, &panels::PaintToolBar::planeChosen, this, &ViewFlow::setPlane);
    const auto change = [this](auto member) {
        return [this, member](auto value) {
            slice::SliceAppearance appearance = m_parts.slice->appearance();
            appearance.*member = value;
            setAppearance(appearance);
        };
    };
    connect(bar, &panels::PaintToolBar::overlayVisibleChosen, this, change(&slice::SliceAppearance::overlayVisible));
    connect(bar, &panels::PaintToolBar::annotationOpacityChosen, this, change(&slice::SliceAppearance::annotationOpacity));
    connect(bar, &panels::PaintToolBar::maskOpacityChosen, this, change(&slice::SliceAppearance::maskOpacity));
    connect(bar, &panels::PaintToolBar::maskOutlineChosen, this, change(&slice::SliceAppearance::maskOutline));

    panels::ClassPanel* classes = m_parts.classes;
    connect(classes, &panels::ClassPanel::activeClassChosen, &m_session, &Session::setActiveClass);
    connect(classes, &panels::ClassPanel::classEdited, &m_session, &Session::updateClass);
    connect(classes, &panels::ClassPanel::addRequested, this, [this] { m_session.addClass(); });
    connect(classes, &panels::ClassPanel::removeRequested, &m_session, &Session::removeClass);
    connect(classes, &panels::ClassPanel::brushRadiusChosen, this, &ViewFlow::setBrushRadius);

    panels::DataPanel* data = m_parts.data;
    connect(data, &panels::DataPanel::voxelSizeEdited, this, [this](VoxelSizeUm size) { m_session.setVoxelSizeUm(size); });
    connect(data, &panels::DataPanel::voxelSizeCleared, this, [this] { m_session.setVoxelSizeUm(std::nullopt); });
    connect(data, &panels::DataPanel::contrastEdited, this, &ViewFlow::setContrast);
    connect(data, &panels::DataPanel::autoContrastRequested, this, &ViewFlow::autoContrast);
    connect(data, &panels::DataPanel::datasetChosen, this, [this](const QString& name) {
        io::Source source = m_session.stack().source;
        source.dataset = name.toStdString();
        OpenRequest request;
        request.path = source.text();
        m_session.open(request);
    });
}

void ViewFlow::connectScene()
{
    connect(&m_run, &RunFlow::maskChanged, this, [this] {
        m_parts.slice->setMask(m_run.mask());
        m_parts.scene->setMask(m_run.mask());
    });
    connect(&m_run, &RunFlow::maskSlicesFinished, this, [this](qint64 from, qint64 to) {
        const Extent& extent = m_session.stack().volume->extent();
        m_parts.slice->maskChanged({{from, 0, 0}, {to - from, extent.y, extent.x}});
        m_parts.scene->maskSlicesChanged(from, to);
    });
    connect(m_parts.scene, &scene3d::SceneView::failed, this, [this](const QString& message) {
        m_parts.messages->post({common::Severity::warning, message, {}, {}, {}, QStringLiteral("scene")});
    });
}

void ViewFlow::showStack()
{
    const OpenedStack& stack = m_session.stack();
    const Extent& extent = stack.volume->extent();
    m_parts.data->setData(summaryOf(stack));
    m_parts.data->setDatasets(datasetsOf(stack), QString::fromStdString(stack.volume->info().name));
    m_parts.data->setReadOnly(m_session.isReadOnly());
    m_parts.data->setVoxelSizeUm(m_session.voxelSizeUm(), !m_session.state().voxelSizeUm.has_value());
    const bool integers = dtypeIsInteger(stack.volume->info().dtype);
    const double span = std::max(1e-12, stack.contrastHigh - stack.contrastLow);
    m_parts.data->setContrastRange(stack.contrastLow - 10 * span, stack.contrastHigh + 10 * span, integers);
    m_parts.classes->setReadOnly(m_session.isReadOnly());
    m_parts.slice->setVoxelSizeUm(m_session.voxelSizeUm());
    m_parts.slice->setPlane(Plane::xy); // first, so that nothing is read in another orientation
    m_parts.slice->setVolume(stack.volume);
    m_parts.slice->setAnnotations([this](const Region& region, std::span<std::uint16_t> out) {
        if (m_session.isOpen())
            m_session.labels().read(region, out);
        else
            std::ranges::fill(out, std::uint16_t{0}); // the view asks under the pointer while the stack is being closed
    });
    const QString why = m_session.isReadOnly() ? tr("This project is read-only here, so nothing can be painted.") : QString();
    m_parts.slice->setPaintingEnabled(!m_session.isReadOnly(), why);
    m_parts.toolBar->setPaintingEnabled(!m_session.isReadOnly(), why);
    m_parts.scene->setVolume(stack.volume, m_session.voxelSizeUm());
    const nlohmann::json& view = m_session.state().view;
    setContrast(view.value("contrastLow", stack.contrastLow), view.value("contrastHigh", stack.contrastHigh));
    setPlane(Plane::xy);
    m_parts.slice->setSlice(std::clamp<std::int64_t>(view.value("slice", extent.z / 2), 0, extent.z - 1));
    m_parts.slice->fitToView();
    m_parts.slice->setFocus();
    m_run.setCurrentSlice(m_parts.slice->slice());
    m_parts.scene->setSlicePlane(Plane::xy, m_parts.slice->slice());
    showClasses();
}

void ViewFlow::showNothing()
{
    m_remember.stop();
    m_parts.slice->setAnnotations({});
    m_parts.slice->setVolume(nullptr);
    m_parts.scene->setVolume(nullptr, std::nullopt);
    m_parts.hints->setReadout({});
    showHistory();
}

void ViewFlow::showClasses()
{
    if (!m_session.isOpen())
        return;
    m_parts.classes->setClasses(m_session.classes());
    m_parts.classes->setLabelledVoxels(m_session.labels().voxelsOfClass());
    m_parts.classes->setActiveClass(m_session.activeClass());
    m_parts.slice->setClasses(m_session.classes());
    m_parts.scene->setClasses(m_session.classes());
}

void ViewFlow::fill(PlanePoint at, bool erase)
{
    const Plane plane = m_parts.slice->plane();
    const Region dirty = m_session.fill(plane, m_parts.slice->slice(), at, erase);
    const Extent filled = planeExtent(dirty.extent, plane);
    const Extent whole = planeExtent(m_session.stack().volume->extent(), plane);
    if (erase || filled.y < whole.y || filled.x < whole.x)
        return;
    // A gap in a stroke lets the fill run over the whole slice, and a network would learn all of it.
    m_parts.messages->post({common::Severity::warning, tr("The fill reached every edge of the slice. Was there a gap in a stroke?"), {},
                            tr("Undo the fill"), [this] { m_session.undo(); }, QStringLiteral("fill")});
}

void ViewFlow::showHistory()
{
    m_parts.messages->clear(QStringLiteral("fill"));
    m_parts.toolBar->setUndo(m_session.undoText());
    m_parts.toolBar->setRedo(m_session.redoText());
    if (m_session.isOpen())
        m_parts.classes->setLabelledVoxels(m_session.labels().voxelsOfClass());
}

void ViewFlow::setTool(slice::Tool tool)
{
    m_parts.slice->setTool(tool);
    m_parts.toolBar->setTool(tool);
    showHints();
}

QList<common::Hint> ViewFlow::mouseAndKeys()
{
    return {{tr("Wheel, arrows, Page up/down"), tr("Next or previous slice")},
            {tr("Shift+arrow"), tr("Ten slices on")},
            {tr("Home, End"), tr("First or last slice")},
            {tr("Ctrl+wheel, + and −"), tr("Zoom")},
            {tr("Space+drag, middle drag"), tr("Pan")},
            {tr("F"), tr("Show the whole slice")},
            {tr("Right drag"), tr("Contrast")},
            {tr("Shift+wheel, [ and ]"), tr("Brush size")},
            {tr("Alt"), tr("Erase while it is held")},
            {tr("Escape"), tr("Take the running stroke back")},
            {tr("S"), tr("Strokes and masks on or off; hold to peek")},
            {tr("A, D"), tr("Fainter or stronger strokes and masks")},
            {tr("O"), tr("Masks as outlines")},
            {tr("Double click"), tr("Fill the window (with Navigate or Pick)")}};
}

void ViewFlow::showHints()
{
    QList<common::Hint> hints;
    switch (m_parts.slice->tool()) {
    case slice::Tool::brush: hints = {{tr("Drag"), tr("paint")}, {tr("Shift+wheel"), tr("brush size")}, {tr("Alt"), tr("erase")}}; break;
    case slice::Tool::eraser: hints = {{tr("Drag"), tr("erase")}, {tr("Shift+wheel"), tr("eraser size")}}; break;
    case slice::Tool::fill: hints = {{tr("Click"), tr("fill the area")}, {tr("Alt"), tr("empty it")}}; break;
    case slice::Tool::pick: hints = {{tr("Click"), tr("take the class under the pointer")}}; break;
    case slice::Tool::navigate: hints = {{tr("Drag"), tr("pan")}}; break;
    }
    hints << common::Hint{tr("Wheel"), tr("slice")} << common::Hint{tr("Ctrl+wheel"), tr("zoom")} << common::Hint{tr("Space+drag"), tr("pan")}
          << common::Hint{tr("Right drag"), tr("contrast")} << common::Hint{QStringLiteral("?"), tr("all keys")};
    m_parts.hints->setHints(hints);
}

void ViewFlow::showReadout(bool inside, const Extent& voxel, double value, quint16 annotation, quint16 mask)
{
    if (!inside) {
        m_parts.hints->setReadout({});
        return;
    }
    QStringList parts;
    if (const ClassInfo* info = m_session.findClass(annotation))
        parts << tr("stroke: %1").arg(QString::fromStdString(info->name));
    if (const ClassInfo* info = m_session.findClass(mask))
        parts << tr("mask: %1").arg(QString::fromStdString(info->name));
    parts << tr("z %1  y %2  x %3").arg(voxel.z).arg(voxel.y).arg(voxel.x);
    if (const auto size = m_session.voxelSizeUm())
        parts << tr("%1, %2, %3 µm")
                     .arg((double(voxel.z) + 0.5) * size->z, 0, 'f', 1)
                     .arg((double(voxel.y) + 0.5) * size->y, 0, 'f', 1)
                     .arg((double(voxel.x) + 0.5) * size->x, 0, 'f', 1);
    parts << (std::isnan(value) ? QStringLiteral("–") : tr("value %1").arg(common::formatNumber(value)));
    m_parts.hints->setReadout(parts.join(QStringLiteral("   ")));
}

void ViewFlow::setPlane(Plane plane)
{
    m_parts.slice->setPlane(plane);
    m_parts.toolBar->setPlane(plane);
    m_parts.scene->setSlicePlane(plane, m_parts.slice->slice());
}

void ViewFlow::autoContrast()
{
    if (!m_session.isOpen())
        return;
    const std::int64_t z = m_parts.slice->plane() == Plane::xy ? m_parts.slice->slice() : m_session.stack().volume->extent().z / 2;
    const auto measure = [volume = m_session.stack().volume, z]() -> std::optional<std::pair<double, double>> {
        try {
            return contrastOf(*volume, z);
        } catch (const std::exception&) {
            return std::nullopt; // the view itself says why the slice cannot be read
        }
    };
    m_reader.post(measure, this, [this, volume = m_session.stack().volume](const std::optional<std::pair<double, double>>& limits) {
        if (limits && m_session.isOpen() && m_session.stack().volume == volume)
            setContrast(limits->first, limits->second);
    });
}

void ViewFlow::setContrast(double low, double high)
{
    slice::SliceAppearance appearance = m_parts.slice->appearance();
    appearance.contrastLow = low;
    appearance.contrastHigh = high;
    setAppearance(appearance);
}

void ViewFlow::setAppearance(const slice::SliceAppearance& appearance)
{
    m_parts.slice->setAppearance(appearance);
    m_parts.scene->setContrast(appearance.contrastLow, appearance.contrastHigh);
    m_parts.data->setContrast(appearance.contrastLow, appearance.contrastHigh);
    m_parts.toolBar->setOverlayVisible(appearance.overlayVisible);
    m_parts.toolBar->setAnnotationOpacity(appearance.annotationOpacity);
    m_parts.toolBar->setMaskOpacity(appearance.maskOpacity);
    m_parts.toolBar->setMaskOutline(appearance.maskOutline);
    m_remember.start();
}

void ViewFlow::setBrushRadius(double radius)
{
    m_brushRadius = radius;
    m_parts.slice->setBrushRadius(radius);
    m_parts.classes->setBrushRadius(radius);
}

void ViewFlow::rememberView()
{
    if (!m_session.isOpen() || m_session.isReadOnly())
        return;
    const slice::SliceAppearance& appearance = m_parts.slice->appearance();
    nlohmann::json view = m_session.state().view;
    if (m_parts.slice->plane() == Plane::xy)
        view["slice"] = m_parts.slice->slice();
    view["contrastLow"] = appearance.contrastLow;
    view["contrastHigh"] = appearance.contrastHigh;
    if (view != m_session.state().view)
        m_session.updateState([&](project::ProjectState& state) { state.view = view; });
}

void ViewFlow::stepClass(int by)
{
    if (!m_session.isOpen() || m_session.classes().empty())
        return;
    const auto& classes = m_session.classes();
    const auto found = std::ranges::find(classes, m_session.activeClass(), &ClassInfo::id);
    const auto count = std::ssize(classes);
    const auto at = found == classes.end() ? 0 : (found - classes.begin() + by + count) % count;
    m_session.setActiveClass(classes[static_cast<std::size_t>(at)].id);
}

void ViewFlow::chooseClass(int number)
{
    if (m_session.isOpen() && number >= 1 && number <= std::ssize(m_session.classes()))
        m_session.setActiveClass(m_session.classes()[static_cast<std::size_t>(number - 1)].id);
}

void ViewFlow::toggleLock()
{
    if (!m_session.isOpen())
        return;
    if (const ClassInfo* active = m_session.findClass(m_session.activeClass())) {
        ClassInfo info = *active;
        info.locked = !info.locked;
        m_session.updateClass(info);
    }
}

} // namespace voxelscribe::window
