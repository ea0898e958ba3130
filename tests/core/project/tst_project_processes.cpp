// Crashes, locks and full disks, each with a process of its own: this program starts itself with a role as its argument.
#include "core/labels/editor.h"
#include "core/project/project.h"
#include "project_helpers.h"
#include "support/run_program.h"

#include <QtTest/QtTest>

#include <cstdio>
#include <fstream>
#include <set>
#include <sys/mount.h>

using namespace voxelscribe;
using namespace voxelscribe::test;
using labels::LabelVolume;
using project::Project;
using project::ProjectState;
namespace fs = std::filesystem;

namespace {

constexpr Extent kExtent{1, 512, 512}; // four chunks
constexpr int kUnavailable = 77;       // the role cannot be played on this computer

void say(const std::string& line)
{
    std::puts(line.c_str());
    std::fflush(stdout);
}

/// Paints the whole slice over and over, each stroke with the next id, and says which stroke is saved.
int paintForever(const fs::path& folder, int firstId)
{
    const auto project = Project::open(folder);
    if (project->isReadOnly())
        return 3;
    LabelVolume labels = project->loadAnnotations();
    labels::ClassTable classes;
    labels::Editor editor(labels, classes, std::nullopt);
    editor.onChunksChanged = [&](const auto& keys) { project->saveAnnotationChunks(labels, keys); };
    for (int id = firstId; id < 65535; ++id) {
        editor.beginStroke({800, static_cast<std::uint16_t>(id), Plane::xy, 0}, {256, 256});
        editor.endStroke();
        ProjectState state = project->state();
        state.view = {{"stroke", id}};
        project->saveState(state);
        say("saved " + std::to_string(id));
    }
    return 0;
}

/// Opens a project and says how.
int look(const fs::path& folder)
{
    const auto project = Project::open(folder);
    say(project->isReadOnly() ? "read-only, " + project->lockOwner() : "writable");
    return 0;
}

/// The same, and holds it until its input ends.
int hold(const fs::path& folder)
{
    const auto project = Project::open(folder);
    say(project->isReadOnly() ? "read-only, " + project->lockOwner() : "writable");
    return std::getchar() == EOF ? 0 : 1;
}

/// Fails a role's check with its line.
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            return 1; \
        } \
    } while (false)

/// On a tmpfs of one mebibyte: what does not fit is an error, what was saved before stays.
int fillTheDisk(const fs::path& mountPoint)
{
    if (::mount("tmpfs", mountPoint.c_str(), "tmpfs", 0, "size=1m") != 0)
        return kUnavailable;
    auto project = Project::create(mountPoint / "p.voxelscribe", stateFor("sand.tif", kExtent));
    LabelVolume labels = project->loadAnnotations();
    setVoxel(labels, {0, 1, 1}, 1);
    project->saveAnnotationChunks(labels, labels.occupiedChunks());
    const std::vector<std::uint16_t> saved = dense(labels);
    const std::string settings = readTextFile(project->folder() / "project.json");
    {
        std::ofstream filler(mountPoint / "filler", std::ios::binary);
        const std::string block(4096, 'x');
        while (filler.write(block.data(), static_cast<std::streamsize>(block.size())).flush())
            ;
    }
    for (std::int64_t i = 0; i < kExtent.y * kExtent.x; i += 3) // noise, so that it does not compress away
        setVoxel(labels, {0, i / kExtent.x, i % kExtent.x}, static_cast<std::uint16_t>(1 + i * 7919 % 60000));
    QString message;
    CHECK(thrownBy([&] { project->saveAnnotationChunks(labels, labels.occupiedChunks()); }, &message) == ErrorCode::io);
    CHECK(message.contains("free some space"));
    ProjectState state = project->state();
    state.view = {{"text", std::string(20000, 'x')}};
    CHECK(thrownBy([&] { project->saveState(state); }) == ErrorCode::io);
    CHECK(readTextFile(project->folder() / "project.json") == settings);
    CHECK(thrownBy([&] { project->moveTo(mountPoint / "q.voxelscribe"); }) == ErrorCode::io);
    CHECK(!fs::exists(mountPoint / "q.voxelscribe"));
    CHECK(project->folder() == mountPoint / "p.voxelscribe");
    CHECK(thrownBy([&] { Project::create(mountPoint / "r.voxelscribe", state); }) == ErrorCode::io);
    CHECK(!fs::exists(mountPoint / "r.voxelscribe"));
    for (const auto& entry : fs::recursive_directory_iterator(mountPoint))
        CHECK(entry.path().filename().string().find(".part-") == std::string::npos);
    project.reset();
    project = Project::open(mountPoint / "p.voxelscribe");
    CHECK(dense(project->loadAnnotations()) == saved);
    CHECK(project->notices().empty());
    fs::remove(mountPoint / "filler"); // space again: the next save is whole
    project->saveAnnotationChunks(labels, labels.occupiedChunks());
    CHECK(dense(project->loadAnnotations()) == dense(labels));
    return 0;
}

/// On a file system that is mounted read-only.
int openWhereNothingCanBeWritten(const fs::path& mountPoint)
{
    if (::mount("tmpfs", mountPoint.c_str(), "tmpfs", 0, "size=4m") != 0)
        return kUnavailable;
    {
        const auto project = Project::create(mountPoint / "p.voxelscribe", stateFor("sand.tif", kExtent));
        LabelVolume labels = project->loadAnnotations();
        setVoxel(labels, {0, 1, 1}, 1);
        project->saveAnnotationChunks(labels, labels.occupiedChunks());
    }
    if (::mount("tmpfs", mountPoint.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=4m") != 0)
        return kUnavailable;
    const auto project = Project::open(mountPoint / "p.voxelscribe");
    CHECK(project->isReadOnly());
    CHECK(project->lockOwner().empty());
    CHECK(anyContains(project->notices(), "not writable"));
    const LabelVolume labels = project->loadAnnotations();
    CHECK(labels.at({0, 1, 1}) == 1);
    QString message;
    CHECK(thrownBy([&] { project->saveAnnotationChunks(labels, {{0, 0, 0}}); }, &message) == ErrorCode::io);
    CHECK(message.contains("save it as a new project"));
    CHECK(thrownBy([&] { Project::create(mountPoint / "q.voxelscribe", project->state()); }) == ErrorCode::io);
    return 0;
}

int playRole(const std::string& role, const fs::path& path, int number)
{
    try {
        return role == "paint" ? paintForever(path, number)
               : role == "look" ? look(path)
               : role == "hold" ? hold(path)
               : role == "fill" ? fillTheDisk(path)
                                : openWhereNothingCanBeWritten(path);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}

QStringList roleArguments(const char* role, const fs::path& path, int number = 0)
{
    return {QStringLiteral("--role"), QString::fromLatin1(role), QString::fromStdString(path.string()), QString::number(number)};
}

/// A role in a process that may mount file systems which only it sees.
Finished runWithOwnMounts(const char* role, const fs::path& path)
{
    return runProgram(QStringLiteral("unshare"), QStringList{QStringLiteral("-Urm"), QCoreApplication::applicationFilePath()} + roleArguments(role, path));
}

} // namespace

class TestProjectProcesses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aKilledPainterLosesAtMostTheStrokeInWork()
    {
        const Workplace place;
        const fs::path folder = place.path() / "sand.voxelscribe";
        Project::create(folder, stateFor("sand.tif", kExtent));
        int last = 0;
        for (int round = 0; round < 6; ++round) {
            QProcess painter;
            painter.start(QCoreApplication::applicationFilePath(), roleArguments("paint", folder, last + 1));
            QByteArray out;
            for (int lines = 0; lines < 3 + round; lines = static_cast<int>(out.count('\n'))) {
                QVERIFY2(painter.waitForReadyRead(60000), painter.readAllStandardError().constData());
                out += painter.readAllStandardOutput();
            }
            QTest::qWait(round); // somewhere within the next strokes
            painter.kill();
            QVERIFY(painter.waitForFinished(60000));
            out += painter.readAllStandardOutput();
            const QByteArray lastLine = out.left(out.lastIndexOf('\n')).split('\n').last();
            last = lastLine.mid(6).toInt();
            QVERIFY(last > 0);

            const auto project = Project::open(folder);
            QVERIFY2(!project->isReadOnly(), "the lock of the killed painter is free");
            QVERIFY2(project->notices().empty(), project->notices().empty() ? "" : project->notices().front().c_str());
            const int stroke = project->state().view.at("stroke").get<int>();
            QVERIFY(stroke == last || stroke == last + 1);
            const LabelVolume labels = project->loadAnnotations();
            QCOMPARE(labels.occupiedChunks().size(), 4U);
            for (const auto& key : labels.occupiedChunks()) {
                const LabelVolume::Chunk& ids = *labels.chunk(key);
                QVERIFY2(std::ranges::all_of(ids, [&](std::uint16_t id) { return id == ids.front(); }), "each chunk is of one stroke");
                QVERIFY2(ids.front() == last || ids.front() == last + 1, "and that is the last saved one, or the one in work");
            }
            last += 1;
        }
        // What the killed painters left half-written goes with the next save.
        const auto project = Project::open(folder);
        const LabelVolume labels = project->loadAnnotations();
        project->saveAnnotationChunks(labels, labels.occupiedChunks());
        for (const auto& entry : fs::directory_iterator(project->annotationsPath() / "0"))
            QVERIFY(entry.path().filename().string().find(".part-") == std::string::npos);
    }

    void aSecondProcessOpensReadOnlyAndSaysWhoHasIt()
    {
        const Workplace place;
        const fs::path folder = place.path() / "sand.voxelscribe";
        auto mine = Project::create(folder, stateFor("sand.tif"));
        const Finished second = runProgram(QCoreApplication::applicationFilePath(), roleArguments("look", folder));
        QVERIFY2(second.out.startsWith(QStringLiteral("read-only, process %1 on ").arg(QCoreApplication::applicationPid())), qPrintable(second.out + second.err));
        QVERIFY2(Project::open(folder)->isReadOnly(), "the visitor did not take the lock away");
        mine->saveState(mine->state());
        mine.reset();
        QCOMPARE(runProgram(QCoreApplication::applicationFilePath(), roleArguments("look", folder)).out, QStringLiteral("writable\n"));
    }

    void theLockOfAKilledProcessIsTakenOver()
    {
        const Workplace place;
        const fs::path folder = place.path() / "sand.voxelscribe";
        Project::create(folder, stateFor("sand.tif"));
        QProcess holder;
        holder.start(QCoreApplication::applicationFilePath(), roleArguments("hold", folder));
        QVERIFY(holder.waitForReadyRead(60000));
        QCOMPARE(holder.readAllStandardOutput(), QByteArray("writable\n"));
        const QString owner = QString::fromStdString(Project::open(folder)->lockOwner());
        QVERIFY2(owner.startsWith(QStringLiteral("process %1 on ").arg(holder.processId())), qPrintable(owner));
        holder.kill();
        QVERIFY(holder.waitForFinished(60000));
        QVERIFY(readTextFile(folder / "lock").starts_with("process ")); // its name is still in it
        const auto taken = Project::open(folder);
        QVERIFY(!taken->isReadOnly());
        QVERIFY(readTextFile(folder / "lock").starts_with("process " + std::to_string(QCoreApplication::applicationPid())));
    }

    void aFullDiskKeepsWhatWasSaved()
    {
        const Workplace place;
        const Finished finished = runWithOwnMounts("fill", place.path());
        if (finished.exitCode == kUnavailable || finished.err.contains("unshare"))
            QSKIP("this computer does not let tests mount a small file system");
        QVERIFY2(finished.exitCode == 0, qPrintable(finished.err));
    }

    void aFolderThatCannotBeWrittenOpensReadOnly()
    {
        const Workplace place;
        const Finished finished = runWithOwnMounts("read", place.path());
        if (finished.exitCode == kUnavailable || finished.err.contains("unshare"))
            QSKIP("this computer does not let tests mount a file system");
        QVERIFY2(finished.exitCode == 0, qPrintable(finished.err));
    }
};

int main(int argc, char** argv)
{
    if (argc == 5 && std::string(argv[1]) == "--role")
        return playRole(argv[2], argv[3], std::stoi(argv[4]));
    QCoreApplication program(argc, argv);
    TestProjectProcesses test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_project_processes.moc"
