#include "widgets/panels/data_panel.h"

#include "core/base/bytes.h"
#include "widgets/common/style.h"
#include "widgets/common/text.h"
#include "widgets/panels/parts.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <array>
#include <cmath>

namespace voxelscribe::panels {

namespace {

QLabel* makeValue(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setWordWrap(true);
    return label;
}

} // namespace

struct DataPanel::Impl {
    QLabel* fileName = nullptr;
    QLabel* format = nullptr;
    QLabel* extent = nullptr;
    QLabel* samples = nullptr;
    QLabel* datasetLabel = nullptr;
    QComboBox* dataset = nullptr;
    std::array<NumberBox*, 3> voxel{};   // z, y, x; 0 is unknown
    QLabel* voxelNote = nullptr;
    QPushButton* voxelClear = nullptr;
    NumberBox* low = nullptr;
    NumberBox* high = nullptr;
    QVBoxLayout* warnings = nullptr;
    std::optional<VoxelSizeUm> shownVoxel;
    bool fromFile = false;

    void makeFile(DataPanel& owner, QVBoxLayout* layout)
    {
        fileName = common::makeHeading({}, &owner);
        fileName->setObjectName(QStringLiteral("fileName"));
        fileName->setWordWrap(true);
        fileName->setTextFormat(Qt::PlainText);
        layout->addWidget(fileName);
        auto* grid = new QGridLayout;
        grid->setColumnStretch(1, 1);
        grid->setHorizontalSpacing(12);
        grid->setVerticalSpacing(4);
        const auto addRow = [&](int row, const QString& name, QLabel*& value, const char* objectName) {
            grid->addWidget(common::makeNote(name, &owner), row, 0, Qt::AlignTop);
            value = makeValue(&owner);
            value->setObjectName(QLatin1String(objectName));
            grid->addWidget(value, row, 1);
        };
        addRow(0, DataPanel::tr("Format"), format, "format");
        addRow(1, DataPanel::tr("Size"), extent, "extent");
        addRow(2, DataPanel::tr("Samples"), samples, "samples");
        datasetLabel = common::makeNote(DataPanel::tr("Data set"), &owner);
        dataset = new QComboBox(&owner);
        dataset->setObjectName(QStringLiteral("dataset"));
        dataset->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        dataset->setMinimumContentsLength(10);
        common::describe(dataset, DataPanel::tr("Data set"), DataPanel::tr("Which array of the file is shown"));
        datasetLabel->setBuddy(dataset); // on Linux a screen reader takes a box's name from there
        grid->addWidget(datasetLabel, 3, 0);
        grid->addWidget(dataset, 3, 1);
        layout->addLayout(grid);
        warnings = new QVBoxLayout;
        warnings->setSpacing(4);
        layout->addLayout(warnings);
    }

    void makeVoxelSize(DataPanel& owner, QVBoxLayout* layout)
    {
        layout->addWidget(common::makeHeading(DataPanel::tr("Voxel size in µm"), &owner));
        auto* line = new QHBoxLayout;
        line->setSpacing(6);
        static const char* const kAxes[] = {"z", "y", "x"};
        for (std::size_t i = 0; i < voxel.size(); ++i) {
            const QString axis = QLatin1String(kAxes[i]);
            auto* box = new NumberBox(&owner);
            box->setObjectName(QStringLiteral("voxel_%1").arg(axis));
            box->setRange(0, 1e6);
            box->setSpecialValueText(QStringLiteral("?"));
            common::describe(box, DataPanel::tr("Voxel size %1 in micrometres").arg(axis),
                             DataPanel::tr("Edge of a voxel along %1 in µm; ? means unknown").arg(axis));
            voxel[i] = box;
            line->addWidget(common::makeNote(axis, &owner));
            line->addWidget(box, 1);
        }
        layout->addLayout(line);
        voxelNote = common::makeNote({}, &owner);
        voxelNote->setObjectName(QStringLiteral("voxelNote"));
        voxelClear = makeButton({}, DataPanel::tr("Forget"), DataPanel::tr("Go back to what the file says"), &owner);
        common::setQuiet(voxelClear);
        common::describe(voxelClear, DataPanel::tr("Forget the voxel size"), DataPanel::tr("Go back to what the file says"));
        auto* noteLine = new QHBoxLayout;
        noteLine->addWidget(voxelNote, 1);
        noteLine->addWidget(voxelClear, 0, Qt::AlignTop);
        layout->addLayout(noteLine);
    }

    void makeContrast(DataPanel& owner, QVBoxLayout* layout)
    {
        layout->addWidget(common::makeHeading(DataPanel::tr("Contrast"), &owner));
        auto* line = new QHBoxLayout;
        line->setSpacing(6);
        low = new NumberBox(&owner);
        high = new NumberBox(&owner);
        low->setObjectName(QStringLiteral("contrastLow"));
        high->setObjectName(QStringLiteral("contrastHigh"));
        common::describe(low, DataPanel::tr("Contrast minimum"), DataPanel::tr("Value drawn black; right drag in the slice changes it"));
        common::describe(high, DataPanel::tr("Contrast maximum"), DataPanel::tr("Value drawn white; right drag in the slice changes it"));
        QPushButton* automatic = makeButton({}, DataPanel::tr("Auto"), DataPanel::tr("Choose the contrast from the data (C)"), &owner);
        common::describe(automatic, DataPanel::tr("Auto contrast"), DataPanel::tr("Choose the contrast from the data"), QStringLiteral("C"));
        QObject::connect(automatic, &QPushButton::clicked, &owner, &DataPanel::autoContrastRequested);
        line->addWidget(low, 1);
        line->addWidget(common::makeNote(DataPanel::tr("to"), &owner));
        line->addWidget(high, 1);
        line->addWidget(automatic);
        layout->addLayout(line);
        for (NumberBox* box : {low, high})
            QObject::connect(box, &NumberBox::valueChanged, &owner, [this, &owner] {
                if (low->value() < high->value())
                    Q_EMIT owner.contrastEdited(low->value(), high->value());
            });
    }

    void showVoxelNote()
    {
        const bool none = voxel[0]->value() == 0 && voxel[1]->value() == 0 && voxel[2]->value() == 0;
        const bool some = voxel[0]->value() == 0 || voxel[1]->value() == 0 || voxel[2]->value() == 0;
        QString note = DataPanel::tr("Set by you.");
        if (none)
            note = DataPanel::tr("The file does not say. Lengths and volumes are given in voxels until you fill it in.");
        else if (some)
            note = DataPanel::tr("All three edges are needed.");
        else if (fromFile)
            note = DataPanel::tr("From the file.");
        voxelNote->setText(note);
        common::setTone(voxelNote, some && !none ? "warning" : "muted");
        voxelClear->setVisible(!none && !fromFile);
    }

    void takeVoxel(DataPanel& owner, std::size_t edited)
    {
        const double value = voxel[edited]->value();
        const bool othersUnknown = voxel[(edited + 1) % 3]->value() == 0 && voxel[(edited + 2) % 3]->value() == 0;
        // Most voxels are cubes: the first edge that is given fills the others, which can be changed then.
        if (value > 0 && othersUnknown && !shownVoxel)
            for (NumberBox* box : voxel) {
                const QSignalBlocker quiet(box);
                box->setValue(value);
            }
        fromFile = false;
        showVoxelNote();
        const VoxelSizeUm size{voxel[0]->value(), voxel[1]->value(), voxel[2]->value()};
        if (size.z > 0 && size.y > 0 && size.x > 0) {
            shownVoxel = size;
            Q_EMIT owner.voxelSizeEdited(size);
        } else if (size.z == 0 && size.y == 0 && size.x == 0) {
            shownVoxel.reset();
            Q_EMIT owner.voxelSizeCleared();
        }
    }
};

DataPanel::DataPanel(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("dataPanel"));
    setAccessibleName(tr("Data panel"));
    Impl& d = *m_impl;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    d.makeFile(*this, layout);
    layout->addSpacing(6);
    d.makeVoxelSize(*this, layout);
    layout->addSpacing(6);
    d.makeContrast(*this, layout);
    layout->addStretch(1);
    for (std::size_t i = 0; i < d.voxel.size(); ++i)
        connect(d.voxel[i], &NumberBox::valueChanged, this, [this, i] { m_impl->takeVoxel(*this, i); });
    connect(d.voxelClear, &QPushButton::clicked, this, &DataPanel::voxelSizeCleared);
    connect(d.dataset, &QComboBox::activated, this,
            [this](int index) { Q_EMIT datasetChosen(m_impl->dataset->itemData(index).toString()); });
    setDatasets({}, {});
    setContrastRange(-1e12, 1e12, false);
    setVoxelSizeUm(std::nullopt, false);
}

DataPanel::~DataPanel() = default;

void DataPanel::setData(const DataSummary& summary)
{
    Impl& d = *m_impl;
    // Zero-width spaces let long names wrap where people would.
    QString name = summary.fileName;
    name.replace(QLatin1Char('_'), QStringLiteral("_\u200b"));
    d.fileName->setText(name);
    d.fileName->setToolTip(summary.path);
    d.fileName->setAccessibleName(summary.fileName);
    d.format->setText(summary.format);
    d.extent->setText(tr("%1 × %2 × %3 (z, y, x)").arg(summary.extent.z).arg(summary.extent.y).arg(summary.extent.x));
    d.samples->setText(tr("%1, %2").arg(summary.dtype, toText(byteSizeText(summary.bytes))));
    clearLayout(d.warnings);
    for (const QString& warning : summary.warnings)
        d.warnings->addWidget(makeCard("warning", warning, this));
}

void DataPanel::setDatasets(const std::vector<DatasetChoice>& datasets, const QString& current)
{
    Impl& d = *m_impl;
    d.dataset->clear();
    for (const DatasetChoice& choice : datasets) {
        d.dataset->addItem(choice.name, choice.name);
        d.dataset->setItemData(d.dataset->count() - 1, choice.description, Qt::ToolTipRole);
        if (!choice.description.isEmpty())
            d.dataset->setItemText(d.dataset->count() - 1, QStringLiteral("%1   (%2)").arg(choice.name, choice.description));
        if (choice.name == current)
            d.dataset->setCurrentIndex(d.dataset->count() - 1);
    }
    const bool several = datasets.size() > 1;
    d.datasetLabel->setVisible(several);
    d.dataset->setVisible(several);
}

void DataPanel::setVoxelSizeUm(const std::optional<VoxelSizeUm>& size, bool fromFile)
{
    Impl& d = *m_impl;
    d.shownVoxel = size;
    d.fromFile = fromFile && size.has_value();
    const std::array<double, 3> edges = size ? std::array<double, 3>{size->z, size->y, size->x} : std::array<double, 3>{};
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const QSignalBlocker quiet(d.voxel[i]);
        d.voxel[i]->setValue(edges[i]);
    }
    d.showVoxelNote();
}

void DataPanel::setContrast(double low, double high)
{
    const QSignalBlocker quietLow(m_impl->low);
    const QSignalBlocker quietHigh(m_impl->high);
    m_impl->low->setValue(low);
    m_impl->high->setValue(high);
}

void DataPanel::setContrastRange(double min, double max, bool integers)
{
    for (NumberBox* box : {m_impl->low, m_impl->high}) {
        const QSignalBlocker quiet(box);
        box->setDecimals(integers ? 0 : 6);
        box->setRange(min, max);
    }
}

void DataPanel::setReadOnly(bool readOnly)
{
    for (NumberBox* box : m_impl->voxel)
        box->setEnabled(!readOnly);
    m_impl->voxelClear->setEnabled(!readOnly);
}

} // namespace voxelscribe::panels
