#include "widgets/panels/check_panel.h"

#include "widgets/common/style.h"
#include "widgets/common/text.h"
#include "widgets/panels/parts.h"
#include "widgets/panels/recent_row.h"
#include "widgets/panels/share_row.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace voxelscribe::panels {

struct CheckPanel::Impl {
    QLabel* heading = nullptr;
    QLabel* summary = nullptr;
    QVBoxLayout* shares = nullptr;
    QLabel* resultsHeading = nullptr;
    QComboBox* results = nullptr;
    QLabel* resultText = nullptr;
    QLabel* why = nullptr;
    QPushButton* exportButton = nullptr;
    std::vector<ResultEntry> entries;

    void makeResults(CheckPanel& owner, QVBoxLayout* layout)
    {
        resultsHeading = common::makeHeading(CheckPanel::tr("Masks shown"), &owner);
        results = new QComboBox(&owner);
        results->setObjectName(QStringLiteral("results"));
        results->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        results->setMinimumContentsLength(12);
        results->setPlaceholderText(CheckPanel::tr("A preview"));
        common::describe(results, CheckPanel::tr("Masks shown"), CheckPanel::tr("Which run's masks are shown and exported"));
        resultText = common::makeNote({}, &owner);
        resultText->setObjectName(QStringLiteral("resultText"));
        resultsHeading->setBuddy(results); // on Linux a screen reader takes a box's name from there
        layout->addWidget(resultsHeading);
        layout->addWidget(results);
        layout->addWidget(resultText);
    }

    static QString wordsFor(const ResultEntry& entry)
    {
        const QString slices = common::formatCounted(entry.slicesTotal, CheckPanel::tr("slice"), CheckPanel::tr("slices"));
        if (entry.complete)
            return CheckPanel::tr("%1, all %2").arg(entry.model, slices);
        return CheckPanel::tr("%1, %2 of %3").arg(entry.model, common::formatCount(entry.slicesDone), slices);
    }
};

CheckPanel::CheckPanel(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("checkPanel"));
    setAccessibleName(tr("Check and export panel"));
    Impl& d = *m_impl;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    d.makeResults(*this, layout);
    layout->addSpacing(4);
    d.heading = common::makeHeading(tr("Share of each class"), this);
    layout->addWidget(d.heading);
    d.shares = new QVBoxLayout;
    d.shares->setSpacing(6);
    layout->addLayout(d.shares);
    d.summary = common::makeNote({}, this);
    d.summary->setObjectName(QStringLiteral("summary"));
    layout->addWidget(d.summary);
    layout->addSpacing(6);
    d.why = common::makeNote({}, this);
    d.why->setObjectName(QStringLiteral("exportWhy"));
    layout->addWidget(d.why);
    d.exportButton = makeButton({}, tr("Export…"), {}, this);
    d.exportButton->setObjectName(QStringLiteral("export"));
    d.exportButton->setFocusPolicy(Qt::TabFocus);
    common::describe(d.exportButton, tr("Export…"), tr("Write the masks as TIFF, HDF5 or Zarr"), QStringLiteral("Ctrl+E"));
    layout->addWidget(d.exportButton);
    layout->addStretch(1);

    connect(d.exportButton, &QPushButton::clicked, this, &CheckPanel::exportRequested);
    connect(d.results, &QComboBox::activated, this, [this](int index) {
        const ResultEntry& entry = m_impl->entries[static_cast<std::size_t>(index)];
        m_impl->resultText->setText(Impl::wordsFor(entry));
        Q_EMIT resultChosen(entry.id);
    });
    setShares(std::nullopt);
    setResults({}, {});
    setExportBlocked(tr("Nothing is segmented yet: run a model first (step 4)."));
}

CheckPanel::~CheckPanel() = default;

QAbstractButton* CheckPanel::primaryButton() const
{
    return m_impl->exportButton;
}

void CheckPanel::setShares(const std::optional<VolumeShares>& shares)
{
    Impl& d = *m_impl;
    clearLayout(d.shares);
    d.heading->setVisible(shares.has_value());
    d.summary->setVisible(shares.has_value());
    if (!shares)
        return;
    for (const ClassVolume& volume : shares->classes)
        d.shares->addWidget(new ShareRow(volume, *shares, this));
    QStringList words;
    if (shares->slicesDone < shares->slicesTotal)
        words << tr("Over the %1 of %2 slices that are done.")
                     .arg(common::formatCount(shares->slicesDone), common::formatCount(shares->slicesTotal));
    if (!shares->voxelSizeUm)
        words << tr("Give the voxel size in step 1 for volumes in µm³ or mm³.");
    common::showText(d.summary, words.join(QLatin1Char(' ')));
}

void CheckPanel::setResults(const std::vector<ResultEntry>& results, const QString& shownId)
{
    Impl& d = *m_impl;
    d.entries = results;
    d.results->clear();
    d.resultText->clear();
    for (const ResultEntry& entry : results) {
        const QString when = whenText(entry.when, QDateTime::currentDateTime());
        d.results->addItem(entry.complete ? when : tr("%1, incomplete").arg(when), entry.id);
        d.results->setItemData(d.results->count() - 1, Impl::wordsFor(entry), Qt::ToolTipRole);
    }
    setShown(shownId);
    for (QWidget* widget : std::initializer_list<QWidget*>{d.resultsHeading, d.results, d.resultText})
        widget->setVisible(!results.empty());
}

void CheckPanel::setShown(const QString& id)
{
    Impl& d = *m_impl;
    const int shown = d.results->findData(id);
    d.results->setCurrentIndex(shown);
    d.resultText->setText(shown >= 0 ? Impl::wordsFor(d.entries[static_cast<std::size_t>(shown)]) : QString());
}

void CheckPanel::setExportBlocked(const QString& why)
{
    m_impl->exportButton->setEnabled(why.isEmpty());
    common::showText(m_impl->why, why);
}

} // namespace voxelscribe::panels
