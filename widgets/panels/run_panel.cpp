#include "widgets/panels/run_panel.h"

#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/text.h"
#include "widgets/panels/parts.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

namespace voxelscribe::panels {

struct RunPanel::Impl {
    QLabel* model = nullptr;
    QPushButton* all = nullptr;
    QPushButton* preview = nullptr;
    QPushButton* range = nullptr;
    QSpinBox* from = nullptr;
    QSpinBox* to = nullptr;               // the last slice, as people count, included
    QFrame* resumeCard = nullptr;
    QLabel* resumeText = nullptr;
    QPushButton* resume = nullptr;
    QWidget* running = nullptr;
    QLabel* status = nullptr;
    QLabel* speed = nullptr;
    QProgressBar* bar = nullptr;
    QPushButton* cancel = nullptr;
    QLabel* result = nullptr;
    QLabel* note = nullptr;
    std::int64_t slices = 0;
    std::int64_t current = 0;
    QString modelName;
    QString why;
    bool isRunning = false;
    bool resumable = false;

    void makeResume(RunPanel& owner, QVBoxLayout* layout)
    {
        resumeCard = new QFrame(&owner);
        common::setCard(resumeCard, "info");
        auto* inside = new QVBoxLayout(resumeCard);
        inside->setContentsMargins(10, 8, 10, 8);
        resumeText = new QLabel(resumeCard);
        resumeText->setObjectName(QStringLiteral("resumeText"));
        resumeText->setWordWrap(true);
        resume = makeButton(QStringLiteral("resume"), RunPanel::tr("Resume"), RunPanel::tr("Go on where the run stopped; finished slices are kept"), resumeCard);
        resume->setObjectName(QStringLiteral("resume"));
        resume->setIcon(common::icon(QStringLiteral("resume"), QPalette::HighlightedText));
        common::setPrimary(resume, true);
        inside->addWidget(resumeText);
        inside->addWidget(resume);
        layout->addWidget(resumeCard);
    }

    void makeRange(RunPanel& owner, QVBoxLayout* layout)
    {
        preview = makeButton(QStringLiteral("preview"), RunPanel::tr("Preview this slice"), {}, &owner);
        preview->setObjectName(QStringLiteral("preview"));
        layout->addWidget(preview);
        from = new QSpinBox(&owner);
        to = new QSpinBox(&owner);
        from->setObjectName(QStringLiteral("runFrom"));
        to->setObjectName(QStringLiteral("runTo"));
        common::describe(from, RunPanel::tr("First slice"), RunPanel::tr("First slice to run"));
        common::describe(to, RunPanel::tr("Last slice"), RunPanel::tr("Last slice to run, included"));
        range = makeButton({}, RunPanel::tr("Run slices"), {}, &owner);
        range->setObjectName(QStringLiteral("runRange"));
        auto* line = new QHBoxLayout;
        line->setSpacing(6);
        line->addWidget(range, 1);
        line->addWidget(from);
        line->addWidget(common::makeNote(QStringLiteral("–"), &owner));
        line->addWidget(to);
        layout->addLayout(line);
    }

    void makeRunning(RunPanel& owner, QVBoxLayout* layout)
    {
        running = new QWidget(&owner);
        auto* inside = new QVBoxLayout(running);
        inside->setContentsMargins(0, 4, 0, 0);
        inside->setSpacing(6);
        status = new QLabel(running);
        status->setObjectName(QStringLiteral("status"));
        status->setWordWrap(true);
        bar = makeProgressBar(RunPanel::tr("Run progress"), running);
        speed = common::makeNote({}, running);
        speed->setObjectName(QStringLiteral("speed"));
        cancel = makeButton(QStringLiteral("stop"), RunPanel::tr("Cancel"), {}, running);
        cancel->setObjectName(QStringLiteral("cancelRun"));
        common::describe(cancel, RunPanel::tr("Cancel the run"), RunPanel::tr("Stop; finished slices are kept and the run can be resumed"), QStringLiteral("Ctrl+."));
        inside->addWidget(status);
        inside->addWidget(bar);
        auto* line = new QHBoxLayout;
        line->addWidget(speed, 1);
        line->addWidget(cancel);
        inside->addLayout(line);
        layout->addWidget(running);
    }

    void showAll()
    {
        const bool ready = !modelName.isEmpty() && slices > 0 && !isRunning;
        model->setText(modelName.isEmpty() ? why : RunPanel::tr("Model: %1").arg(modelName));
        common::setTone(model, modelName.isEmpty() ? "warning" : "muted");
        model->setVisible(!model->text().isEmpty());
        all->setText(slices == 1 ? RunPanel::tr("Run the slice") : RunPanel::tr("Run all %1 slices").arg(common::formatCount(slices)));
        const QString hint = modelName.isEmpty() && !why.isEmpty() ? why : RunPanel::tr("Segment the whole stack in the background");
        common::describe(all, all->text(), hint, QStringLiteral("Ctrl+R"));
        common::describe(preview, RunPanel::tr("Preview this slice"), RunPanel::tr("Segment slice %1 now, ahead of everything else").arg(current));
        common::describe(range, RunPanel::tr("Run slices %1 to %2").arg(from->value()).arg(to->value()),
                         RunPanel::tr("Segment slices %1 to %2").arg(from->value()).arg(to->value()));
        // A preview passes a running job, so it stays possible.
        preview->setEnabled(!modelName.isEmpty() && slices > 0);
        for (QWidget* widget : std::initializer_list<QWidget*>{all, range, from, to})
            widget->setEnabled(ready);
        resumeCard->setVisible(resumable && !isRunning);
        common::yieldPrimary(all, resumable && !isRunning);
        running->setVisible(isRunning);
    }

    void end(const QString& text, const char* tone)
    {
        isRunning = false;
        const bool hadFocus = cancel->hasFocus();
        common::showText(result, common::sentence(text));
        common::setTone(result, tone);
        showAll();
        if (hadFocus) // the button hides, and else Qt would hand the focus to some tool
            all->setFocus();
    }
};

RunPanel::RunPanel(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("runPanel"));
    setAccessibleName(tr("Run panel"));
    Impl& d = *m_impl;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    d.model = common::makeNote({}, this);
    d.model->setObjectName(QStringLiteral("runModel"));
    layout->addWidget(d.model);
    d.makeResume(*this, layout);
    d.all = makeButton({}, {}, {}, this);
    d.all->setObjectName(QStringLiteral("runAll"));
    layout->addWidget(d.all);
    d.makeRange(*this, layout);
    d.makeRunning(*this, layout);
    d.result = new QLabel(this);
    d.result->setObjectName(QStringLiteral("result"));
    d.result->setWordWrap(true);
    d.result->setTextInteractionFlags(Qt::TextSelectableByMouse);
    d.note = common::makeNote({}, this);
    d.note->setObjectName(QStringLiteral("resultNote"));
    layout->addWidget(d.result);
    layout->addWidget(d.note);
    layout->addStretch(1);
    for (QPushButton* button : {d.all, d.preview, d.range, d.resume, d.cancel})
        button->setFocusPolicy(Qt::TabFocus);

    connect(d.preview, &QPushButton::clicked, this, &RunPanel::previewRequested);
    connect(d.all, &QPushButton::clicked, this, [this] { Q_EMIT runRequested(0, m_impl->slices); });
    connect(d.range, &QPushButton::clicked, this, [this] { Q_EMIT runRequested(m_impl->from->value(), m_impl->to->value() + 1); });
    connect(d.resume, &QPushButton::clicked, this, &RunPanel::resumeRequested);
    connect(d.cancel, &QPushButton::clicked, this, &RunPanel::cancelRequested);
    connect(d.from, &QSpinBox::valueChanged, this, [this](int value) {
        m_impl->to->setMinimum(value);
        m_impl->showAll();
    });
    connect(d.to, &QSpinBox::valueChanged, this, [this] { m_impl->showAll(); });
    setSliceCount(0);
    setModel({}, tr("Train a model or load one first (step 3)."));
    setResultNote({});
    d.end({}, "muted");
}

RunPanel::~RunPanel() = default;

QAbstractButton* RunPanel::primaryButton() const
{
    return m_impl->all;
}

void RunPanel::setSliceCount(std::int64_t count)
{
    Impl& d = *m_impl;
    if (count == d.slices)
        return;
    d.slices = count;
    // A stack of more slices than an int holds cannot exist as files; the boxes are clamped all the same.
    const int last = static_cast<int>(std::clamp<std::int64_t>(count - 1, 0, std::numeric_limits<int>::max() - 1));
    const QSignalBlocker quietFrom(d.from);
    const QSignalBlocker quietTo(d.to);
    d.from->setRange(0, last);
    d.to->setRange(0, last);
    d.from->setValue(0);
    d.to->setValue(last);
    d.showAll();
}

void RunPanel::setCurrentSlice(std::int64_t slice)
{
    m_impl->current = slice;
    m_impl->showAll();
}

void RunPanel::setModel(const QString& name, const QString& why)
{
    m_impl->modelName = name;
    m_impl->why = why;
    m_impl->showAll();
}

void RunPanel::setResumable(const std::optional<ResumableRun>& run)
{
    Impl& d = *m_impl;
    d.resumable = run.has_value();
    if (run) {
        const QString done = tr("%1 of %2 are done.")
                                 .arg(common::formatCount(run->slicesDone),
                                      common::formatCounted(run->slicesTotal, tr("slice"), tr("slices")));
        d.resumeText->setText(run->reason.isEmpty() ? tr("A run was interrupted: %1").arg(done) : QStringLiteral("%1 %2").arg(run->reason, done));
        d.resume->setText(tr("Resume"));
        common::describe(d.resume, tr("Resume: %1").arg(done), tr("Go on where the run stopped; finished slices are kept"));
    }
    d.showAll();
}

void RunPanel::setResultNote(const QString& note)
{
    common::showText(m_impl->note, note);
}

void RunPanel::setStarted()
{
    m_impl->isRunning = true;
    m_impl->result->hide();
    setProgress({tr("Starting"), 0, 0, std::nullopt});
    m_impl->showAll();
}

void RunPanel::setProgress(const common::JobProgress& progress, double voxelsPerSecond)
{
    m_impl->status->setText(progress.text());
    showPermille(m_impl->bar, progress.permille());
    constexpr double kMega = 1e6;
    m_impl->speed->setText(voxelsPerSecond > 0 ? tr("%1 million voxels/s").arg(common::formatNumber(voxelsPerSecond / kMega)) : QString());
}

void RunPanel::setFinished(const QString& summary)
{
    m_impl->end(summary, "success");
}

void RunPanel::setFailed(const QString& message)
{
    m_impl->end(message, "error");
}

void RunPanel::setCancelled()
{
    m_impl->end(tr("Cancelled. The finished slices are kept."), "muted");
}

bool RunPanel::isRunning() const
{
    return m_impl->isRunning;
}

} // namespace voxelscribe::panels
