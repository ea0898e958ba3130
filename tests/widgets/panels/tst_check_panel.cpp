#include "widgets/panels/check_panel.h"
#include "find.h"
#include "widgets/panels/share_row.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

using namespace voxelscribe;
using namespace voxelscribe::panels;
using namespace voxelscribe::test;

namespace {

VolumeShares shares()
{
    VolumeShares made;
    made.classes = {{{1, "Grain", 0xe69f00}, 750, 0.9}, {{3, "Pore", 0x56b4e9}, 250, {}}};
    made.voxels = 1000;
    made.slicesDone = 10;
    made.slicesTotal = 10;
    made.voxelSizeUm = VoxelSizeUm{2, 0.5, 0.5};
    return made;
}

} // namespace

class TestCheckPanel : public QObject {
    Q_OBJECT
    static QString row(CheckPanel& panel, const char* name) { return child<ShareRow>(panel, name)->accessibleName(); }

private Q_SLOTS:
    void sharesVolumesAndVoxels()
    {
        CheckPanel panel;
        panel.setShares(shares());
        // 750 voxels of 2 · 0.5 · 0.5 µm³ are 375 µm³.
        QCOMPARE(row(panel, "share1"), QStringLiteral("Grain: 75.0 %, 375 µm³, 750 voxels, mean confidence 90.0 %"));
        QCOMPARE(row(panel, "share3"), QStringLiteral("Pore: 25.0 %, 125 µm³, 250 voxels"));
        QVERIFY(child<QLabel>(panel, "summary")->isHidden());
    }
    void barsShowClassColours()
    {
        CheckPanel panel;
        panel.setShares(shares());
        panel.resize(300, 400);
        panel.show();
        auto* bar = child<ShareRow>(panel, "share1");
        const QImage image = bar->grab().toImage();
        const int y = bar->fontMetrics().height() + 6;
        QCOMPARE(image.pixelColor(image.width() / 2, y), QColor(0xe69f00U));
        QVERIFY(image.pixelColor(image.width() * 9 / 10, y) != QColor(0xe69f00U));
    }
    void partAndUnknownVoxelSizeAreSaid()
    {
        CheckPanel panel;
        VolumeShares part = shares();
        part.slicesDone = 4;
        part.voxelSizeUm.reset();
        panel.setShares(part);
        const QString summary = child<QLabel>(panel, "summary")->text();
        QVERIFY(summary.contains(QStringLiteral("4 of 10 slices")));
        QVERIFY(summary.contains(QStringLiteral("voxel size")));
        QVERIFY(!row(panel, "share1").contains(QStringLiteral("µm³")));
    }
    void nothingDoneIsNoDivisionByZero()
    {
        CheckPanel panel;
        VolumeShares none = shares();
        none.voxels = 0;
        none.classes[0].voxels = 0;
        none.classes.pop_back();
        panel.setShares(none);
        QVERIFY(row(panel, "share1").contains(QStringLiteral("0.0 %")));
        panel.setShares(std::nullopt);
        QTRY_VERIFY(panel.findChildren<ShareRow*>().isEmpty());
    }

    void exportIsRefusedWithAReason()
    {
        CheckPanel panel;
        panel.show();
        QSignalSpy asked(&panel, &CheckPanel::exportRequested);
        auto* button = child<QPushButton>(panel, "export");
        click(button);
        QCOMPARE(asked.size(), 0);
        QVERIFY(child<QLabel>(panel, "exportWhy")->text().contains(QStringLiteral("run a model first")));
        panel.setExportBlocked({});
        click(button);
        QCOMPARE(asked.size(), 1);
        QVERIFY(child<QLabel>(panel, "exportWhy")->isHidden());
    }

    void resultsAreListedAndChosen()
    {
        CheckPanel panel;
        const QDateTime now = QDateTime::currentDateTime();
        QSignalSpy chosen(&panel, &CheckPanel::resultChosen);
        panel.setResults({{QStringLiteral("r2"), now, QStringLiteral("sand_2"), 132, 256, false},
                          {QStringLiteral("r1"), now.addDays(-1), QStringLiteral("sand_1"), 256, 256, true}},
                         QStringLiteral("r1"));
        panel.show();
        auto* box = child<QComboBox>(panel, "results");
        QCOMPARE(box->currentIndex(), 1);
        QVERIFY(box->itemText(0).contains(QStringLiteral("incomplete")));
        QCOMPARE(child<QLabel>(panel, "resultText")->text(), QStringLiteral("sand_1, all 256 slices"));
        panel.setShown(QStringLiteral("r2"));
        QCOMPARE(box->currentIndex(), 0);
        QCOMPARE(child<QLabel>(panel, "resultText")->text(), QStringLiteral("sand_2, 132 of 256 slices"));
        panel.setShown(QStringLiteral("preview"));
        QCOMPARE(box->currentIndex(), -1);
        QVERIFY(child<QLabel>(panel, "resultText")->text().isEmpty());
        panel.setShown(QStringLiteral("r1"));
        QCOMPARE(chosen.size(), 0);
        QTest::keyClick(box, Qt::Key_Up);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toString(), QStringLiteral("r2"));
        QCOMPARE(child<QLabel>(panel, "resultText")->text(), QStringLiteral("sand_2, 132 of 256 slices"));
        panel.setResults({}, {});
        QVERIFY(box->isHidden());
    }
};

QTEST_MAIN(TestCheckPanel)
#include "tst_check_panel.moc"
