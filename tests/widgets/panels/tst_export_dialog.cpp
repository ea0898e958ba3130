#include "widgets/panels/export_dialog.h"
#include "widgets/panels/export_rules.h"
#include "find.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <memory>

using namespace voxelscribe;
using namespace voxelscribe::panels;
using namespace voxelscribe::test;

namespace {

TargetState freeTarget()
{
    TargetState state;
    state.folderExists = true;
    state.folderWritable = true;
    state.freeBytes = std::int64_t(1) << 40;
    return state;
}

ExportSubject subject(const QString& folder)
{
    ExportSubject made;
    made.extent = {3, 517, 389};
    made.voxelSizeUm = VoxelSizeUm{2, 0.5, 0.5};
    made.classes = {{1, "Grain", 0xe69f00}, {3, "Pore", 0x56b4e9}};
    made.folder = folder;
    made.baseName = QStringLiteral("masks");
    return made;
}

std::unique_ptr<ExportDialog> makeDialog(const TargetState& state)
{
    auto dialog = std::make_unique<ExportDialog>(subject(QStringLiteral("/data")), nullptr, [state](const QString&) { return state; });
    dialog->setAttribute(Qt::WA_DeleteOnClose, false);
    dialog->show();
    return dialog;
}

QPushButton* accept(ExportDialog& dialog)
{
    return child<QPushButton>(dialog, "accept");
}

void chooseFormat(ExportDialog& dialog, io::OutputFormat format)
{
    auto* box = child<QComboBox>(dialog, "format");
    box->setCurrentIndex(box->findData(static_cast<int>(format)));
}

void touch(const QString& path)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
}

} // namespace

class TestExportDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void showsWhatWillBeWritten()
    {
        auto dialog = makeDialog(freeTarget());
        QTRY_VERIFY(accept(*dialog)->isEnabled());
        QVERIFY(child<QLabel>(*dialog, "shape")->text().contains(QStringLiteral("3×517×389")));
        QVERIFY(child<QLabel>(*dialog, "shape")->text().contains(QStringLiteral("uint8")));
        QVERIFY(child<QLabel>(*dialog, "voxelSize")->text().contains(QStringLiteral("2 × 0.5 × 0.5 µm")));
        QVERIFY(child<QLabel>(*dialog, "size")->text().contains(QStringLiteral("589.2 KiB")));
        QVERIFY(child<QLabel>(*dialog, "size")->text().contains(QStringLiteral("1.0 TiB free")));
        QCOMPARE(dialog->neededBytes(), std::int64_t(3) * 517 * 389);
    }
    void exportAsksAndCloses()
    {
        auto dialog = makeDialog(freeTarget());
        QSignalSpy asked(dialog.get(), &ExportDialog::exportRequested);
        QTRY_VERIFY(accept(*dialog)->isEnabled());
        click(accept(*dialog));
        QCOMPARE(asked.size(), 1);
        const auto request = asked[0][0].value<ExportRequest>();
        QCOMPARE(request.path, QStringLiteral("/data/masks.tif"));
        QCOMPARE(request.format, io::OutputFormat::tiff);
        QCOMPARE(request.values, ExportValues::ids);
        QVERIFY(!request.overwrite);
        QVERIFY(!dialog->isVisible());
    }

    void formatChangesTheName_data()
    {
        QTest::addColumn<int>("format");
        QTest::addColumn<QString>("path");
        QTest::newRow("one TIFF") << int(io::OutputFormat::tiff) << "/data/masks.tif";
        QTest::newRow("a folder of TIFFs") << int(io::OutputFormat::tiffSeries) << "/data/masks/";
        QTest::newRow("HDF5") << int(io::OutputFormat::hdf5) << "/data/masks.h5";
        QTest::newRow("Zarr") << int(io::OutputFormat::zarr) << "/data/masks.zarr";
    }
    void formatChangesTheName()
    {
        QFETCH(int, format);
        auto dialog = makeDialog(freeTarget());
        chooseFormat(*dialog, io::OutputFormat::hdf5);
        chooseFormat(*dialog, static_cast<io::OutputFormat>(format));
        QTEST(dialog->request().path, "path");
    }
    void colourTableIsOffered_data()
    {
        QTest::addColumn<int>("format");
        QTest::addColumn<int>("dtype");
        QTest::addColumn<bool>("offered");
        QTest::newRow("8-bit TIFF") << int(io::OutputFormat::tiff) << int(DType::uint8) << true;
        QTest::newRow("not 16-bit TIFF") << int(io::OutputFormat::tiff) << int(DType::uint16) << false;
        QTest::newRow("not HDF5") << int(io::OutputFormat::hdf5) << int(DType::uint8) << false;
    }
    void colourTableIsOffered()
    {
        QFETCH(int, format);
        QFETCH(int, dtype);
        const auto values = possibleValues(static_cast<io::OutputFormat>(format), static_cast<DType>(dtype));
        QTEST(std::find(values.begin(), values.end(), ExportValues::colourTable) != values.end(), "offered");
    }
    void chosenValuesSurviveAFormatThatHasThem()
    {
        auto dialog = makeDialog(freeTarget());
        auto* values = child<QComboBox>(*dialog, "values");
        values->setCurrentIndex(values->findData(int(ExportValues::perClass)));
        QCOMPARE(dialog->neededBytes(), std::int64_t(2) * 3 * 517 * 389);
        chooseFormat(*dialog, io::OutputFormat::zarr);
        QCOMPARE(dialog->request().values, ExportValues::perClass);
        chooseFormat(*dialog, io::OutputFormat::tiff);
        values->setCurrentIndex(values->findData(int(ExportValues::colourTable)));
        chooseFormat(*dialog, io::OutputFormat::hdf5);
        QCOMPARE(dialog->request().values, ExportValues::ids);
    }
    void hugeStacksDoNotOverflow()
    {
        ExportSubject huge = subject(QStringLiteral("/data"));
        huge.extent = {std::int64_t(1) << 21, std::int64_t(1) << 21, std::int64_t(1) << 21};
        huge.dtype = DType::uint16;
        QCOMPARE(exportedBytes(huge, ExportValues::ids), std::numeric_limits<std::int64_t>::max());
        huge.extent = {70000, 3000, 2999};
        QCOMPARE(exportedBytes(huge, ExportValues::ids), std::int64_t(70000) * 3000 * 2999 * 2);
    }

    void existingFileNeedsATick()
    {
        TargetState state = freeTarget();
        state.exists = true;
        auto dialog = makeDialog(state);
        QTRY_VERIFY(dialog->refusal().contains(QStringLiteral("exists already")));
        QVERIFY(!accept(*dialog)->isEnabled());
        auto* tick = child<QCheckBox>(*dialog, "overwrite");
        QVERIFY(tick->isVisible());
        QTest::keyClick(tick, Qt::Key_Space);
        QVERIFY(accept(*dialog)->isEnabled());
        QVERIFY(dialog->request().overwrite);
        // Another name needs its own tick.
        child<QLineEdit>(*dialog, "path")->setText(QStringLiteral("/data/other.tif"));
        QVERIFY(!dialog->request().overwrite);
        QTRY_VERIFY(dialog->refusal().contains(QStringLiteral("exists already")));
    }
    void refusals_data()
    {
        QTest::addColumn<TargetState>("state");
        QTest::addColumn<QString>("says");
        TargetState state = freeTarget();
        state.freeBytes = 1000;
        QTest::newRow("a full disk") << state << "1000 B are free";
        state = freeTarget();
        state.folderExists = false;
        QTest::newRow("a missing folder") << state << "no folder /data";
        state = freeTarget();
        state.folderWritable = false;
        QTest::newRow("an unwritable folder") << state << "may not be written to";
        state = freeTarget();
        state.exists = state.isFolder = true;
        QTest::newRow("a folder of that name") << state << "is a folder";
    }
    void refusals()
    {
        QFETCH(TargetState, state);
        QFETCH(QString, says);
        auto dialog = makeDialog(state);
        QSignalSpy asked(dialog.get(), &ExportDialog::exportRequested);
        QTRY_VERIFY2(child<QLabel>(*dialog, "why")->text().contains(says), qPrintable(dialog->refusal()));
        QVERIFY(!accept(*dialog)->isEnabled());
        click(accept(*dialog));
        QCOMPARE(asked.size(), 0);
    }
    void emptyNameIsRefused()
    {
        auto dialog = makeDialog(freeTarget());
        auto* path = child<QLineEdit>(*dialog, "path");
        path->setText(QStringLiteral("  "));
        QCOMPARE(dialog->refusal(), QStringLiteral("Give a file name."));
    }
    void folderWithOtherFilesIsNeverReplaced()
    {
        TargetState state = freeTarget();
        state.exists = state.isFolder = state.holdsOtherFiles = true;
        auto dialog = makeDialog(state);
        chooseFormat(*dialog, io::OutputFormat::tiffSeries);
        QTRY_VERIFY(dialog->refusal().contains(QStringLiteral("holds other files")));
        QVERIFY(!child<QCheckBox>(*dialog, "overwrite")->isVisible());
    }
    void slowFolderBlocksNothing()
    {
        QSemaphore answer;
        QPointer<ExportDialog> dialog = new ExportDialog(subject(QStringLiteral("/data")), nullptr, [&answer](const QString&) {
            answer.acquire();
            return freeTarget();
        });
        dialog->show();
        QVERIFY(dialog->refusal().contains(QStringLiteral("Looking")));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(dialog.isNull());
        // The late answer finds nobody and does no harm.
        answer.release();
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
    }

    void typedPathsAreCompleted_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("path");
        QTest::newRow("bare name") << "out" << "/data/out.tif";
        QTest::newRow("suffix is there") << "/x/out.TIFF" << "/x/out.TIFF";
        QTest::newRow("umlauts and spaces") << "/x/Über mich/a b.tif" << "/x/Über mich/a b.tif";
        QTest::newRow("dots in the name") << "/x/scan.v2" << "/x/scan.v2.tif";
        QTest::newRow("up and down") << "../y/./out.tif" << "/y/out.tif";
        QTest::newRow("nothing") << " " << "";
    }
    void typedPathsAreCompleted()
    {
        QFETCH(QString, typed);
        QTEST(completedPath(typed, io::OutputFormat::tiff, QStringLiteral("/data")), "path");
    }

    void probeSeesTheDisk()
    {
        QTemporaryDir dir;
        const TargetState fresh = probeTarget(dir.filePath(QStringLiteral("new.tif")));
        QVERIFY(!fresh.exists && fresh.folderExists && fresh.folderWritable);
        QVERIFY(fresh.freeBytes > 0);
        const QString file = dir.filePath(QStringLiteral("old.tif"));
        touch(file);
        QVERIFY(probeTarget(file).exists);
        QVERIFY(!probeTarget(file).isFolder);
        QVERIFY(!probeTarget(dir.filePath(QStringLiteral("none/deep.tif"))).folderExists);
    }
    void probeTellsASeriesFromOtherFolders()
    {
        QTemporaryDir dir;
        QVERIFY(QDir(dir.path()).mkdir(QStringLiteral("series")));
        touch(dir.filePath(QStringLiteral("series/a_0001.tif")));
        QVERIFY(!probeTarget(dir.filePath(QStringLiteral("series/"))).holdsOtherFiles);
        touch(dir.filePath(QStringLiteral("series/thesis.odt")));
        QVERIFY(probeTarget(dir.filePath(QStringLiteral("series/"))).holdsOtherFiles);
    }
    void ownImageIsNeverWrittenOver()
    {
        QTemporaryDir dir;
        const QString image = dir.filePath(QStringLiteral("image.tif"));
        touch(image);
        QVERIFY(QFile::link(image, dir.filePath(QStringLiteral("link.tif"))));
        QVERIFY(touchesProtected(image, {image}));
        QVERIFY(touchesProtected(dir.filePath(QStringLiteral("link.tif")), {image}));
        QVERIFY(touchesProtected(dir.path() + QLatin1Char('/'), {image}));
        QVERIFY(!touchesProtected(dir.filePath(QStringLiteral("image.tif.h5")), {image}));
        ExportSubject own = subject(dir.path());
        own.baseName = QStringLiteral("image.tif");
        own.protectedPaths = {image};
        ExportDialog dialog(own);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        QTRY_VERIFY(dialog.refusal().contains(QStringLiteral("your image")));
        QVERIFY(!child<QCheckBox>(dialog, "overwrite")->isVisible());
    }
};

QTEST_MAIN(TestExportDialog)
#include "tst_export_dialog.moc"
