#include "find.h"
#include "widgets/panels/recent_row.h"
#include "widgets/panels/start_screen.h"

#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>

using namespace voxelscribe::panels;
using namespace voxelscribe::test;

namespace {

QPushButton* button(StartScreen& screen, const QString& name)
{
    for (QPushButton* one : screen.findChildren<QPushButton*>())
        if (one->accessibleName() == name)
            return one;
    qFatal("no button %s", qPrintable(name));
}

RecentProject project(const char* path)
{
    RecentProject made;
    made.path = QLatin1String(path);
    made.name = QLatin1String(path).mid(1);
    made.image = QStringLiteral("scan.tif");
    made.when = QDateTime::currentDateTime();
    return made;
}

void drop(QWidget& target, const QMimeData& data)
{
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &enter);
    QDropEvent event(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &event);
}

} // namespace

class TestStartScreen : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void buttonsAsk()
    {
        StartScreen screen;
        QSignalSpy file(&screen, &StartScreen::openFileDialogRequested);
        QSignalSpy folder(&screen, &StartScreen::openFolderDialogRequested);
        QSignalSpy sample(&screen, &StartScreen::sampleRequested);
        screen.show();
        click(button(screen, QStringLiteral("Open file…")));
        click(button(screen, QStringLiteral("Open folder…")));
        QTest::keyClick(button(screen, QStringLiteral("Try the sample")), Qt::Key_Space);
        QCOMPARE(file.size(), 1);
        QCOMPARE(folder.size(), 1);
        QCOMPARE(sample.size(), 1);
    }
    void recentProjectOpensByMouseAndKey()
    {
        StartScreen screen;
        screen.setRecentProjects({project("/one"), project("/two")});
        QSignalSpy opened(&screen, &StartScreen::projectRequested);
        screen.resize(900, 700);
        screen.show();
        const auto rows = screen.findChildren<RecentRow*>();
        QCOMPARE(rows.size(), 2);
        click(rows[1]);
        QTest::keyClick(rows[0], Qt::Key_Space);
        QCOMPARE(opened.size(), 2);
        QCOMPARE(opened[0][0].toString(), QStringLiteral("/two"));
        QCOMPARE(opened[1][0].toString(), QStringLiteral("/one"));
    }
    void missingProjectSaysSo()
    {
        RecentProject gone = project("/gone");
        gone.missing = true;
        RecentRow row(gone);
        QVERIFY(row.accessibleDescription().contains(QStringLiteral("missing")));
        QVERIFY(row.toolTip().contains(QStringLiteral("/gone")));
    }
    void dropOpensAnyPath()
    {
        StartScreen screen;
        screen.resize(900, 700);
        QSignalSpy opened(&screen, &StartScreen::openRequested);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QStringLiteral("/daten/Über mich/stack 1.tif"))});
        drop(screen, data);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].toString(), QStringLiteral("/daten/Über mich/stack 1.tif"));
    }
    void textAndWebLinksAreNotTaken()
    {
        StartScreen screen;
        QSignalSpy opened(&screen, &StartScreen::openRequested);
        QMimeData text;
        text.setText(QStringLiteral("/some/path.tif"));
        drop(screen, text);
        QMimeData link;
        link.setUrls({QUrl(QStringLiteral("https://example.org/a.tif"))});
        drop(screen, link);
        QCOMPARE(opened.size(), 0);
    }
    void busyTakesNoSecondRequest()
    {
        StartScreen screen;
        screen.setRecentProjects({project("/one")});
        screen.setBusy(QStringLiteral("Making the sample…"));
        screen.resize(900, 700);
        screen.show();
        QSignalSpy opened(&screen, &StartScreen::openRequested);
        QSignalSpy recent(&screen, &StartScreen::projectRequested);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QStringLiteral("/a.tif"))});
        drop(screen, data);
        click(screen.findChild<RecentRow*>());
        QCOMPARE(opened.size() + recent.size(), 0);
        QVERIFY(!button(screen, QStringLiteral("Open file…"))->isEnabled());
        QCOMPARE(child<QLabel>(screen, "busyText")->text(), QStringLiteral("Making the sample…"));
        screen.setBusy({});
        QVERIFY(button(screen, QStringLiteral("Open file…"))->isEnabled());
    }
    void whenIsSaidAsPeopleDo()
    {
        const QDateTime now(QDate(2026, 12, 1), QTime(3, 12));
        QCOMPARE(whenText(now, now), QStringLiteral("today 03:12"));
        QCOMPARE(whenText(now.addSecs(-4 * 3600), now), QStringLiteral("yesterday 23:12"));
        QCOMPARE(whenText(now.addDays(-19), now), QStringLiteral("12 Nov 2026"));
        QVERIFY(whenText(QDateTime(), now).isEmpty());
    }
};

QTEST_MAIN(TestStartScreen)
#include "tst_start_screen.moc"
