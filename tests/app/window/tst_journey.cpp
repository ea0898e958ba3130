// The whole job, as a person does it: the real window, the real engine, real mouse and key events.
#include "app/window/main_window.h"
#include "core/io/open.h"
#include "core/project/project_list.h"
#include "hand.h"
#include "home.h"
#include "pictures.h"
#include "support/run_program.h"
#include "truth.h"
#include "widgets/common/theme.h"
#include "widgets/panels/export_dialog.h"
#include "widgets/panels/learning_curve.h"
#include "widgets/panels/run_panel.h"
#include "widgets/panels/train_panel.h"
#include "widgets/scene3d/scene_view.h"
#include "widgets/slice/slice_view.h"

#include <QAbstractButton>
#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStandardPaths>

#include <algorithm>
#include <map>
#include <memory>

using namespace voxelscribe;
using namespace voxelscribe::test;

namespace {

const QStringList kClasses{"pore", "grain", "second mineral", "crack"};
constexpr int kClassCount = 4;
constexpr std::int64_t kPainted[] = {32, 42}; // slices
constexpr std::int64_t kUnpainted = 22;       // where the run begins: every colour there is the mask's

QString textOf(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

} // namespace

class TestJourney : public QObject {
    Q_OBJECT

public:
    explicit TestJourney(const Home& home) : m_home(home) {}

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void opensTheSample();
    void paintsStrokesOfEachClass();
    void takesAStrokeBackAndPutsItBack();
    void trainsForASetTime();
    void showsMasksBeforeTheRunIsOver();
    void showsClassColoursIn3d();
    void exportsTiffAndHdf5();
    void otherProgramsReadTheSame();
    void runsASavedModelOnAnotherStack();
    void cleanupTestCase();

private:
    QString sample() const;
    std::filesystem::path project() const { return project::autosavePathFor(sample().toStdString()); }
    QString annotations() const { return textOf(project() / "annotations.zarr"); }
    /// The newest run of a project, or nothing.
    static QString runIn(const std::filesystem::path& project);
    static QString modelIn(const std::filesystem::path& project);
    void paint(std::int64_t slice, std::uint16_t classId);
    /// What the class list says is painted, class by class.
    std::vector<std::int64_t> shownCounts() const;
    std::vector<std::int64_t> countsOnDisk() const;
    void exportAs(int format, const QString& path);

    const Home& m_home;
    std::unique_ptr<common::Theme> m_theme;
    std::unique_ptr<window::MainWindow> m_window;
    std::unique_ptr<Hand> m_hand;
    VolumePtr m_truth;
    bool m_failed = false; // later steps need the earlier ones
    std::map<int, std::int64_t> m_coloursBefore;
};

QString TestJourney::sample() const
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/voxelscribe/samples/sample.tif";
}

QString TestJourney::runIn(const std::filesystem::path& project)
{
    const QDir results(textOf(project / "results"));
    const QStringList runs = results.entryList({"run-*.zarr"}, QDir::Dirs, QDir::Name);
    return runs.isEmpty() ? QString() : results.filePath(runs.last());
}

QString TestJourney::modelIn(const std::filesystem::path& project)
{
    const QDir models(textOf(project / "models"));
    const QStringList names = models.entryList({"*.safetensors"}, QDir::Files, QDir::Name);
    return names.isEmpty() ? QString() : models.filePath(names.last());
}

void TestJourney::initTestCase()
{
    QVERIFY(m_home.isValid());
    // The sample's truth: the same command, which also writes the labels.
    const Finished made = runEngine({"phantom", m_home.file("again.tif"), "--shape", "64,384,384", "--labels", m_home.file("truth.tif")});
    QVERIFY2(made.exitCode == 0, qPrintable(made.err));
    m_truth = io::open(io::Source::parse(m_home.file("truth.tif").toStdString()));
    m_theme = std::make_unique<common::Theme>(*qApp);
    m_theme->setScheme(common::ColourScheme::light);
    m_window = std::make_unique<window::MainWindow>(*m_theme, QStringLiteral(VOXELSCRIBE_ENGINE));
    m_hand = std::make_unique<Hand>(*m_window);
    m_window->show();
    QVERIFY(m_hand->takeUp());
}

void TestJourney::init()
{
    if (m_failed)
        QSKIP("an earlier step of the journey failed");
}

void TestJourney::cleanup()
{
    m_failed = m_failed || QTest::currentTestFailed();
}

void TestJourney::opensTheSample()
{
    QVERIFY(m_hand->click("Try the sample"));
    QVERIFY(m_hand->waitFor("Slice view"));
    auto& view = m_hand->part<slice::SliceView>();
    QTRY_VERIFY_WITH_TIMEOUT(view.isComplete(), kPatience);
    QCOMPARE(view.sliceCount(), 64);
    QCOMPARE(view.slice(), 32);
    QVERIFY(m_window->windowTitle().startsWith("sample.tif"));
    QVERIFY2(m_hand->namesWith("Error: ").isEmpty(), qPrintable(m_hand->messages()));
    QCOMPARE(idsOf(sample()), idsOf(m_home.file("again.tif")));
    for (const QString& name : kClasses)
        QVERIFY2(m_hand->find("Paint " + name), qPrintable(name));
}

void TestJourney::paint(std::int64_t slice, std::uint16_t classId)
{
    constexpr int kMargin = 3; // brush of 4 pixels across
    const auto strokes = strokesInside(*m_truth, slice, classId, kMargin, 30, 6);
    QVERIFY2(strokes.size() >= 2, "the sample has too little of a class");
    QVERIFY(m_hand->goToSlice(slice));
    m_hand->key(static_cast<Qt::Key>(Qt::Key_0 + classId));
    const auto* button = m_hand->find<QAbstractButton>("Paint " + kClasses[classId - 1]);
    QVERIFY(button != nullptr && button->isChecked());
    auto& view = m_hand->part<slice::SliceView>();
    for (const Segment& stroke : strokes) {
        const PlanePoint middle{(stroke.from.u + stroke.to.u) / 2, (stroke.from.v + stroke.to.v) / 2};
        m_hand->drag({view.widgetPosition(stroke.from).toPoint(), view.widgetPosition(middle).toPoint(), view.widgetPosition(stroke.to).toPoint()});
    }
}

std::vector<std::int64_t> TestJourney::shownCounts() const
{
    std::vector<std::int64_t> counts;
    for (QString name : m_hand->namesWith("labelled voxel"))
        counts.push_back(name.remove(QRegularExpression("\\D")).toLongLong());
    return counts;
}

std::vector<std::int64_t> TestJourney::countsOnDisk() const
{
    const auto painted = idsOf(annotations());
    std::vector<std::int64_t> counts;
    for (std::uint16_t id = 1; id <= kClasses.size(); ++id)
        counts.push_back(countOf(painted, id));
    return counts;
}

void TestJourney::paintsStrokesOfEachClass()
{
    if (m_hand->find("Next: Annotate"))
        QVERIFY(m_hand->click("Next: Annotate"));
    QVERIFY(m_hand->enter("Brush size in pixels", "4"));
    for (const std::int64_t slice : kPainted)
        for (std::uint16_t id = 1; id <= kClasses.size(); ++id) {
            paint(slice, id);
            if (QTest::currentTestFailed())
                return;
        }
    const auto shown = shownCounts();
    QCOMPARE(std::ssize(shown), kClasses.size());
    QVERIFY(*std::ranges::min_element(shown) > 100);
    QTRY_COMPARE_WITH_TIMEOUT(countsOnDisk(), shown, kPatience);
    // Every painted voxel lies where it was aimed at.
    const auto painted = idsOf(annotations());
    const auto truth = idsOf(*m_truth);
    for (std::size_t i = 0; i < painted.size(); ++i)
        if (painted[i] != 0 && painted[i] != truth[i])
            QFAIL(qPrintable(QString("voxel %1 is %2 and was painted as %3").arg(i).arg(truth[i]).arg(painted[i])));
}

void TestJourney::takesAStrokeBackAndPutsItBack()
{
    const auto before = shownCounts();
    m_hand->key(Qt::Key_Z, Qt::ControlModifier);
    const auto without = shownCounts();
    QVERIFY(without[3] < before[3] && without[3] > 0);
    QCOMPARE(without[0], before[0]);
    QTRY_COMPARE_WITH_TIMEOUT(countsOnDisk(), without, kPatience);
    m_hand->key(Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(shownCounts(), before);
    QTRY_COMPARE_WITH_TIMEOUT(countsOnDisk(), before, kPatience);
}

void TestJourney::trainsForASetTime()
{
    QVERIFY(m_hand->click("Next: Train"));
    QVERIFY(m_hand->choose("Time", 3)); // "Other…"
    QVERIFY(m_hand->enter("Minutes", "0.4"));
    QCOMPARE(m_hand->part<panels::TrainPanel>().choice().seconds, 24.0);
    QVERIFY(m_hand->click("Train"));
    auto& panel = m_hand->part<panels::TrainPanel>();
    QTRY_VERIFY_WITH_TIMEOUT(panel.isRunning(), kPatience);
    // The window can be used meanwhile.
    QVERIFY(m_hand->goToSlice(kUnpainted));
    const auto& curve = m_hand->part<panels::LearningCurve>();
    QTRY_VERIFY_WITH_TIMEOUT(curve.points().size() >= 2, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(!panel.isRunning(), kPatience);
    QVERIFY(curve.isVisible());
    for (const panels::EpochPoint& point : curve.points())
        QVERIFY(point.loss > 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_hand->find("~Model model-") != nullptr, kPatience);
    QVERIFY2(QFile::exists(modelIn(project())), qPrintable(m_hand->messages()));
}

void TestJourney::showsMasksBeforeTheRunIsOver()
{
    m_coloursBefore = pixelsOfClasses(m_hand->part<scene3d::SceneView>().grabScene(), kClassCount);
    auto& panel = m_hand->part<panels::RunPanel>();
    QVERIFY(m_hand->click("Next: Run"));
    QVERIFY(m_hand->click("Run all 64 slices"));
    QVERIFY(panel.isRunning());
    const QString chunk = QString("/0/%1/0/0").arg(kUnpainted);
    QTRY_VERIFY_WITH_TIMEOUT(!runIn(project()).isEmpty() && QFile::exists(runIn(project()) + chunk), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(colouredShare(m_hand->part<slice::SliceView>(), runIn(project())) > 0.9, kPatience);
    QVERIFY2(panel.isRunning(), "the first slices came only when the run was over");
    QVERIFY(countOf(idsOf(runIn(project())), 0) > 0);
    QTRY_VERIFY_WITH_TIMEOUT(!panel.isRunning(), kPatience);
    QCOMPARE(countOf(idsOf(runIn(project())), 0), 0);
    QVERIFY2(m_hand->namesWith("Error: ").isEmpty(), qPrintable(m_hand->messages()));
}

void TestJourney::showsClassColoursIn3d()
{
    const auto mask = idsOf(runIn(project()));
    std::vector<std::int64_t> voxels;
    for (std::uint16_t id = 1; id <= kClasses.size(); ++id)
        voxels.push_back(countOf(mask, id));
    const auto largest = std::ranges::max_element(voxels) - voxels.begin();
    auto& scene = m_hand->part<scene3d::SceneView>();
    int seen = 0;
    for (int id = 1; id <= kClasses.size(); ++id) {
        // What fills the stack is drawn translucent; a class that the quick training gives a fiftieth of it is seen from outside.
        if (id - 1 == largest || voxels[static_cast<std::size_t>(id - 1)] * 50 < std::ssize(mask))
            continue;
        ++seen;
        QTRY_VERIFY2_WITH_TIMEOUT(pixelsOfClasses(scene.grabScene(), kClassCount)[id] > m_coloursBefore[id] + 500, qPrintable(kClasses[id - 1]), kPatience);
    }
    QVERIFY(seen >= 1);
}

void TestJourney::exportAs(int format, const QString& path)
{
    QVERIFY(m_hand->click("Export…"));
    QVERIFY(m_hand->waitFor("Format"));
    QVERIFY(m_hand->choose("Format", format));
    QVERIFY(m_hand->enter("File", path));
    QVERIFY(m_hand->click("Export"));
    QTRY_VERIFY_WITH_TIMEOUT(m_hand->messages().contains("Exported to " + path), kPatience);
    QVERIFY(QFile::exists(path));
    QVERIFY(m_hand->takeUp());
}

void TestJourney::exportsTiffAndHdf5()
{
    QVERIFY(m_hand->click("Next: Check and export"));
    exportAs(0, m_home.file("Größe 1.tif"));
    if (!QTest::currentTestFailed())
        exportAs(2, m_home.file("masks.h5"));
    }

void TestJourney::otherProgramsReadTheSame()
{
    const Finished read = runProgram("/usr/bin/python3", {QStringLiteral(VOXELSCRIBE_SOURCE_DIR) + "/tests/app/window/read_masks.py",
                                                          m_home.file("Größe 1.tif"), m_home.file("masks.h5"), runIn(project())});
    QVERIFY2(read.exitCode == 0, qPrintable(read.err));
    const QJsonObject all = QJsonDocument::fromJson(read.out.toUtf8()).object();
    const QJsonObject zarr = all.value("zarr").toObject();
    QCOMPARE(zarr.value("shape").toArray(), (QJsonArray{64, 384, 384}));
    QCOMPARE(zarr.value("dtype").toString(), "uint8");
    QCOMPARE(zarr.value("class_ids").toArray(), (QJsonArray{1, 2, 3, 4}));
    QCOMPARE(zarr.value("label_values").toArray(), (QJsonArray{1, 2, 3, 4}));
    QCOMPARE(zarr.value("class_names").toArray(), QJsonArray::fromStringList(kClasses));
    for (int id = 1; id <= kClasses.size(); ++id)
        QCOMPARE(zarr.value("class_colors").toArray()[id - 1].toString(), QString::fromStdString(colourText(defaultClassColour(static_cast<std::uint16_t>(id)))));
    QCOMPARE(zarr.value("voxel_size").toArray(), (QJsonArray{0.65, 0.65, 0.65}));
    QCOMPARE(zarr.value("unit").toString(), "um");
    QVERIFY(!zarr.value("run_id").toString().isEmpty());
    QVERIFY(zarr.value("complete").toBool());
    QFile model(modelIn(project()));
    QVERIFY(model.open(QIODevice::ReadOnly));
    QCOMPARE(zarr.value("model_sha256").toString(), QString::fromLatin1(QCryptographicHash::hash(model.readAll(), QCryptographicHash::Sha256).toHex()));
    QVERIFY(all.value("tiff").toObject().value("imagej").toBool());
    for (const char* format : {"tiff", "hdf5"})
        for (const char* key : {"sha1", "shape", "dtype", "class_ids", "class_names", "class_colors", "voxel_size", "unit", "model_sha256", "run_id"})
            QVERIFY2(all.value(format).toObject().value(key) == zarr.value(key), qPrintable(QString("%1 of %2: %3").arg(key, format, read.out)));
}

void TestJourney::runsASavedModelOnAnotherStack()
{
    const QString model = modelIn(project());
    const QString stack = m_home.file("another stack.tif");
    const QString expected = m_home.file("expected.tif");
    const Finished made = runEngine({"phantom", stack, "--shape", "6,150,110", "--seed", "5"});
    QVERIFY2(made.exitCode == 0, qPrintable(made.err));
    m_hand->key(Qt::Key_W, Qt::ControlModifier);
    QVERIFY(m_hand->waitFor("Open sample.tif"));
    QTest::keyClick(m_window.get(), Qt::Key_O, Qt::ControlModifier);
    QVERIFY(m_hand->answerFileDialog(stack));
    QTRY_COMPARE_WITH_TIMEOUT(m_hand->part<slice::SliceView>().sliceCount(), 6, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(m_hand->part<slice::SliceView>().isComplete(), kPatience);
    QVERIFY(m_hand->click("Step 3: Train"));
    QVERIFY(m_hand->waitFor("Train"));
    const auto* train = m_hand->find<QAbstractButton>("Train");
    QVERIFY2(train != nullptr && !train->isEnabled(), "nothing is painted on this stack");
    QVERIFY(m_hand->click("Load model…"));
    QVERIFY(m_hand->answerFileDialog(model));
    QVERIFY(m_hand->click("Next: Run"));
    QVERIFY(m_hand->click("Run all 6 slices"));
    QTRY_VERIFY_WITH_TIMEOUT(m_hand->find("Next: Check and export") && m_hand->find("Next: Check and export")->isEnabled()
                                 && !m_hand->part<panels::RunPanel>().isRunning(), kPatience);
    const auto own = project::autosavePathFor(stack.toStdString());
    QVERIFY(QFile::exists(modelIn(own)));
    const Finished run = runEngine({"predict", "--image", stack, "--model", model, "--output", expected});
    QVERIFY2(run.exitCode == 0, qPrintable(run.err));
    QCOMPARE(idsOf(runIn(own)), idsOf(expected));
}

void TestJourney::cleanupTestCase()
{
    m_hand.reset();
    m_window.reset();
    m_theme.reset();
}

int main(int argc, char** argv)
{
    const Home home;
    QApplication application(argc, argv);
    nameApplication();
    qputenv("QTEST_FUNCTION_TIMEOUT", "600000");
    TestJourney tests(home);
    return QTest::qExec(&tests, argc, argv);
}

#include "tst_journey.moc"
