#include "widgets/panels/class_panel.h"

#include "widgets/common/style.h"
#include "widgets/panels/class_row.h"
#include "widgets/panels/parts.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace voxelscribe::panels {

namespace {

constexpr int kLargestBrush = 1000;  // pixels across
constexpr int kSliderSteps = 300;

// The slider runs over the logarithm: small brushes need the finer steps.
int sliderOf(int diameter)
{
    return static_cast<int>(std::lround(kSliderSteps * std::log(diameter) / std::log(kLargestBrush)));
}

int diameterOf(int slider)
{
    return std::clamp(static_cast<int>(std::lround(std::pow(kLargestBrush, double(slider) / kSliderSteps))), 1, kLargestBrush);
}

} // namespace

struct ClassPanel::Impl {
    std::vector<ClassRow*> rows;
    QVBoxLayout* list = nullptr;
    QLabel* empty = nullptr;
    QPushButton* add = nullptr;
    QSlider* brushSlider = nullptr;
    QSpinBox* brushBox = nullptr;
    std::uint16_t active = 0;
    std::map<std::uint16_t, std::int64_t> counts;
    bool readOnly = false;

    ClassRow* find(std::uint16_t id) const
    {
        const auto found = std::find_if(rows.begin(), rows.end(), [id](const ClassRow* row) { return row->info().id == id; });
        return found == rows.end() ? nullptr : *found;
    }

    ClassRow* makeRow(ClassPanel& owner, const ClassInfo& info)
    {
        auto* row = new ClassRow(info, &owner);
        QObject::connect(row, &ClassRow::chosen, &owner, [this, &owner, id = info.id] {
            if (id == active)
                return;
            owner.setActiveClass(id);
            Q_EMIT owner.activeClassChosen(id);
        });
        QObject::connect(row, &ClassRow::edited, &owner, &ClassPanel::classEdited);
        QObject::connect(row, &ClassRow::nameDone, &owner, &ClassPanel::nameEditingDone);
        QObject::connect(row, &ClassRow::removeRequested, &owner, [&owner, id = info.id] { Q_EMIT owner.removeRequested(id); });
        return row;
    }

    void showBrush(int diameter)
    {
        const QSignalBlocker quietSlider(brushSlider);
        const QSignalBlocker quietBox(brushBox);
        if (diameterOf(brushSlider->value()) != diameter)
            brushSlider->setValue(sliderOf(diameter));
        brushBox->setValue(diameter);
    }

    void makeBrush(ClassPanel& owner, QVBoxLayout* layout)
    {
        layout->addWidget(common::makeHeading(ClassPanel::tr("Brush size"), &owner));
        brushSlider = new QSlider(Qt::Horizontal, &owner);
        brushSlider->setRange(0, kSliderSteps);
        brushSlider->setFocusPolicy(Qt::TabFocus);
        brushSlider->setObjectName(QStringLiteral("brushSlider"));
        common::describe(brushSlider, ClassPanel::tr("Brush size"), ClassPanel::tr("Size of brush and eraser"), QStringLiteral("[ and ], Shift+wheel"));
        brushBox = new QSpinBox(&owner);
        brushBox->setRange(1, kLargestBrush);
        brushBox->setKeyboardTracking(false);
        brushBox->setSuffix(ClassPanel::tr(" px"));
        brushBox->setObjectName(QStringLiteral("brushBox"));
        common::describe(brushBox, ClassPanel::tr("Brush size in pixels"), ClassPanel::tr("Pixels across"), QStringLiteral("[ and ], Shift+wheel"));
        auto* line = new QHBoxLayout;
        line->addWidget(brushSlider, 1);
        line->addWidget(brushBox);
        layout->addLayout(line);
        const auto choose = [this, &owner](int diameter) {
            showBrush(diameter);
            Q_EMIT owner.brushRadiusChosen(diameter / 2.0);
        };
        QObject::connect(brushSlider, &QSlider::valueChanged, &owner, [choose](int value) { choose(diameterOf(value)); });
        QObject::connect(brushBox, &QSpinBox::valueChanged, &owner, choose);
    }
};

ClassPanel::ClassPanel(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("classPanel"));
    setAccessibleName(tr("Classes panel"));
    Impl& d = *m_impl;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(common::makeNote(tr("Paint a few strokes of every class, on two or three slices. More where the model errs."), this));
    d.list = new QVBoxLayout;
    d.list->setSpacing(2);
    layout->addLayout(d.list);
    d.empty = common::makeNote(tr("No classes yet. Add one for each thing that you want to tell apart, the background included."), this);
    layout->addWidget(d.empty);
    d.add = makeButton(QStringLiteral("add"), tr("Add class"), {}, this);
    d.add->setObjectName(QStringLiteral("addClass"));
    d.add->setFocusPolicy(Qt::TabFocus);
    common::describe(d.add, tr("Add class"), tr("Add a class"), QStringLiteral("M"));
    layout->addWidget(d.add);
    layout->addSpacing(6);
    d.makeBrush(*this, layout);
    layout->addStretch(1);
    connect(d.add, &QPushButton::clicked, this, &ClassPanel::addRequested);
    setBrushRadius(6);
}

ClassPanel::~ClassPanel()
{
    // A name field that is being edited loses the focus while its window goes, and would still report its text.
    for (ClassRow* row : m_impl->rows)
        row->disconnect(this);
}

void ClassPanel::setClasses(const std::vector<ClassInfo>& classes)
{
    Impl& d = *m_impl;
    std::vector<ClassRow*> rows;
    for (const ClassInfo& info : classes) {
        ClassRow* row = d.find(info.id);
        if (row == nullptr)
            row = d.makeRow(*this, info);
        else
            row->setInfo(info);
        rows.push_back(row);
    }
    for (ClassRow* old : d.rows) {
        d.list->removeWidget(old);
        if (std::find(rows.begin(), rows.end(), old) == rows.end()) {
            // Not at once: the row's own button may be what removed it. Nor may a name being edited in it be reported.
            old->disconnect(this);
            old->hide();
            old->deleteLater();
        }
    }
    d.rows = rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i]->setPlace(static_cast<int>(i) + 1);
        rows[i]->setReadOnly(d.readOnly);
        d.list->addWidget(rows[i]);
        if (i > 0)
            setTabOrder(rows[i - 1], rows[i]);
    }
    d.empty->setVisible(rows.empty());
    setLabelledVoxels(d.counts);
    setActiveClass(d.active);
}

void ClassPanel::setLabelledVoxels(const std::map<std::uint16_t, std::int64_t>& counts)
{
    m_impl->counts = counts;
    for (ClassRow* row : m_impl->rows) {
        const auto found = counts.find(row->info().id);
        row->setVoxels(found == counts.end() ? 0 : found->second);
    }
}

void ClassPanel::setActiveClass(std::uint16_t id)
{
    m_impl->active = id;
    for (ClassRow* row : m_impl->rows)
        row->setActive(row->info().id == id);
}

std::uint16_t ClassPanel::activeClass() const
{
    return m_impl->active;
}

void ClassPanel::setBrushRadius(double radiusPixels)
{
    m_impl->showBrush(std::clamp(static_cast<int>(std::lround(2 * radiusPixels)), 1, kLargestBrush));
}

void ClassPanel::setReadOnly(bool readOnly)
{
    m_impl->readOnly = readOnly;
    m_impl->add->setEnabled(!readOnly);
    for (ClassRow* row : m_impl->rows)
        row->setReadOnly(readOnly);
}

void ClassPanel::editName(std::uint16_t id)
{
    if (ClassRow* row = m_impl->find(id))
        row->editName();
}

} // namespace voxelscribe::panels
