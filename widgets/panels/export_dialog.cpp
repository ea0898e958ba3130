#include "widgets/panels/export_dialog.h"

#include "core/base/bytes.h"
#include "widgets/common/style.h"
#include "widgets/common/text.h"
#include "widgets/panels/export_rules.h"
#include "widgets/panels/parts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QFuture>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPromise>
#include <QPushButton>
#include <QThreadPool>
#include <QTimer>
#include <QVBoxLayout>

namespace voxelscribe::panels {

namespace {

QString textOf(ExportValues values)
{
    switch (values) {
    case ExportValues::ids: return ExportDialog::tr("Class ids");
    case ExportValues::colourTable: return ExportDialog::tr("Class ids with a colour table");
    case ExportValues::perClass: return ExportDialog::tr("One file a class (0 and 255)");
    case ExportValues::scale255: break;
    }
    return ExportDialog::tr("Spread over 0 to 255");
}

struct Probed {
    TargetState state;
    bool touchesProtected = false;
};

} // namespace

struct ExportDialog::Impl {
    ExportSubject subject;
    Probe probe;
    QComboBox* format = nullptr;
    QComboBox* values = nullptr;
    QLineEdit* path = nullptr;
    QLabel* shape = nullptr;
    QLabel* size = nullptr;
    QCheckBox* overwrite = nullptr;
    QLabel* why = nullptr;
    QPushButton* accept = nullptr;
    QTimer* delay = nullptr;
    std::optional<Probed> probed;   // of the present path
    int generation = 0;             // tells a late answer about an older path

    io::OutputFormat chosenFormat() const { return static_cast<io::OutputFormat>(format->currentData().toInt()); }
    ExportValues chosenValues() const { return static_cast<ExportValues>(values->currentData().toInt()); }
    QString target() const { return completedPath(path->text(), chosenFormat(), subject.folder); }

    void makeFields(ExportDialog& owner, QVBoxLayout* layout)
    {
        auto* form = new QFormLayout;
        form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
        form->setHorizontalSpacing(16);
        format = new QComboBox(&owner);
        format->setObjectName(QStringLiteral("format"));
        const std::pair<io::OutputFormat, QString> formats[] = {{io::OutputFormat::tiff, ExportDialog::tr("TIFF, one file")},
                                                                {io::OutputFormat::tiffSeries, ExportDialog::tr("TIFF series, one file a slice")},
                                                                {io::OutputFormat::hdf5, ExportDialog::tr("HDF5 (NeXus)")},
                                                                {io::OutputFormat::zarr, ExportDialog::tr("OME-Zarr")}};
        for (const auto& [id, name] : formats)
            format->addItem(name, static_cast<int>(id));
        common::describe(format, ExportDialog::tr("Format"), ExportDialog::tr("File format of the masks"));
        path = new QLineEdit(&owner);
        path->setObjectName(QStringLiteral("path"));
        path->setMinimumWidth(320);
        common::describe(path, ExportDialog::tr("File"), ExportDialog::tr("Where the masks are written"));
        QPushButton* choose = makeButton({}, ExportDialog::tr("Choose…"), ExportDialog::tr("Choose folder and name"), &owner);
        choose->setObjectName(QStringLiteral("choose"));
        QObject::connect(choose, &QPushButton::clicked, &owner, [this, &owner] { choosePath(owner); });
        auto* line = new QHBoxLayout;
        line->setSpacing(8);
        line->addWidget(path, 1);
        line->addWidget(choose);
        values = new QComboBox(&owner);
        values->setObjectName(QStringLiteral("values"));
        common::describe(values, ExportDialog::tr("Values"), ExportDialog::tr("What the numbers in the file mean"));
        shape = new QLabel(&owner);
        shape->setObjectName(QStringLiteral("shape"));
        size = new QLabel(&owner);
        size->setObjectName(QStringLiteral("size"));
        auto* voxel = new QLabel(common::formatVoxelSize(subject.voxelSizeUm) + (subject.voxelSizeUm ? ExportDialog::tr(" (z, y, x)") : QString()), &owner);
        voxel->setObjectName(QStringLiteral("voxelSize"));
        QLabel* formatLabel = common::makeNote(ExportDialog::tr("Format"), &owner);
        QLabel* valuesLabel = common::makeNote(ExportDialog::tr("Values"), &owner);
        formatLabel->setBuddy(format); // on Linux a screen reader takes a box's name from there
        valuesLabel->setBuddy(values);
        form->addRow(formatLabel, format);
        form->addRow(common::makeNote(ExportDialog::tr("File"), &owner), line);
        form->addRow(valuesLabel, values);
        form->addRow(common::makeNote(ExportDialog::tr("Content"), &owner), shape);
        form->addRow(common::makeNote(ExportDialog::tr("Voxel size"), &owner), voxel);
        form->addRow(common::makeNote(ExportDialog::tr("Size"), &owner), size);
        layout->addLayout(form);
    }

    void makeEnd(ExportDialog& owner, QVBoxLayout* layout)
    {
        if (!subject.warning.isEmpty())
            layout->addWidget(makeCard("warning", subject.warning, &owner));
        overwrite = new QCheckBox(ExportDialog::tr("Replace what is there"), &owner);
        overwrite->setObjectName(QStringLiteral("overwrite"));
        common::describe(overwrite, overwrite->text(), ExportDialog::tr("Without this tick an existing file is never touched"));
        layout->addWidget(overwrite);
        why = common::makeNote({}, &owner);
        why->setObjectName(QStringLiteral("why"));
        common::setTone(why, "warning");
        layout->addWidget(why);
        layout->addStretch(1);
        accept = makeButton({}, ExportDialog::tr("Export"), {}, &owner);
        accept->setObjectName(QStringLiteral("accept"));
        common::setPrimary(accept, true);
        accept->setDefault(true);
        QPushButton* cancel = makeButton({}, ExportDialog::tr("Cancel"), ExportDialog::tr("Close without writing (Escape)"), &owner);
        auto* buttons = new QHBoxLayout;
        buttons->addStretch(1);
        buttons->addWidget(cancel);
        buttons->addWidget(accept);
        layout->addLayout(buttons);
        QObject::connect(cancel, &QPushButton::clicked, &owner, &QDialog::reject);
    }

    void showValues()
    {
        const ExportValues before = values->count() > 0 ? chosenValues() : ExportValues::ids;
        values->clear();
        for (const ExportValues one : possibleValues(chosenFormat(), subject.dtype))
            values->addItem(textOf(one), static_cast<int>(one));
        values->setCurrentIndex(qMax(0, values->findData(static_cast<int>(before))));
    }

    /// Asks on a worker: a network share may take its time to answer.
    void ask(ExportDialog& owner)
    {
        const int asked = generation;
        auto promise = std::make_shared<QPromise<Probed>>();
        QFuture<Probed> future = promise->future();
        QThreadPool::globalInstance()->start([promise, probe = probe, path = target(), kept = subject.protectedPaths] {
            promise->start();
            promise->addResult(Probed{probe(path), touchesProtected(path, kept)});
            promise->finish();
        });
        future.then(&owner, [this, &owner, asked](const Probed& answer) {
            if (asked != generation)
                return;
            probed = answer;
            show(owner);
        });
    }

    void pathChanged(ExportDialog& owner)
    {
        ++generation;
        probed.reset();
        overwrite->setChecked(false);
        delay->start();
        show(owner);
    }

    void show(ExportDialog& owner)
    {
        const bool perClass = chosenValues() == ExportValues::perClass;
        const QString files = perClass ? ExportDialog::tr("%1 files of ").arg(subject.classes.size()) : QString();
        shape->setText(ExportDialog::tr("%1%2 (z, y, x), %3")
                           .arg(files, toText(subject.extent.text()),
                                QString::fromLatin1(dtypeName(exportedDType(chosenValues(), subject.dtype)).data())));
        QString bytes = ExportDialog::tr("%1 at the most").arg(toText(byteSizeText(owner.neededBytes())));
        if (probed && probed->state.folderExists)
            bytes += ExportDialog::tr(", %1 free").arg(toText(byteSizeText(probed->state.freeBytes)));
        size->setText(bytes);
        const bool replaceable = probed && probed->state.exists && !hardRefusal().has_value();
        overwrite->setVisible(replaceable);
        const QString refusal = owner.refusal();
        common::showText(why, refusal);
        accept->setEnabled(refusal.isEmpty());
        common::describe(accept, ExportDialog::tr("Export"), refusal.isEmpty() ? ExportDialog::tr("Write the masks in the background") : refusal);
    }

    /// A reason that no tick removes.
    std::optional<QString> hardRefusal() const
    {
        if (path->text().trimmed().isEmpty())
            return ExportDialog::tr("Give a file name.");
        if (!probed)
            return ExportDialog::tr("Looking at the folder…");
        return refusalOf(target(), chosenFormat(), probed->state, probed->touchesProtected);
    }

    void choosePath(ExportDialog& owner)
    {
        auto* dialog = new QFileDialog(&owner, ExportDialog::tr("Export to"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        dialog->setFileMode(QFileDialog::AnyFile);
        // Whether to replace is asked here, with the tick, and not twice.
        dialog->setOption(QFileDialog::DontConfirmOverwrite);
        const QFileInfo now(QDir::cleanPath(target()));
        dialog->setDirectory(now.absolutePath());
        dialog->selectFile(now.fileName());
        QObject::connect(dialog, &QFileDialog::fileSelected, &owner, [this](const QString& chosen) { path->setText(chosen); });
        dialog->open();
    }
};

ExportDialog::ExportDialog(ExportSubject subject, QWidget* parent, Probe probe)
    : QDialog(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export masks"));
    setAccessibleName(windowTitle());
    setAttribute(Qt::WA_DeleteOnClose);
    Impl& d = *m_impl;
    d.subject = std::move(subject);
    d.probe = std::move(probe);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    d.makeFields(*this, layout);
    d.makeEnd(*this, layout);
    d.delay = new QTimer(this);
    d.delay->setSingleShot(true);
    d.delay->setInterval(120);
    d.path->setText(completedPath(d.subject.baseName, d.chosenFormat(), d.subject.folder));
    d.showValues();

    connect(d.delay, &QTimer::timeout, this, [this] { m_impl->ask(*this); });
    connect(d.path, &QLineEdit::textChanged, this, [this] { m_impl->pathChanged(*this); });
    connect(d.format, &QComboBox::currentIndexChanged, this, [this] {
        m_impl->showValues();
        m_impl->path->setText(withFormatSuffix(m_impl->path->text(), m_impl->chosenFormat()));
        m_impl->pathChanged(*this);
    });
    connect(d.values, &QComboBox::currentIndexChanged, this, [this] { m_impl->show(*this); });
    connect(d.overwrite, &QCheckBox::toggled, this, [this] { m_impl->show(*this); });
    connect(d.accept, &QPushButton::clicked, this, [this] {
        Q_EMIT exportRequested(request());
        QDialog::accept();
    });
    d.pathChanged(*this);
}

ExportDialog::~ExportDialog() = default;

ExportRequest ExportDialog::request() const
{
    const Impl& d = *m_impl;
    return {d.chosenFormat(), d.target(), d.chosenValues(), d.overwrite->isChecked()};
}

QString ExportDialog::refusal() const
{
    const Impl& d = *m_impl;
    if (const std::optional<QString> hard = d.hardRefusal())
        return *hard;
    if (d.probed->state.exists && !d.overwrite->isChecked())
        return tr("%1 exists already. Choose another name, or tick “%2”.").arg(QFileInfo(QDir::cleanPath(d.target())).fileName(), d.overwrite->text());
    const std::int64_t needed = neededBytes();
    if (needed > d.probed->state.freeBytes)
        return tr("It may need %1, and %2 are free there. Choose another disk or make room.")
            .arg(toText(byteSizeText(needed)), toText(byteSizeText(d.probed->state.freeBytes)));
    return {};
}

std::int64_t ExportDialog::neededBytes() const
{
    const Impl& d = *m_impl;
    return exportedBytes(d.subject, d.chosenValues());
}

} // namespace voxelscribe::panels
