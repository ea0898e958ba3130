#include "widgets/common/hint_bar.h"
#include "widgets/common/message_bar.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtTest/QtTest>

using namespace voxelscribe::common;

namespace {

Notice notice(const char* key, const char* text)
{
    Notice made;
    made.severity = Severity::warning;
    made.key = QLatin1String(key);
    made.text = QLatin1String(text);
    return made;
}

/// The buttons of shown notices whose accessible name is `name`.
template <typename Button>
Button* shownButton(QWidget& bar, const QString& name)
{
    for (Button* button : bar.findChildren<Button*>())
        if (button->accessibleName() == name && !button->parentWidget()->isHidden())
            return button;
    return nullptr;
}

} // namespace

class TestMessages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void takesNoRoomWhileEmpty()
    {
        MessageBar bar;
        QVERIFY(bar.isHidden());
        bar.post(notice("a", "The image is not where it was."));
        QVERIFY(bar.isVisible());
        bar.clear(QStringLiteral("a"));
        QVERIFY(bar.isHidden());
    }
    void sameKeyReplaces()
    {
        MessageBar bar;
        bar.post(notice("a", "first"));
        bar.post(notice("a", "second"));
        bar.post(notice("b", "other"));
        QCOMPARE(bar.count(), 2);
        bar.clearAll();
        QCOMPARE(bar.count(), 0);
    }
    void withoutAKeyTheTextIsTheKey()
    {
        MessageBar bar;
        bar.post(notice("", "Slice 12 cannot be read"));
        bar.post(notice("", "Slice 12 cannot be read"));
        QCOMPARE(bar.count(), 1);
        QVERIFY(bar.has(QStringLiteral("Slice 12 cannot be read")));
    }
    void unknownKeyChangesNothing()
    {
        MessageBar bar;
        bar.post(notice("a", "text"));
        bar.clear(QStringLiteral("b"));
        QCOMPARE(bar.count(), 1);
    }
    void dismissTells()
    {
        MessageBar bar;
        QSignalSpy dismissed(&bar, &MessageBar::dismissed);
        bar.post(notice("a", "text"));
        QTest::mouseClick(shownButton<QToolButton>(bar, QStringLiteral("Dismiss")), Qt::LeftButton);
        QCOMPARE(dismissed.size(), 1);
        QCOMPARE(dismissed.first().first().toString(), QStringLiteral("a"));
        QCOMPARE(bar.count(), 0);
    }
    void actionRunsOnceTheNoticeIsGone()
    {
        MessageBar bar;
        int left = -1;
        Notice made = notice("a", "The engine ended.");
        made.actionText = QStringLiteral("Start it again");
        made.action = [&] { left = bar.count(); };
        bar.post(made);
        QTest::mouseClick(shownButton<QPushButton>(bar, QStringLiteral("Start it again")), Qt::LeftButton);
        QCOMPARE(left, 0);
    }
    void actionMayPostTheSameNoticeAgain()
    {
        MessageBar bar;
        Notice made = notice("a", "Still missing.");
        made.actionText = QStringLiteral("Try again");
        made.action = [&] { bar.post(notice("a", "Still missing.")); };
        bar.post(made);
        QTest::mouseClick(shownButton<QPushButton>(bar, QStringLiteral("Try again")), Qt::LeftButton);
        QCOMPARE(bar.count(), 1);
    }
    void detailsShowOnDemand()
    {
        MessageBar bar;
        Notice made = notice("a", "The engine ended.");
        made.details = QStringLiteral("last words");
        bar.post(made);
        auto* details = bar.findChild<QPlainTextEdit*>();
        QVERIFY(details->isHidden());
        QTest::mouseClick(shownButton<QPushButton>(bar, QStringLiteral("Details")), Qt::LeftButton);
        QVERIFY(details->isVisible());
        QCOMPARE(details->toPlainText(), QStringLiteral("last words"));
    }
    void isAsHighAsItsTextNeeds()
    {
        QWidget window;
        auto* bar = new MessageBar;
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(bar);
        layout->addStretch(1);
        window.resize(1200, 400);
        window.show();
        bar->post(notice("a", "cannot open /data/labelled/sandstone_9x512x512.tif: No such file or directory; check the path"));
        QTRY_VERIFY(bar->height() > 0 && bar->height() < 4 * bar->fontMetrics().height());
        const int wide = bar->height();
        window.resize(300, 400);
        QTRY_VERIFY(bar->height() > wide);
    }
    void textIsNeverTakenForMarkup()
    {
        MessageBar bar;
        bar.post(notice("a", "<b>file</b>.tif is no TIFF"));
        auto* label = bar.findChild<QLabel*>(QStringLiteral("noticeText"));
        QCOMPARE(label->textFormat(), Qt::PlainText);
        QCOMPARE(label->text(), QStringLiteral("<b>file</b>.tif is no TIFF"));
    }

    void hintsThatDoNotFitAreLeftOutWhole()
    {
        HintBar bar;
        bar.setHints({{QStringLiteral("Drag"), QStringLiteral("paint")}, {QStringLiteral("Wheel"), QStringLiteral("slice")}});
        bar.resize(900, 30);
        bar.show();
        auto* label = bar.findChildren<QLabel*>().first();
        QVERIFY(label->accessibleDescription().contains(QStringLiteral("Wheel: slice")));
        bar.resize(140, 30);
        QTRY_COMPARE(label->accessibleDescription(), QStringLiteral("Drag: paint"));
    }
    void readoutIsShownAsGiven()
    {
        HintBar bar;
        bar.setReadout(QStringLiteral("z 12  y 5  x 7   1,024"));
        QCOMPARE(bar.readout(), QStringLiteral("z 12  y 5  x 7   1,024"));
        bar.setReadout({});
        QVERIFY(bar.readout().isEmpty());
    }
};

QTEST_MAIN(TestMessages)
#include "tst_message_bar.moc"
