// An engine that is missing or dies, seen from the window.
#include "desk.h"
#include "home.h"
#include "widgets/panels/run_panel.h"
#include "widgets/panels/train_panel.h"

#include <QAbstractButton>
#include <QDateTime>
#include <QDirIterator>

#include <csignal>
#include <unistd.h>

using namespace voxelscribe;
using namespace voxelscribe::test;

namespace {

/// The engine that this process has started; 0: none runs.
pid_t enginePid()
{
    for (const QString& name : QDir("/proc").entryList(QDir::Dirs)) {
        QFile file("/proc/" + name + "/stat");
        if (name.toInt() == 0 || !file.open(QIODevice::ReadOnly))
            continue;
        // "PID (NAME) STATE PARENT …"; the name is cut to 15 letters
        const QByteArray line = file.readAll();
        const QList<QByteArray> after = line.mid(line.lastIndexOf(')') + 2).split(' ');
        if (line.contains("(voxelscribe-eng") && after.size() > 1 && after[1].toInt() == ::getpid())
            return name.toInt();
    }
    return 0;
}

QStringList chunksOf(const QString& run)
{
    QStringList chunks;
    QDirIterator files(run + "/0", QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) // a name like "17/0/0"; what is being written has another
        if (const QString path = QDir(run + "/0").relativeFilePath(files.next()); path.contains('/') && path.at(path.size() - 1).isDigit())
            chunks << path;
    chunks.sort();
    return chunks;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool isComplete(const QString& run)
{
    return contentOf(run + "/.zattrs").simplified().replace(" ", "").contains("\"complete\":true");
}

QString runOf(const QString& stack)
{
    const QDir results(projectOf(stack) + "/results");
    const QStringList runs = results.entryList({"run-*.zarr"}, QDir::Dirs, QDir::Name);
    return runs.isEmpty() ? QString() : results.filePath(runs.last());
}

} // namespace

class TestEngineTrouble : public QObject {
    Q_OBJECT

public:
    explicit TestEngineTrouble(const Home& home) : m_home(home) {}

private Q_SLOTS:
    void saysThatTheEngineIsMissing()
    {
        const QString stack = m_home.file("small.tif");
        const QString failure = makeStack(stack, "6,150,110");
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
        const Desk desk("/nowhere/voxelscribe-engine");
        QVERIFY(desk.hand.click("Try the sample"));
        QTRY_VERIFY_WITH_TIMEOUT(desk.hand.messages().contains("/nowhere/voxelscribe-engine"), kPatience);
        QVERIFY(desk.open(stack));
        desk.hand.drag(desk.line({20, 60}, {50, 60}));
        desk.hand.key(Qt::Key_2);
        desk.hand.drag(desk.line({20, 90}, {50, 90}));
        QVERIFY(desk.hand.click("Step 3: Train"));
        QVERIFY(desk.hand.click("Train"));
        QTRY_VERIFY_WITH_TIMEOUT(desk.hand.messages().contains("/nowhere/voxelscribe-engine"), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.hand.part<panels::TrainPanel>().isRunning(), kPatience);
        // Everything else keeps working.
        desk.hand.drag(desk.line({20, 120}, {50, 120}));
        desk.hand.key(Qt::Key_Z, Qt::ControlModifier);
        desk.hand.key(Qt::Key_Y, Qt::ControlModifier);
        QVERIFY(desk.hand.goToSlice(5));
        QTRY_VERIFY_WITH_TIMEOUT(countOf(idsOf(annotationsOf(stack)), 2) > 600, kPatience);
        QVERIFY(desk.hand.find<QAbstractButton>("Train")->isEnabled());
    }

    void goesOnWhereADeadEngineStopped()
    {
        const QString stack = newStack();
        const Desk desk;
        QVERIFY(startRun(desk, stack));
        QTRY_VERIFY_WITH_TIMEOUT(hasBegun(stack), kPatience);
        const pid_t engine = enginePid();
        QVERIFY(engine > 0);
        QCOMPARE(::kill(engine, SIGKILL), 0);
        QVERIFY(desk.hand.waitFor("Go on from there"));
        QVERIFY(desk.window().isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(!desk.hand.part<panels::RunPanel>().isRunning(), kPatience);
        const QStringList finished = chunksOf(runOf(stack));
        QVERIFY2(finished.size() >= 4 && finished.size() < 40, "it was killed half way");
        const QString first = runOf(stack) + "/0/" + finished.first();
        const QDateTime written = QFileInfo(first).lastModified();
        // The window can be used, and one click goes on.
        desk.hand.drag(desk.line({100, 200}, {200, 200}));
        QTRY_VERIFY_WITH_TIMEOUT(countOf(idsOf(annotationsOf(stack)), 1) > 100, kPatience);
        QVERIFY(desk.hand.click("Go on from there"));
        QTRY_VERIFY_WITH_TIMEOUT(desk.hand.part<panels::RunPanel>().isRunning(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.hand.part<panels::RunPanel>().isRunning(), kPatience);
        QVERIFY(!desk.hand.find("Go on from there"));

        expectUndisturbedResult(stack);
        QCOMPARE(QFileInfo(first).lastModified(), written); // finished chunks are not computed again
    }

    void goesOnInTheNextWindow()
    {
        const QString stack = newStack();
        {
            const Desk desk;
            QVERIFY(startRun(desk, stack));
            QTRY_VERIFY_WITH_TIMEOUT(hasBegun(stack), kPatience);
        } // the window goes, and its engine with it
        QTRY_COMPARE_WITH_TIMEOUT(enginePid(), 0, kPatience);
        QVERIFY2(!isComplete(runOf(stack)), "it was closed half way");
        const Desk desk;
        QVERIFY(desk.open(stack));
        QVERIFY(desk.hand.click("Step 4: Run"));
        QVERIFY(desk.hand.waitFor("~Resume: "));
        QVERIFY(desk.hand.click(desk.hand.namesWith("Resume: ").first()));
        QTRY_VERIFY_WITH_TIMEOUT(isComplete(runOf(stack)), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.hand.part<panels::RunPanel>().isRunning(), kPatience);
        expectUndisturbedResult(stack);
    }

    void finishesTheRunOfAClosedStack()
    {
        const QString stack = newStack();
        const Desk desk;
        QVERIFY(startRun(desk, stack));
        QTRY_VERIFY_WITH_TIMEOUT(hasBegun(stack), kPatience);
        desk.hand.key(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(desk.hand.waitFor("Try the sample"));
        QTRY_VERIFY_WITH_TIMEOUT(isComplete(runOf(stack)), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.hand.part<panels::RunPanel>().isRunning(), kPatience);
        QVERIFY2(desk.hand.namesWith("Error: ").isEmpty(), qPrintable(desk.hand.messages()));
        // Whoever comes back finds the masks.
        QVERIFY(desk.open(stack));
        QVERIFY(desk.hand.click("Step 5: Check and export"));
        QTRY_VERIFY_WITH_TIMEOUT(desk.hand.find("Export…") && desk.hand.find("Export…")->isEnabled(), kPatience);
        expectUndisturbedResult(stack);
    }

    void saysThatTheEngineDiedWhileTraining()
    {
        const QString stack = m_home.file("middle.tif");
        const QString failure = makeStack(stack, "6,150,110");
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
        const Desk desk;
        QVERIFY(desk.open(stack));
        desk.hand.drag(desk.line({20, 60}, {50, 60}));
        desk.hand.key(Qt::Key_2);
        desk.hand.drag(desk.line({20, 90}, {50, 90}));
        QVERIFY(desk.hand.click("Step 3: Train"));
        QVERIFY(desk.hand.click("Train"));
        auto& panel = desk.hand.part<panels::TrainPanel>();
        QTRY_VERIFY_WITH_TIMEOUT(panel.isRunning() && enginePid() > 0, kPatience);
        QCOMPARE(::kill(enginePid(), SIGKILL), 0);
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isRunning(), kPatience);
        QVERIFY2(desk.hand.messages().contains("engine ended unexpectedly"), qPrintable(desk.hand.messages()));
        QVERIFY(!desk.hand.find("Go on from there"));
        // Another try starts another engine.
        QVERIFY(desk.hand.click("Train"));
        QTRY_VERIFY_WITH_TIMEOUT(panel.isRunning() && enginePid() > 0, kPatience);
        QVERIFY(desk.hand.click("Cancel training"));
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isRunning(), kPatience);
        QVERIFY(QDir(projectOf(stack) + "/models").entryList(QDir::Files).isEmpty());
    }

private:
    /// A stack of its own for a test. All have the same content; the model is trained once.
    QString newStack()
    {
        const QString stack = m_home.file(QStringLiteral("stack %1.tif").arg(++m_count));
        const QString strokes = m_home.file("strokes.tif");
        const QString failure = makeStack(stack, "40,320,300", strokes);
        if (!failure.isEmpty())
            qWarning("%s", qPrintable(failure));
        m_model = m_home.file("model.safetensors");
        m_expected = m_home.file("expected.zarr");
        if (QFile::exists(m_model))
            return stack;
        const Finished trained = runEngine({"train", "--image", stack, "--annotations", strokes, "--model", m_model, "--network", "msdnet", "--epochs", "1"});
        const Finished undisturbed = runEngine({"predict", "--image", stack, "--model", m_model, "--output", m_expected});
        if (trained.exitCode != 0 || undisturbed.exitCode != 0)
            qWarning("%s%s", qPrintable(trained.err), qPrintable(undisturbed.err));
        return stack;
    }

    bool startRun(const Desk& desk, const QString& stack) const
    {
        return desk.open(stack) && desk.hand.click("Step 3: Train") && desk.hand.click("Load model…") && desk.hand.answerFileDialog(m_model)
               && desk.hand.click("Next: Run") && desk.hand.click("Run all 40 slices");
    }

    static bool hasBegun(const QString& stack) { return !runOf(stack).isEmpty() && chunksOf(runOf(stack)).size() >= 4; }

    void expectUndisturbedResult(const QString& stack) const
    {
        QVERIFY(isComplete(runOf(stack)));
        QCOMPARE(chunksOf(runOf(stack)), chunksOf(m_expected));
        for (const QString& chunk : chunksOf(m_expected))
            QVERIFY2(contentOf(runOf(stack) + "/0/" + chunk) == contentOf(m_expected + "/0/" + chunk), qPrintable(chunk));
    }

    const Home& m_home;
    QString m_model;
    QString m_expected;
    int m_count = 0;
};

int main(int argc, char** argv)
{
    const Home home;
    QApplication application(argc, argv);
    nameApplication();
    qputenv("QTEST_FUNCTION_TIMEOUT", "600000");
    TestEngineTrouble tests(home);
    return QTest::qExec(&tests, argc, argv);
}

#include "tst_engine_trouble.moc"
