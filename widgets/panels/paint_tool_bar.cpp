#include "widgets/panels/paint_tool_bar.h"

#include "widgets/common/style.h"
#include "widgets/panels/parts.h"

#include <QButtonGroup>
#include <QCoreApplication>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <cmath>

namespace voxelscribe::panels {

namespace {

struct ToolWords {
    slice::Tool tool;
    const char* icon;
    const char* name;
    const char* tip;
    const char* key;
};
constexpr std::array<ToolWords, 5> kTools = {{
    {slice::Tool::navigate, "navigate", QT_TRANSLATE_NOOP("PaintToolBar", "Navigate"), QT_TRANSLATE_NOOP("PaintToolBar", "Move and zoom the slice"), "N"},
    {slice::Tool::brush, "brush", QT_TRANSLATE_NOOP("PaintToolBar", "Brush"), QT_TRANSLATE_NOOP("PaintToolBar", "Paint the chosen class"), "B"},
    {slice::Tool::eraser, "eraser", QT_TRANSLATE_NOOP("PaintToolBar", "Eraser"), QT_TRANSLATE_NOOP("PaintToolBar", "Remove strokes"), "E"},
    {slice::Tool::fill, "fill", QT_TRANSLATE_NOOP("PaintToolBar", "Fill"), QT_TRANSLATE_NOOP("PaintToolBar", "Fill an area that strokes enclose"), "G"},
    {slice::Tool::pick, "pick", QT_TRANSLATE_NOOP("PaintToolBar", "Pick class"), QT_TRANSLATE_NOOP("PaintToolBar", "Take the class under the pointer"), "I"},
}};

struct PlaneWords {
    Plane plane;
    const char* name;
    const char* tip;
};
constexpr std::array<PlaneWords, 3> kPlanes = {{
    {Plane::xy, "xy", QT_TRANSLATE_NOOP("PaintToolBar", "Slices along z, as stored")},
    {Plane::xz, "xz", QT_TRANSLATE_NOOP("PaintToolBar", "Slices along y")},
    {Plane::zy, "zy", QT_TRANSLATE_NOOP("PaintToolBar", "Slices along x")},
}};

QString words(const char* text)
{
    return QCoreApplication::translate("PaintToolBar", text);
}

QFrame* makeSeparator(QWidget* parent)
{
    auto* line = new QFrame(parent);
    line->setFrameShape(QFrame::VLine);
    line->setFixedSize(9, 22);
    line->setForegroundRole(QPalette::Mid);
    line->setFrameShadow(QFrame::Plain);
    return line;
}

} // namespace

struct PaintToolBar::Impl {
    QButtonGroup* tools = nullptr;
    QButtonGroup* planes = nullptr;
    QToolButton* undo = nullptr;
    QToolButton* redo = nullptr;
    QToolButton* overlay = nullptr;
    QToolButton* outline = nullptr;
    QSlider* annotations = nullptr;
    QSlider* masks = nullptr;
    std::array<QLabel*, 2> sliderNames{};
    int namesWidth = 0;

    /// Names of the sliders, or in a narrow window only their tips.
    void showNames(bool shown)
    {
        for (QLabel* name : sliderNames)
            name->setVisible(shown);
    }

    void makeTools(PaintToolBar& owner, QHBoxLayout* line)
    {
        tools = new QButtonGroup(&owner);
        for (const ToolWords& tool : kTools) {
            QToolButton* button = makeToolButton(QLatin1String(tool.icon), words(tool.name), words(tool.tip), QLatin1String(tool.key), &owner);
            button->setObjectName(QStringLiteral("tool_%1").arg(QLatin1String(tool.icon)));
            button->setCheckable(true);
            tools->addButton(button, static_cast<int>(tool.tool));
            line->addWidget(button);
        }
        tools->button(static_cast<int>(slice::Tool::navigate))->setChecked(true);
        QObject::connect(tools, &QButtonGroup::idClicked, &owner, [&owner](int id) { Q_EMIT owner.toolChosen(static_cast<slice::Tool>(id)); });
    }

    void makePlanes(PaintToolBar& owner, QHBoxLayout* line)
    {
        planes = new QButtonGroup(&owner);
        for (const PlaneWords& plane : kPlanes) {
            const QString name = QLatin1String(plane.name);
            QToolButton* button = makeToolButton({}, PaintToolBar::tr("Plane %1").arg(name), words(plane.tip), {}, &owner);
            button->setObjectName(QStringLiteral("plane_%1").arg(name));
            button->setText(name);
            button->setCheckable(true);
            planes->addButton(button, static_cast<int>(plane.plane));
            line->addWidget(button);
        }
        planes->button(static_cast<int>(Plane::xy))->setChecked(true);
        QObject::connect(planes, &QButtonGroup::idClicked, &owner, [&owner](int id) { Q_EMIT owner.planeChosen(static_cast<Plane>(id)); });
    }

    void makeOverlay(PaintToolBar& owner, QHBoxLayout* line)
    {
        overlay = makeToolButton(QStringLiteral("overlay"), PaintToolBar::tr("Overlay"), PaintToolBar::tr("Show or hide strokes and masks"),
                                 QStringLiteral("S"), &owner);
        outline = makeToolButton(QStringLiteral("outline"), PaintToolBar::tr("Outlines"), PaintToolBar::tr("Draw masks as outlines"),
                                 QStringLiteral("O"), &owner);
        annotations = makeOpacity(owner, PaintToolBar::tr("Opacity of strokes"), {});
        masks = makeOpacity(owner, PaintToolBar::tr("Opacity of masks"), QStringLiteral("A and D"));
        for (QToolButton* button : {overlay, outline}) {
            button->setCheckable(true);
            line->addWidget(button);
        }
        const std::array sliders = {std::pair{PaintToolBar::tr("Strokes"), annotations}, std::pair{PaintToolBar::tr("Masks"), masks}};
        for (std::size_t i = 0; i < sliders.size(); ++i) {
            const auto& [name, slider] = sliders[i];
            QLabel* label = sliderNames[i] = common::makeNote(name, &owner);
            label->setWordWrap(false);
            namesWidth += label->sizeHint().width() + line->spacing();
            line->addSpacing(6);
            line->addWidget(label);
            line->addWidget(slider, 1);
        }
    }

    static QSlider* makeOpacity(PaintToolBar& owner, const QString& name, const QString& shortcut)
    {
        auto* slider = new QSlider(Qt::Horizontal, &owner);
        slider->setRange(0, 100);
        slider->setPageStep(10);
        slider->setFocusPolicy(Qt::TabFocus);
        slider->setMinimumWidth(36);
        slider->setMaximumWidth(96);
        common::describe(slider, name, name, shortcut);
        return slider;
    }

    static void show(QSlider* slider, double opacity)
    {
        const QSignalBlocker quiet(slider);
        slider->setValue(static_cast<int>(std::lround(std::clamp(opacity, 0.0, 1.0) * 100)));
    }
};

PaintToolBar::PaintToolBar(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("paintToolBar"));
    setAccessibleName(tr("Tools"));
    Impl& d = *m_impl;
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(6, 3, 6, 3);
    line->setSpacing(2);
    d.makeTools(*this, line);
    line->addWidget(makeSeparator(this));
    d.undo = makeToolButton(QStringLiteral("undo"), tr("Undo"), {}, {}, this);
    d.redo = makeToolButton(QStringLiteral("redo"), tr("Redo"), {}, {}, this);
    line->addWidget(d.undo);
    line->addWidget(d.redo);
    line->addWidget(makeSeparator(this));
    QToolButton* fit = makeToolButton(QStringLiteral("fit"), tr("Fit"), tr("Show the whole slice"), QStringLiteral("F"), this);
    line->addWidget(fit);
    d.makePlanes(*this, line);
    line->addWidget(makeSeparator(this));
    d.makeOverlay(*this, line);
    line->addStretch(1);

    const std::pair<QWidget*, const char*> names[] = {{d.undo, "undo"},       {d.redo, "redo"},       {fit, "fit"},
                                                      {d.overlay, "overlay"}, {d.outline, "outline"}, {d.annotations, "annotationOpacity"},
                                                      {d.masks, "maskOpacity"}};
    for (const auto& [widget, name] : names)
        widget->setObjectName(QLatin1String(name));
    connect(d.undo, &QToolButton::clicked, this, &PaintToolBar::undoRequested);
    connect(d.redo, &QToolButton::clicked, this, &PaintToolBar::redoRequested);
    connect(fit, &QToolButton::clicked, this, &PaintToolBar::fitRequested);
    connect(d.overlay, &QToolButton::clicked, this, &PaintToolBar::overlayVisibleChosen);
    connect(d.outline, &QToolButton::clicked, this, &PaintToolBar::maskOutlineChosen);
    connect(d.annotations, &QSlider::valueChanged, this, [this](int value) { Q_EMIT annotationOpacityChosen(value / 100.0); });
    connect(d.masks, &QSlider::valueChanged, this, [this](int value) { Q_EMIT maskOpacityChosen(value / 100.0); });
    setUndo({});
    setRedo({});
    setOverlayVisible(true);
    setAnnotationOpacity(0.8);
    setMaskOpacity(0.45);
}

PaintToolBar::~PaintToolBar() = default;

QSize PaintToolBar::minimumSizeHint() const
{
    const QSize all = layout()->totalMinimumSize();
    return m_impl->sliderNames.front()->isHidden() ? all : all - QSize(m_impl->namesWidth, 0);
}

void PaintToolBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_impl->showNames(width() >= minimumSizeHint().width() + m_impl->namesWidth);
}

void PaintToolBar::setTool(slice::Tool tool)
{
    m_impl->tools->button(static_cast<int>(tool))->setChecked(true);
}

slice::Tool PaintToolBar::tool() const
{
    return static_cast<slice::Tool>(m_impl->tools->checkedId());
}

void PaintToolBar::setPaintingEnabled(bool enabled, const QString& why)
{
    for (const ToolWords& tool : kTools) {
        if (tool.tool == slice::Tool::navigate || tool.tool == slice::Tool::pick)
            continue;
        QAbstractButton* button = m_impl->tools->button(static_cast<int>(tool.tool));
        button->setEnabled(enabled);
        common::describe(button, words(tool.name), enabled ? words(tool.tip) : why, QLatin1String(tool.key));
    }
    if (!enabled && tool() != slice::Tool::navigate && tool() != slice::Tool::pick)
        setTool(slice::Tool::navigate);
}

void PaintToolBar::setUndo(const QString& what)
{
    m_impl->undo->setEnabled(!what.isEmpty());
    common::describe(m_impl->undo, tr("Undo"), what.isEmpty() ? tr("Nothing to undo") : tr("Undo: %1").arg(what), QStringLiteral("Ctrl+Z"));
}

void PaintToolBar::setRedo(const QString& what)
{
    m_impl->redo->setEnabled(!what.isEmpty());
    common::describe(m_impl->redo, tr("Redo"), what.isEmpty() ? tr("Nothing to redo") : tr("Redo: %1").arg(what), QStringLiteral("Ctrl+Y"));
}

void PaintToolBar::setPlane(Plane plane)
{
    m_impl->planes->button(static_cast<int>(plane))->setChecked(true);
}

void PaintToolBar::setOverlayVisible(bool visible)
{
    m_impl->overlay->setChecked(visible);
}

void PaintToolBar::setAnnotationOpacity(double opacity)
{
    Impl::show(m_impl->annotations, opacity);
}

void PaintToolBar::setMaskOpacity(double opacity)
{
    Impl::show(m_impl->masks, opacity);
}

void PaintToolBar::setMaskOutline(bool outline)
{
    m_impl->outline->setChecked(outline);
}

} // namespace voxelscribe::panels
