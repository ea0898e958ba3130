#include "widgets/panels/data_panel.h"
#include "find.h"
#include "widgets/panels/parts.h"

#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

using namespace voxelscribe;
using namespace voxelscribe::panels;
using namespace voxelscribe::test;

namespace {

void type(NumberBox* box, const char* text)
{
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QLatin1String(text));
    QTest::keyClick(box, Qt::Key_Return);
}

} // namespace

class TestDataPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void showsWhatWasOpened()
    {
        DataPanel panel;
        DataSummary data;
        data.fileName = QStringLiteral("sand.tif");
        data.format = QStringLiteral("BigTIFF");
        data.extent = {3, 517, 389};
        data.dtype = QStringLiteral("uint16");
        data.bytes = 3 * 517 * 389 * 2;
        data.warnings = {QStringLiteral("Slice 2 is missing.")};
        panel.setData(data);
        QCOMPARE(child<QLabel>(panel, "fileName")->text(), QStringLiteral("sand.tif"));
        QVERIFY(child<QLabel>(panel, "extent")->text().startsWith(QStringLiteral("3 × 517 × 389")));
        QVERIFY(child<QLabel>(panel, "samples")->text().startsWith(QStringLiteral("uint16, 1.2 MiB")));
        QStringList cards;
        for (const QFrame* frame : panel.findChildren<QFrame*>())
            cards << frame->accessibleName();
        QVERIFY(cards.contains(QStringLiteral("Slice 2 is missing.")));
    }

    void dataSetChoiceShowsFromTwoOn()
    {
        DataPanel panel;
        panel.setDatasets({{QStringLiteral("/a"), {}}}, QStringLiteral("/a"));
        auto* box = child<QComboBox>(panel, "dataset");
        QVERIFY(box->isHidden());
        QSignalSpy chosen(&panel, &DataPanel::datasetChosen);
        panel.setDatasets({{QStringLiteral("/a"), {}}, {QStringLiteral("/b"), QStringLiteral("float32")}}, QStringLiteral("/b"));
        QVERIFY(!box->isHidden());
        QCOMPARE(box->currentIndex(), 1);
        QCOMPARE(chosen.size(), 0);
        panel.show();
        QTest::keyClick(box, Qt::Key_Up);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toString(), QStringLiteral("/a"));
    }

    void unknownVoxelSizeIsAnswered()
    {
        DataPanel panel;
        QVERIFY(child<QLabel>(panel, "voxelNote")->text().contains(QStringLiteral("does not say")));
        QVERIFY(showActive(panel));
        QSignalSpy edited(&panel, &DataPanel::voxelSizeEdited);
        type(child<NumberBox>(panel, "voxel_x"), "0.65");
        QCOMPARE(edited.size(), 1);
        QCOMPARE(edited[0][0].value<VoxelSizeUm>(), (VoxelSizeUm{0.65, 0.65, 0.65}));
        type(child<NumberBox>(panel, "voxel_z"), "2");
        QCOMPARE(edited.size(), 2);
        QCOMPARE(edited[1][0].value<VoxelSizeUm>(), (VoxelSizeUm{2, 0.65, 0.65}));
        QCOMPARE(child<QLabel>(panel, "voxelNote")->text(), QStringLiteral("Set by you."));
    }
    void incompleteVoxelSizeIsNotTaken()
    {
        DataPanel panel;
        panel.setVoxelSizeUm(VoxelSizeUm{1, 2, 3}, false);
        QVERIFY(showActive(panel));
        QSignalSpy edited(&panel, &DataPanel::voxelSizeEdited);
        QSignalSpy cleared(&panel, &DataPanel::voxelSizeCleared);
        type(child<NumberBox>(panel, "voxel_y"), "0");
        QCOMPARE(edited.size() + cleared.size(), 0);
        QVERIFY(child<QLabel>(panel, "voxelNote")->text().contains(QStringLiteral("All three")));
        type(child<NumberBox>(panel, "voxel_z"), "0");
        type(child<NumberBox>(panel, "voxel_x"), "0");
        QCOMPARE(cleared.size(), 1);
    }
    void fileSizeIsShownAsSuch()
    {
        DataPanel panel;
        QSignalSpy edited(&panel, &DataPanel::voxelSizeEdited);
        panel.setVoxelSizeUm(VoxelSizeUm{1, 0.5, 0.5}, true);
        QCOMPARE(child<QLabel>(panel, "voxelNote")->text(), QStringLiteral("From the file."));
        QCOMPARE(child<NumberBox>(panel, "voxel_y")->text(), QStringLiteral("0.5"));
        QCOMPARE(edited.size(), 0);
    }
    void readOnlyLeavesTheContrast()
    {
        DataPanel panel;
        panel.setReadOnly(true);
        QVERIFY(!child<NumberBox>(panel, "voxel_z")->isEnabled());
        QVERIFY(child<NumberBox>(panel, "contrastLow")->isEnabled());
    }

    void contrastIsEdited()
    {
        DataPanel panel;
        panel.setContrastRange(0, 65535, true);
        QSignalSpy edited(&panel, &DataPanel::contrastEdited);
        panel.setContrast(100, 4000);
        QCOMPARE(edited.size(), 0);
        QVERIFY(showActive(panel));
        type(child<NumberBox>(panel, "contrastHigh"), "5000");
        QCOMPARE(edited.size(), 1);
        QCOMPARE(edited[0][0].toDouble(), 100.0);
        QCOMPARE(edited[0][1].toDouble(), 5000.0);
    }
    void crossedContrastIsNotTaken()
    {
        DataPanel panel;
        panel.setContrastRange(0, 255, true);
        panel.setContrast(100, 200);
        QVERIFY(showActive(panel));
        QSignalSpy edited(&panel, &DataPanel::contrastEdited);
        type(child<NumberBox>(panel, "contrastLow"), "200");
        QCOMPARE(edited.size(), 0);
    }
    void numbersHaveNoTrailingZeros()
    {
        NumberBox box;
        box.setRange(-1e12, 1e12);
        QCOMPARE(box.textFromValue(0.65), QStringLiteral("0.65"));
        QCOMPARE(box.textFromValue(44120), QStringLiteral("44120"));
        QCOMPARE(box.textFromValue(-1.5), QStringLiteral("-1.5"));
    }
};

QTEST_MAIN(TestDataPanel)
#include "tst_data_panel.moc"
