// What a window keeps and refuses: crashes, two windows on one project, files that cannot be opened.
// A second window is a process of its own: this program starts itself with a role as its argument.
#include "core/labels/editor.h"
#include "desk.h"
#include "home.h"

#include <QAbstractButton>
#include <QProcess>
#include <QRegularExpression>

#include <cstdio>

using namespace voxelscribe;
using namespace voxelscribe::test;

namespace {

constexpr Extent kExtent{6, 150, 110};
constexpr double kBrushRadius = 6; // as the window starts

/// Paints one stroke, says where in pixels of the slice ("painted SLICE u v u v …"), and goes on until it is killed.
int paintAndStay(const QString& stack)
{
    const Desk desk;
    if (!desk.open(stack))
        return 1;
    const std::vector<QPoint> places = desk.line({30, 40}, {80, 95});
    desk.hand.drag(places);
    std::string line = "painted " + std::to_string(desk.view().slice());
    for (const QPoint& place : places) {
        const PlanePoint at = desk.view().imagePosition(place);
        line += " " + std::to_string(at.u) + " " + std::to_string(at.v);
    }
    std::puts(line.c_str());
    std::fflush(stdout);
    return QApplication::exec();
}

/// Another process with a window.
class OtherWindow {
public:
    OtherWindow(const QString& role, const QString& stack) { m_process.start(QCoreApplication::applicationFilePath(), {role, stack}); }
    ~OtherWindow() { kill(); }
    OtherWindow(const OtherWindow&) = delete;
    OtherWindow& operator=(const OtherWindow&) = delete;

    /// The line that it says once it has painted; empty if it does not.
    QString painted()
    {
        const auto hasSaidOrEnded = [this] { return m_process.canReadLine() || m_process.state() == QProcess::NotRunning; };
        while (QTest::qWaitFor(hasSaidOrEnded, kPatience) && m_process.canReadLine())
            if (const QString line = QString::fromUtf8(m_process.readLine()).trimmed(); line.startsWith("painted "))
                return line;
        return {};
    }
    qint64 pid() const { return m_process.processId(); }
    void kill()
    {
        m_process.kill(); // SIGKILL
        m_process.waitForFinished(kPatience);
    }

private:
    QProcess m_process;
};

/// How much of the first class is painted, as the class list says.
std::int64_t shownVoxels(const Desk& desk)
{
    return desk.hand.namesWith("labelled voxel").first().remove(QRegularExpression("\\D")).toLongLong();
}

/// What a stroke of class 1 through these points makes of an empty volume.
std::vector<std::uint16_t> strokeThrough(const QStringList& said, const Extent& extent)
{
    labels::LabelVolume volume(extent);
    labels::ClassTable classes;
    classes.add();
    labels::Editor editor(volume, classes, VoxelSizeUm{0.65, 0.65, 0.65});
    editor.beginStroke({kBrushRadius, 1, Plane::xy, said[1].toLongLong()}, {said[2].toDouble(), said[3].toDouble()});
    for (int i = 2; i + 1 < said.size(); i += 2)
        editor.extendStroke({said[i].toDouble(), said[i + 1].toDouble()});
    editor.endStroke();
    return idsOf(*volume.snapshot());
}

} // namespace

class TestSession : public QObject {
    Q_OBJECT

public:
    explicit TestSession(const Home& home) : m_home(home) {}

private Q_SLOTS:
    void init()
    {
        m_stack = m_home.file(QStringLiteral("Probe %1, größer.tif").arg(++m_count));
        const QString failure = makeStack(m_stack, "6,150,110");
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
    }

    void keepsAStrokeWhenTheWindowIsKilled()
    {
        OtherWindow other("--paint", m_stack);
        const QStringList said = other.painted().split(' ');
        QVERIFY(said.size() > 5);
        QTest::qWait(2000); // the promise: two seconds after a stroke
        other.kill();
        const auto painted = strokeThrough(said, kExtent);
        QVERIFY(countOf(painted, 1) > 500);
        QCOMPARE(idsOf(annotationsOf(m_stack)), painted);
        // The next window shows it and can go on.
        const Desk desk;
        QVERIFY(desk.open(m_stack));
        QCOMPARE(shownVoxels(desk), countOf(painted, 1));
        QVERIFY2(desk.hand.namesWith("Error: ").isEmpty(), qPrintable(desk.hand.messages()));
        QVERIFY(!desk.window().windowTitle().contains("read-only"));
    }

    void takesBackStrokesOfSeveralSlices()
    {
        const Desk desk;
        QVERIFY(desk.open(m_stack));
        std::vector<std::vector<std::uint16_t>> states{std::vector<std::uint16_t>(std::size_t(kExtent.voxels()))};
        for (const std::int64_t slice : {1, 4, 2}) {
            QVERIFY(desk.hand.goToSlice(slice));
            desk.hand.key(slice == 4 ? Qt::Key_2 : Qt::Key_1);
            desk.hand.drag(desk.line({30, 60}, {70, 80}));
            QTRY_VERIFY_WITH_TIMEOUT(idsOf(annotationsOf(m_stack)) != states.back(), kPatience);
            states.push_back(idsOf(annotationsOf(m_stack)));
        }
        for (std::size_t i = states.size() - 1; i > 0; --i) {
            desk.hand.key(Qt::Key_Z, Qt::ControlModifier);
            QTRY_COMPARE_WITH_TIMEOUT(idsOf(annotationsOf(m_stack)), states[i - 1], kPatience);
        }
        for (std::size_t i = 1; i < states.size(); ++i) {
            desk.hand.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
            QTRY_COMPARE_WITH_TIMEOUT(idsOf(annotationsOf(m_stack)), states[i], kPatience);
        }
    }

    void refusesToPaintIntoALockedClass()
    {
        const Desk desk;
        QVERIFY(desk.open(m_stack));
        desk.hand.drag(desk.line({30, 60}, {70, 60}));
        QTRY_VERIFY_WITH_TIMEOUT(countOf(idsOf(annotationsOf(m_stack)), 1) > 100, kPatience);
        const auto first = idsOf(annotationsOf(m_stack));
        QVERIFY(desk.hand.click("Lock Class 1"));
        desk.hand.key(Qt::Key_2);
        desk.hand.drag(desk.line({50, 40}, {50, 80}));
        QTRY_VERIFY_WITH_TIMEOUT(countOf(idsOf(annotationsOf(m_stack)), 2) > 100, kPatience);
        const auto second = idsOf(annotationsOf(m_stack));
        for (std::size_t i = 0; i < first.size(); ++i)
            QVERIFY(first[i] == 0 || second[i] == first[i]);
    }

    void opensReadOnlyBesideAnotherWindow()
    {
        OtherWindow other("--paint", m_stack);
        QVERIFY(other.painted().startsWith("painted"));
        QTRY_VERIFY_WITH_TIMEOUT(countOf(idsOf(annotationsOf(m_stack)), 1) > 0, kPatience);
        const auto before = idsOf(annotationsOf(m_stack));
        const Desk desk;
        QVERIFY(desk.open(m_stack));
        QVERIFY2(desk.hand.messages().contains("open in another window"), qPrintable(desk.hand.messages()));
        QVERIFY2(desk.hand.messages().contains(QString::number(other.pid())), qPrintable(desk.hand.messages()));
        QVERIFY(desk.window().windowTitle().contains("read-only"));
        // Painting is refused, with the reason, and changes nothing.
        desk.hand.drag(desk.line({20, 20}, {60, 30}));
        QTRY_VERIFY_WITH_TIMEOUT(desk.hand.messages().contains("nothing can be painted"), kPatience);
        desk.hand.key(Qt::Key_Z, Qt::ControlModifier);
        desk.hand.key(Qt::Key_M); // a new class
        QVERIFY(desk.hand.find("Paint Class 2") && !desk.hand.find("Paint Class 3"));
        QVERIFY(desk.hand.click("Step 3: Train"));
        const auto* train = desk.hand.find<QAbstractButton>("Train");
        QVERIFY(train != nullptr && !train->isEnabled());
        QCOMPARE(idsOf(annotationsOf(m_stack)), before);
        // Once the other window is gone, however it went, this one may.
        other.kill();
        QVERIFY(desk.open(m_stack));
        QTRY_VERIFY_WITH_TIMEOUT(!desk.window().windowTitle().contains("read-only"), kPatience);
        desk.hand.key(Qt::Key_2);
        desk.hand.drag(desk.line({20, 20}, {60, 30}));
        QTRY_VERIFY_WITH_TIMEOUT(countOf(idsOf(annotationsOf(m_stack)), 2) > 100, kPatience);
        QCOMPARE(countOf(idsOf(annotationsOf(m_stack)), 1), countOf(before, 1));
    }

    void saysWhatCannotBeOpened_data()
    {
        QTest::addColumn<QString>("what");
        QTest::newRow("nothing there") << "missing";
        QTest::newRow("an empty file") << "empty";
        QTest::newRow("a TIFF cut off in its header") << "cut";
        QTest::newRow("text that calls itself TIFF") << "text";
        QTest::newRow("a folder without images") << "folder";
        QTest::newRow("HDF5 without an image") << "hdf5";
    }

    void saysWhatCannotBeOpened()
    {
        QFETCH(QString, what);
        const QString path = m_home.file(QStringLiteral("schlecht %1.%2").arg(what, what == "folder" ? "d" : what == "hdf5" ? "h5" : "tif"));
        makeBad(what, path);
        const Desk desk;
        desk.window().openPath(path);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.hand.namesWith("Error: ").isEmpty(), kPatience);
        QVERIFY2(desk.hand.messages().contains("schlecht " + what), qPrintable(desk.hand.messages()));
        QVERIFY2(desk.hand.find("Try the sample") && desk.hand.find("Try the sample")->isEnabled(), "the first screen can be used");
        QVERIFY2(!QFile::exists(projectOf(path)), "nothing is left of it");
        // The next file opens as if nothing had been.
        QVERIFY(desk.open(m_stack));
        QVERIFY2(desk.hand.namesWith("Error: ").isEmpty(), qPrintable(desk.hand.messages()));
    }

    void keepsTheOpenStackOutOfABadOne()
    {
        const QString bad = m_home.file("bad.tif");
        makeBad("empty", bad);
        const Desk desk;
        QVERIFY(desk.open(m_stack));
        desk.hand.drag(desk.line({30, 60}, {70, 60}));
        desk.window().openPath(bad);
        QTRY_VERIFY_WITH_TIMEOUT(desk.hand.messages().contains("bad.tif"), kPatience);
        QVERIFY(countOf(idsOf(annotationsOf(m_stack)), 1) > 100);
        QVERIFY(desk.hand.click(QStringLiteral("Open %1").arg(QFileInfo(m_stack).fileName())));
        QTRY_VERIFY_WITH_TIMEOUT(desk.view().isVisible() && desk.view().isComplete(), kPatience);
        QVERIFY(shownVoxels(desk) > 100);
    }

    void asksWhereAMovedImageIs()
    {
        {
            const Desk desk;
            QVERIFY(desk.open(m_stack));
            desk.hand.drag(desk.line({30, 60}, {70, 60}));
            desk.window().close();
        }
        const auto painted = idsOf(annotationsOf(m_stack));
        const QString project = projectOf(m_stack);
        const QString moved = m_home.file("moved.tif");
        QVERIFY(QFile::rename(m_stack, moved));
        const Desk desk;
        desk.window().openPath(project);
        QTRY_VERIFY_WITH_TIMEOUT(desk.hand.messages().contains(QFileInfo(m_stack).fileName()), kPatience);
        QVERIFY(desk.hand.click("Show where it is…"));
        QVERIFY(desk.hand.answerFileDialog(moved));
        QTRY_VERIFY_WITH_TIMEOUT(desk.view().isVisible() && desk.view().isComplete(), kPatience);
        QVERIFY(desk.window().windowTitle().contains("moved.tif"));
        QVERIFY(shownVoxels(desk) > 100);
        QCOMPARE(idsOf(project + "/annotations.zarr"), painted);
    }

    void movesTheProjectWhereItIsSavedAs()
    {
        const Desk desk;
        QVERIFY(desk.open(m_stack));
        desk.hand.drag(desk.line({30, 60}, {70, 60}));
        desk.hand.key(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        const QString target = m_home.file(QStringLiteral("mein Projekt %1").arg(m_count));
        QVERIFY(desk.hand.answerFileDialog(target));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(target + ".voxelscribe/project.json") && !QFile::exists(projectOf(m_stack)), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(desk.window().windowTitle().contains("mein Projekt"), kPatience);
        desk.hand.key(Qt::Key_2);
        desk.hand.drag(desk.line({30, 90}, {70, 90}));
        const QString moved = target + ".voxelscribe/annotations.zarr";
        QTRY_VERIFY_WITH_TIMEOUT(countOf(idsOf(moved), 1) > 100 && countOf(idsOf(moved), 2) > 100, kPatience);
        QVERIFY2(desk.hand.namesWith("Error: ").isEmpty(), qPrintable(desk.hand.messages()));
    }

    void refusesWhatIsNoModel_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("an empty file") << QByteArray();
        QTest::newRow("text") << QByteArray("dear diary");
        QTest::newRow("weights of another program") << QByteArray("\x02\0\0\0\0\0\0\0{}", 10);
    }

    void refusesWhatIsNoModel()
    {
        QFETCH(QByteArray, content);
        const QString path = m_home.file("other.safetensors");
        write(path, content);
        const Desk desk;
        QVERIFY(desk.open(m_stack));
        QVERIFY(desk.hand.click("Step 3: Train"));
        QVERIFY(desk.hand.click("Load model…"));
        QVERIFY(desk.hand.answerFileDialog(path));
        QTRY_VERIFY_WITH_TIMEOUT(!desk.hand.namesWith("Error: ").isEmpty(), kPatience);
        QVERIFY2(desk.hand.messages().contains("other.safetensors"), qPrintable(desk.hand.messages()));
        QVERIFY(QDir(projectOf(m_stack) + "/models").entryList(QDir::Files).isEmpty());
        const auto* next = desk.hand.find<QAbstractButton>("Next: Run");
        QVERIFY(next != nullptr && !next->isEnabled());
    }

private:
    static void write(const QString& path, const QByteArray& content)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

    void makeBad(const QString& what, const QString& path) const
    {
        if (what == "empty")
            write(path, {});
        else if (what == "text")
            write(path, "dear diary");
        else if (what == "folder")
            QVERIFY(QDir().mkpath(path + "/empty"));
        else if (what == "cut")
            write(path, QByteArray("II*\0\x08\0\0\0", 8));
        else if (what == "hdf5")
            QCOMPARE(runPython("import h5py, sys\nwith h5py.File(sys.argv[1], 'w') as f: f['name'] = 'nothing'", {path}).exitCode, 0);
    }

    const Home& m_home;
    QString m_stack;
    int m_count = 0;
};

int main(int argc, char** argv)
{
    if (argc == 3 && qstrcmp(argv[1], "--paint") == 0) {
        QApplication application(argc, argv);
        nameApplication();
        return paintAndStay(QString::fromUtf8(argv[2]));
    }
    const Home home;
    QApplication application(argc, argv);
    nameApplication();
    TestSession tests(home);
    return QTest::qExec(&tests, argc, argv);
}

#include "tst_session.moc"
