#include "widgets/panels/train_panel.h"

#include "widgets/common/style.h"
#include "widgets/common/text.h"
#include "widgets/panels/parts.h"
#include "widgets/panels/train_texts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace voxelscribe::panels {

namespace {

constexpr std::array<double, 3> kBudgets = {60, 150, 600};
constexpr int kCustom = static_cast<int>(kBudgets.size());
constexpr double kSecondsPerMinute = 60;

} // namespace

struct TrainPanel::Impl {
    QLabel* material = nullptr;
    QLabel* missing = nullptr;
    QComboBox* network = nullptr;
    QLabel* networkNote = nullptr;
    QComboBox* budget = nullptr;
    NumberBox* minutes = nullptr;
    QCheckBox* goOn = nullptr;
    QPushButton* train = nullptr;
    QPushButton* load = nullptr;
    QWidget* choices = nullptr;
    QWidget* running = nullptr;
    QLabel* status = nullptr;
    QProgressBar* bar = nullptr;
    QPushButton* keepBest = nullptr;
    QPushButton* cancel = nullptr;
    LearningCurve* curve = nullptr;
    QLabel* result = nullptr;
    QLabel* note = nullptr;
    QLabel* cardHeading = nullptr;
    ModelCard* card = nullptr;
    QString materialMissing;
    QString blocked;
    bool isRunning = false;
    bool canKeepBest = false;
    bool hasModel = false;

    TrainChoice choice() const
    {
        const int index = budget->currentIndex();
        return {network->currentData().toString(),
                index == kCustom ? minutes->value() * kSecondsPerMinute : kBudgets[static_cast<std::size_t>(qMax(0, index))],
                goOn->isChecked() && hasModel};
    }

    void makeMaterial(TrainPanel& owner, QVBoxLayout* layout)
    {
        material = new QLabel(&owner);
        material->setObjectName(QStringLiteral("material"));
        material->setWordWrap(true);
        missing = common::makeNote({}, &owner);
        missing->setObjectName(QStringLiteral("missing"));
        common::setTone(missing, "warning");
        layout->addWidget(material);
        layout->addWidget(missing);
    }

    void makeChoices(TrainPanel& owner, QVBoxLayout* layout)
    {
        network = new QComboBox(&owner);
        network->setObjectName(QStringLiteral("network"));
        network->addItem(TrainPanel::tr("TUNet: the default"), QStringLiteral("tunet"));
        network->addItem(TrainPanel::tr("MSDNet: few parameters"), QStringLiteral("msdnet"));
        network->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        network->setMinimumContentsLength(10);
        common::describe(network, TrainPanel::tr("Network"), TrainPanel::tr("Which network learns"));
        networkNote = common::makeNote({}, &owner);
        budget = new QComboBox(&owner);
        budget->setObjectName(QStringLiteral("budget"));
        for (const double seconds : kBudgets)
            budget->addItem(common::formatDuration(seconds));
        budget->addItem(TrainPanel::tr("Other…"));
        common::describe(budget, TrainPanel::tr("Time"), TrainPanel::tr("How long the training may take; you can go on painting meanwhile"));
        minutes = new NumberBox(&owner);
        minutes->setObjectName(QStringLiteral("minutes"));
        minutes->setRange(0.1, 24 * 60);
        minutes->setSuffix(TrainPanel::tr(" min"));
        minutes->setValue(5);
        common::describe(minutes, TrainPanel::tr("Minutes"), TrainPanel::tr("Minutes of training"));
        auto* time = new QHBoxLayout;
        time->addWidget(budget, 1);
        time->addWidget(minutes);
        choices = new QWidget(&owner);
        auto* form = new QFormLayout(choices);
        form->setContentsMargins(0, 0, 0, 0);
        form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
        QLabel* networkLabel = common::makeNote(TrainPanel::tr("Network"), &owner);
        QLabel* timeLabel = common::makeNote(TrainPanel::tr("Time"), &owner);
        networkLabel->setBuddy(network); // on Linux a screen reader takes a box's name from there
        timeLabel->setBuddy(budget);
        form->addRow(networkLabel, network);
        form->addRow(networkNote);
        form->addRow(timeLabel, time);
        goOn = new QCheckBox(TrainPanel::tr("Go on from the present model"), &owner);
        goOn->setObjectName(QStringLiteral("continue"));
        common::describe(goOn, goOn->text(), TrainPanel::tr("Starts from what the model knows instead of from nothing"));
        form->addRow(goOn);
        layout->addWidget(choices);
    }

    void makeButtons(TrainPanel& owner, QVBoxLayout* layout)
    {
        train = makeButton({}, TrainPanel::tr("Train"), {}, &owner);
        train->setObjectName(QStringLiteral("train"));
        load = makeButton(QStringLiteral("load"), TrainPanel::tr("Load model…"), TrainPanel::tr("Use a model that was trained before"), &owner);
        load->setObjectName(QStringLiteral("loadModel"));
        auto* line = new QHBoxLayout;
        line->addWidget(train, 1);
        line->addWidget(load);
        layout->addLayout(line);
        for (QPushButton* button : {train, load})
            button->setFocusPolicy(Qt::TabFocus);
    }

    void makeRunning(TrainPanel& owner, QVBoxLayout* layout)
    {
        running = new QWidget(&owner);
        auto* inside = new QVBoxLayout(running);
        inside->setContentsMargins(0, 0, 0, 0);
        inside->setSpacing(6);
        status = new QLabel(running);
        status->setObjectName(QStringLiteral("status"));
        status->setWordWrap(true);
        bar = makeProgressBar(TrainPanel::tr("Training progress"), running);
        inside->addWidget(status);
        inside->addWidget(bar);
        keepBest = makeButton(QStringLiteral("check"), TrainPanel::tr("Keep the best now"), TrainPanel::tr("End now with the best weights so far"), running);
        keepBest->setObjectName(QStringLiteral("keepBest"));
        cancel = makeButton(QStringLiteral("stop"), TrainPanel::tr("Cancel"), {}, running);
        cancel->setObjectName(QStringLiteral("cancelTrain"));
        common::describe(cancel, TrainPanel::tr("Cancel training"), TrainPanel::tr("Stop; the model stays as it was"), QStringLiteral("Ctrl+."));
        auto* line = new QHBoxLayout;
        line->addWidget(keepBest, 1);
        line->addWidget(cancel);
        line->addStretch(0);
        inside->addLayout(line);
        layout->addWidget(running);
        curve = new LearningCurve(&owner);
        layout->addWidget(curve);
        result = new QLabel(&owner);
        result->setObjectName(QStringLiteral("result"));
        result->setWordWrap(true);
        result->setTextInteractionFlags(Qt::TextSelectableByMouse);
        note = common::makeNote({}, &owner);
        note->setObjectName(QStringLiteral("note"));
        layout->addWidget(result);
        layout->addWidget(note);
    }

    void showAll()
    {
        const QString why = !blocked.isEmpty() ? blocked : materialMissing;
        common::showText(missing, why);
        train->setEnabled(why.isEmpty() && !isRunning);
        common::describe(train, TrainPanel::tr("Train"), why.isEmpty() ? TrainPanel::tr("Learn from your strokes") : why, QStringLiteral("Ctrl+T"));
        running->setVisible(isRunning);
        keepBest->setVisible(canKeepBest);
        load->setEnabled(!isRunning);
        // While it runs there is nothing to choose, and the curve needs the room.
        choices->setVisible(!isRunning);
        minutes->setVisible(budget->currentIndex() == kCustom);
        goOn->setVisible(hasModel);
        networkNote->setText(networkWords(network->currentData().toString()));
    }

    void end(const QString& text, const char* tone, const QString& noteText)
    {
        isRunning = false;
        const bool hadFocus = cancel->hasFocus() || keepBest->hasFocus();
        common::showText(result, common::sentence(text));
        common::setTone(result, tone);
        common::showText(note, common::sentence(noteText));
        curve->setVisible(!curve->points().empty());
        showAll();
        if (hadFocus) // the buttons hide, and else Qt would hand the focus to some tool
            train->setFocus();
    }
};

TrainPanel::TrainPanel(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("trainPanel"));
    setAccessibleName(tr("Train panel"));
    Impl& d = *m_impl;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    d.makeMaterial(*this, layout);
    d.makeChoices(*this, layout);
    d.makeButtons(*this, layout);
    d.makeRunning(*this, layout);
    d.cardHeading = common::makeHeading(tr("Model in use"), this);
    d.card = new ModelCard(this);
    layout->addWidget(d.cardHeading);
    layout->addWidget(d.card);
    layout->addStretch(1);

    const auto choiceMade = [this] {
        m_impl->showAll();
        Q_EMIT choiceChanged(choice());
    };
    connect(d.network, &QComboBox::activated, this, choiceMade);
    connect(d.budget, &QComboBox::activated, this, choiceMade);
    connect(d.minutes, &NumberBox::valueChanged, this, choiceMade);
    connect(d.goOn, &QCheckBox::clicked, this, choiceMade);
    connect(d.train, &QPushButton::clicked, this, [this] { Q_EMIT trainRequested(choice()); });
    connect(d.load, &QPushButton::clicked, this, &TrainPanel::loadModelRequested);
    connect(d.cancel, &QPushButton::clicked, this, &TrainPanel::cancelRequested);
    connect(d.keepBest, &QPushButton::clicked, this, &TrainPanel::keepBestRequested);
    setChoice({QStringLiteral("tunet"), 150, false});
    setModel(std::nullopt);
    setMaterial({}, 0);
    d.end({}, "muted", {});
}

TrainPanel::~TrainPanel() = default;

QAbstractButton* TrainPanel::primaryButton() const
{
    return m_impl->train;
}

void TrainPanel::setMaterial(const std::vector<LabelledClass>& classes, std::int64_t slices)
{
    m_impl->material->setText(materialText(classes, slices));
    m_impl->materialMissing = missingText(classes);
    m_impl->showAll();
}

void TrainPanel::setBlocked(const QString& why)
{
    m_impl->blocked = why;
    m_impl->showAll();
}

void TrainPanel::setChoice(const TrainChoice& choice)
{
    Impl& d = *m_impl;
    const QSignalBlocker quiet(d.minutes);
    d.network->setCurrentIndex(qMax(0, d.network->findData(choice.network)));
    const auto known = std::find(kBudgets.begin(), kBudgets.end(), choice.seconds);
    d.budget->setCurrentIndex(static_cast<int>(known - kBudgets.begin()));
    if (known == kBudgets.end())
        d.minutes->setValue(choice.seconds / kSecondsPerMinute);
    d.goOn->setChecked(choice.continueFromModel);
    d.showAll();
}

TrainChoice TrainPanel::choice() const
{
    return m_impl->choice();
}

void TrainPanel::setModel(const std::optional<ModelInfo>& model)
{
    Impl& d = *m_impl;
    d.hasModel = model.has_value();
    if (model)
        d.card->setModel(*model);
    d.card->setVisible(d.hasModel);
    d.cardHeading->setVisible(d.hasModel);
    d.showAll();
}

void TrainPanel::setStarted()
{
    Impl& d = *m_impl;
    d.isRunning = true;
    d.curve->clear();
    d.curve->show();
    d.result->hide();
    d.note->hide();
    d.cancel->setEnabled(true);
    setProgress({tr("Starting"), 0, 0, std::nullopt});
    d.showAll();
}

void TrainPanel::setProgress(const common::JobProgress& progress)
{
    m_impl->status->setText(progress.text());
    showPermille(m_impl->bar, progress.permille());
}

void TrainPanel::addEpoch(const EpochPoint& point)
{
    m_impl->curve->add(point);
}

void TrainPanel::setFinished(const QString& figures, const QString& note)
{
    m_impl->end(figures, "success", note);
}

void TrainPanel::setFailed(const QString& message)
{
    m_impl->end(message, "error", {});
}

void TrainPanel::setCancelled()
{
    m_impl->end(tr("Cancelled. The model is as it was before."), "muted", {});
}

bool TrainPanel::isRunning() const
{
    return m_impl->isRunning;
}

void TrainPanel::setCanKeepBest(bool can)
{
    m_impl->canKeepBest = can;
    m_impl->showAll();
}

} // namespace voxelscribe::panels
