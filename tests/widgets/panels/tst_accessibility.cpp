#include "widgets/common/theme.h"
#include "widgets/panels/check_panel.h"
#include "widgets/panels/class_panel.h"
#include "widgets/panels/data_panel.h"
#include "widgets/panels/export_dialog.h"
#include "find.h"
#include "widgets/panels/job_strip.h"
#include "widgets/panels/paint_tool_bar.h"
#include "widgets/panels/run_panel.h"
#include "widgets/panels/start_screen.h"
#include "widgets/panels/step_panel.h"
#include "widgets/panels/train_panel.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollBar>
#include <QSet>
#include <functional>

using namespace voxelscribe;
using namespace voxelscribe::panels;
using namespace voxelscribe::test;

namespace {

using Make = std::function<QWidget*()>;

bool isInside(const QWidget* widget, const char* type)
{
    for (const QWidget* up = widget->parentWidget(); up != nullptr; up = up->parentWidget())
        if (up->inherits(type))
            return true;
    return false;
}

/// What a person can operate: not the parts that Qt's own widgets are made of.
QList<QWidget*> controlsOf(QWidget& root)
{
    QList<QWidget*> controls;
    for (QWidget* widget : root.findChildren<QWidget*>()) {
        const bool operated = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QAbstractSlider*>(widget) ||
                              qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QComboBox*>(widget) || qobject_cast<QLineEdit*>(widget);
        const bool part = qobject_cast<QScrollBar*>(widget) || isInside(widget, "QAbstractSpinBox") || isInside(widget, "QComboBox");
        if (operated && !part)
            controls << widget;
    }
    return controls;
}

QWidget* makeTrain()
{
    auto* panel = new TrainPanel;
    panel->setMaterial({{ClassInfo{1, "a", 1}, 5}, {ClassInfo{2, "b", 2}, 5}}, 1);
    return panel;
}

QWidget* makeRun()
{
    auto* panel = new RunPanel;
    panel->setSliceCount(9);
    panel->setModel(QStringLiteral("sand"));
    panel->setResumable(ResumableRun{1, 9, {}});
    return panel;
}

QWidget* makeClasses()
{
    auto* panel = new ClassPanel;
    panel->setClasses({{1, "Grain", 0xe69f00}, {2, "Pore", 0x56b4e9}});
    return panel;
}

QWidget* makeJobs()
{
    auto* strip = new JobStrip;
    JobEntry failed;
    failed.id = 1;
    failed.title = QStringLiteral("Train");
    failed.state = JobState::failed;
    failed.details = QStringLiteral("last words");
    strip->setJob(failed);
    return strip;
}

QWidget* makeCheck()
{
    auto* panel = new CheckPanel;
    panel->setExportBlocked({});
    panel->setResults({{QStringLiteral("r"), QDateTime::currentDateTime(), QStringLiteral("m"), 1, 1, true}}, QStringLiteral("r"));
    return panel;
}

QWidget* makeSteps()
{
    auto* steps = new StepPanel;
    steps->setStepContent(Step::data, new DataPanel);
    return steps;
}

QWidget* makeExport()
{
    ExportSubject subject;
    subject.extent = {3, 4, 5};
    subject.folder = QStringLiteral("/tmp");
    subject.baseName = QStringLiteral("masks");
    auto* dialog = new ExportDialog(subject);
    dialog->setAttribute(Qt::WA_DeleteOnClose, false);
    return dialog;
}

QWidget* makeStart()
{
    auto* start = new StartScreen;
    start->setRecentProjects({{QStringLiteral("/p"), QStringLiteral("p"), QStringLiteral("i"), QDateTime::currentDateTime(), false}});
    return start;
}

} // namespace


class TestAccessibility : public QObject {
    Q_OBJECT

    void panels()
    {
        QTest::addColumn<Make>("make");
        QTest::newRow("start screen") << Make(makeStart);
        QTest::newRow("steps with data") << Make(makeSteps);
        QTest::newRow("classes") << Make(makeClasses);
        QTest::newRow("tool bar") << Make([] { return new PaintToolBar; });
        QTest::newRow("train") << Make(makeTrain);
        QTest::newRow("run") << Make(makeRun);
        QTest::newRow("check") << Make(makeCheck);
        QTest::newRow("export") << Make(makeExport);
        QTest::newRow("jobs") << Make(makeJobs);
    }

private Q_SLOTS:
    void everyControlHasANameAndATip_data() { panels(); }
    void everyControlHasANameAndATip()
    {
        QFETCH(Make, make);
        const std::unique_ptr<QWidget> widget(make());
        const QList<QWidget*> controls = controlsOf(*widget);
        QVERIFY(!controls.isEmpty());
        for (const QWidget* control : controls) {
            const QByteArray who = control->metaObject()->className() + QByteArray(" ") + control->objectName().toUtf8();
            QVERIFY2(!control->accessibleName().isEmpty(), who);
            QVERIFY2(!control->toolTip().isEmpty(), who);
        }
    }

    void tabReachesEveryControl_data() { panels(); }
    void tabReachesEveryControl()
    {
        QFETCH(Make, make);
        const std::unique_ptr<QWidget> widget(make());
        widget->resize(400, 700);
        QVERIFY(showActive(*widget));
        QSet<const QWidget*> reached;
        // Twice round is more than enough to meet every one.
        const qsizetype steps = 2 * widget->findChildren<QWidget*>().size();
        for (qsizetype i = 0; i < steps; ++i) {
            QTest::keyClick(widget.get(), Qt::Key_Tab);
            reached << QApplication::focusWidget();
        }
        for (const QWidget* control : controlsOf(*widget)) {
            if (!control->isVisible() || !control->isEnabled())
                continue;
            const auto* button = qobject_cast<const QAbstractButton*>(control);
            // Of an exclusive group Tab meets the checked one, the arrow keys the others.
            if (button != nullptr && button->group() != nullptr && !button->isChecked())
                continue;
            QVERIFY2(reached.contains(control), qPrintable(control->objectName() + QLatin1Char(' ') + control->accessibleName()));
        }
    }

    void narrowColumnCutsNothingOff_data() { panels(); }
    void narrowColumnCutsNothingOff()
    {
        QFETCH(Make, make);
        common::Theme theme(*qApp);
        const std::unique_ptr<QWidget> widget(make());
        const QString row = QString::fromLatin1(QTest::currentDataTag());
        const bool inColumn = row != QLatin1String("start screen") && row != QLatin1String("tool bar") &&
                              row != QLatin1String("export") && row != QLatin1String("jobs");
        constexpr int kColumn = 300; // a 330-pixel column less margins and scroll bar
        if (inColumn)
            QVERIFY2(widget->minimumSizeHint().width() <= kColumn, qPrintable(QString::number(widget->minimumSizeHint().width())));
        qApp->setStyleSheet({});
    }
};

QTEST_MAIN(TestAccessibility)
#include "tst_accessibility.moc"
