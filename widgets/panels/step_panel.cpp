#include "widgets/panels/step_panel.h"

#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/theme.h"
#include "widgets/panels/parts.h"
#include "widgets/panels/step_header.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <array>

namespace voxelscribe::panels {

namespace {

constexpr std::array<const char*, kStepCount> kTitles = {QT_TRANSLATE_NOOP("StepPanel", "Data"), QT_TRANSLATE_NOOP("StepPanel", "Annotate"),
                                                         QT_TRANSLATE_NOOP("StepPanel", "Train"), QT_TRANSLATE_NOOP("StepPanel", "Run"),
                                                         QT_TRANSLATE_NOOP("StepPanel", "Check and export")};

std::size_t indexOf(Step step)
{
    return static_cast<std::size_t>(step);
}

/// Scrolls up and down only, and is as wide as its content needs.
class StepScroll : public QScrollArea {
public:
    explicit StepScroll(QWidget* parent) : QScrollArea(parent)
    {
        setWidgetResizable(true);
        setFocusPolicy(Qt::NoFocus);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        viewport()->setAutoFillBackground(false);
    }
};

} // namespace

struct StepPanel::Impl {
    struct Part {
        StepHeader* header = nullptr;
        QWidget* body = nullptr;
        StepScroll* scroll = nullptr;
        QLabel* why = nullptr;
        QPushButton* next = nullptr;          // null in the last step
        QAbstractButton* ownPrimary = nullptr;
    };
    std::array<Part, kStepCount> parts;
    Step current = Step::data;

    void makePart(StepPanel& owner, Step step, QVBoxLayout* layout)
    {
        const std::size_t i = indexOf(step);
        Part& part = parts[i];
        part.header = new StepHeader(static_cast<int>(i) + 1, tr(kTitles[i]), &owner);
        part.header->setObjectName(QStringLiteral("step%1").arg(i + 1));
        layout->addWidget(part.header);
        part.body = new QWidget(&owner);
        auto* inside = new QVBoxLayout(part.body);
        inside->setContentsMargins(12, 2, 12, 12);
        inside->setSpacing(8);
        part.scroll = new StepScroll(part.body);
        inside->addWidget(part.scroll, 1);
        layout->addWidget(part.body, 1);
        if (i + 1 < kTitles.size())
            makeNext(owner, step, inside);
    }

    void makeNext(StepPanel& owner, Step step, QVBoxLayout* inside)
    {
        Part& part = parts[indexOf(step)];
        const auto following = static_cast<Step>(indexOf(step) + 1);
        const QString title = tr(kTitles[indexOf(following)]);
        part.why = common::makeNote({}, part.body);
        part.why->hide();
        part.next = makeButton({}, StepPanel::tr("Next: %1").arg(title), StepPanel::tr("Go on to step %1, %2").arg(indexOf(following) + 1).arg(title), part.body);
        part.next->setObjectName(QStringLiteral("next%1").arg(indexOf(step) + 1));
        part.next->setFocusPolicy(Qt::TabFocus);
        inside->addWidget(part.why);
        inside->addWidget(part.next);
        QObject::connect(part.next, &QPushButton::clicked, &owner, [this, &owner, following] {
            owner.setCurrentStep(following);
            Q_EMIT owner.stepChosen(following);
        });
    }

    static QString tr(const char* text) { return QCoreApplication::translate("StepPanel", text); }

    /// One primary button a step.
    void showPrimary(Part& part) const
    {
        const bool ownFirst = part.ownPrimary != nullptr && (part.next == nullptr || part.header->state() != StepState::done);
        if (part.ownPrimary != nullptr)
            common::setPrimary(part.ownPrimary, ownFirst);
        if (part.next != nullptr) {
            common::setPrimary(part.next, !ownFirst);
            part.next->setIcon(common::icon(QStringLiteral("next"), ownFirst ? QPalette::ButtonText : QPalette::HighlightedText));
        }
    }
};

StepPanel::StepPanel(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("stepPanel"));
    setAccessibleName(tr("Steps"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 6, 0, 6);
    layout->setSpacing(0);
    for (int i = 0; i < kStepCount; ++i) {
        const auto step = static_cast<Step>(i);
        m_impl->makePart(*this, step, layout);
        connect(m_impl->parts[indexOf(step)].header, &QAbstractButton::clicked, this, [this, step] {
            if (step == m_impl->current)
                return;
            setCurrentStep(step);
            Q_EMIT stepChosen(step);
        });
        m_impl->showPrimary(m_impl->parts[indexOf(step)]);
    }
    setCurrentStep(Step::data);
}

StepPanel::~StepPanel() = default;

void StepPanel::setStepContent(Step step, QWidget* content, QAbstractButton* ownPrimary)
{
    Impl::Part& part = m_impl->parts[indexOf(step)];
    part.scroll->setWidget(content);
    content->setAutoFillBackground(false);
    part.ownPrimary = ownPrimary;
    m_impl->showPrimary(part);
}

void StepPanel::setCurrentStep(Step step)
{
    m_impl->current = step;
    for (std::size_t i = 0; i < m_impl->parts.size(); ++i) {
        m_impl->parts[i].body->setVisible(i == indexOf(step));
        m_impl->parts[i].header->setOpen(i == indexOf(step));
    }
}

Step StepPanel::currentStep() const
{
    return m_impl->current;
}

void StepPanel::setStepState(Step step, StepState state, const QString& summary)
{
    Impl::Part& part = m_impl->parts[indexOf(step)];
    part.header->setState(state, summary);
    m_impl->showPrimary(part);
}

StepState StepPanel::stepState(Step step) const
{
    return m_impl->parts[indexOf(step)].header->state();
}

void StepPanel::setNextBlocked(Step step, const QString& why)
{
    Impl::Part& part = m_impl->parts[indexOf(step)];
    if (part.next == nullptr)
        return;
    part.next->setEnabled(why.isEmpty());
    common::showText(part.why, why);
}

void StepPanel::keyPressEvent(QKeyEvent* event)
{
    const int direction = event->key() == Qt::Key_Down ? 1 : (event->key() == Qt::Key_Up ? -1 : 0);
    for (int i = 0; direction != 0 && i < kStepCount; ++i) {
        if (!m_impl->parts[static_cast<std::size_t>(i)].header->hasFocus())
            continue;
        const int target = qBound(0, i + direction, kStepCount - 1);
        m_impl->parts[static_cast<std::size_t>(target)].header->setFocus();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace voxelscribe::panels
