#include "core/project/project.h"
#include "project_helpers.h"

#include <QtTest/QtTest>

#include <fstream>

using namespace voxelscribe;
using namespace voxelscribe::test;
using labels::LabelVolume;
using project::Project;
using project::ProjectState;
namespace fs = std::filesystem;

namespace {

void overwrite(const fs::path& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// A project with three annotated chunks, closed.
fs::path annotatedProject(const Workplace& place)
{
    const fs::path folder = place.path() / "sand.voxelscribe";
    const auto project = Project::create(folder, stateFor("sand.tif"));
    LabelVolume labels = project->loadAnnotations();
    setVoxel(labels, {0, 10, 10}, 1);
    setVoxel(labels, {1, 299, 300}, 2);
    setVoxel(labels, {2, 10, 10}, 1);
    project->saveAnnotationChunks(labels, labels.occupiedChunks());
    ProjectState state = project->state();
    state.view = {{"slice", 1}};
    project->saveState(state);
    state.view = {{"slice", 2}};
    project->saveState(state);
    return folder;
}

} // namespace

class TestProjectDamage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void settingsFallBackToTheirBackup_data()
    {
        QTest::addColumn<QString>("content");
        QTest::newRow("nothing in it") << QString();
        QTest::newRow("cut off") << QStringLiteral("{\"format\": \"voxelscribe project\", \"vers");
        QTest::newRow("something else") << QStringLiteral("[1, 2]");
        QTest::newRow("fields missing") << QStringLiteral("{\"format\": \"voxelscribe project\", \"version\": 1}");
        QTest::newRow("a class with id 0")
            << QStringLiteral("{\"format\":\"voxelscribe project\",\"version\":1,\"image\":{\"source\":\"a\"},\"extent\":[1,2,3],\"classes\":[{\"id\":0}]}");
        QTest::newRow("an empty extent")
            << QStringLiteral("{\"format\":\"voxelscribe project\",\"version\":1,\"image\":{\"source\":\"a\"},\"extent\":[1,0,3],\"classes\":[]}");
    }

    void settingsFallBackToTheirBackup()
    {
        QFETCH(QString, content);
        const Workplace place;
        const fs::path folder = annotatedProject(place);
        overwrite(folder / "project.json", content.toStdString());
        const auto project = Project::open(folder);
        QCOMPARE(project->state().view.at("slice"), 1);
        QVERIFY(anyContains(project->notices(), "backup"));
        QCOMPARE(project->loadAnnotations().voxelsOfClass().at(1), 2);
        // The first save must not put the damaged file in place of the good backup.
        ProjectState state = project->state();
        state.view = {{"slice", 3}};
        project->saveState(state);
        overwrite(folder / "project.json", "again");
        std::vector<std::string> notices;
        QCOMPARE(Project::open(folder)->state().view.at("slice"), 1);
    }

    void aMissingSettingsFileFallsBackToo()
    {
        const Workplace place;
        const fs::path folder = annotatedProject(place);
        fs::remove(folder / "project.json");
        QCOMPARE(Project::open(folder)->state().view.at("slice"), 1);
    }

    void withoutAGoodCopyItSaysBoth()
    {
        const Workplace place;
        const fs::path folder = annotatedProject(place);
        overwrite(folder / "project.json", "x");
        overwrite(folder / "project.json.bak", "y");
        QString message;
        QCOMPARE(thrownBy([&] { Project::open(folder); }, &message), ErrorCode::format);
        QVERIFY2(message.contains("project.json.bak") && message.contains("annotations.zarr"), qPrintable(message));
    }

    void aNewerVersionIsNotDamage()
    {
        const Workplace place;
        const fs::path folder = annotatedProject(place);
        overwrite(folder / "project.json", R"({"format":"voxelscribe project","version":7,"classes":"of another kind"})");
        QString message;
        QCOMPARE(thrownBy([&] { Project::open(folder); }, &message), ErrorCode::format);
        QVERIFY2(message.contains("version 7") && message.contains("newer"), qPrintable(message));
    }

    void loadingWritesNothingButTheLock()
    {
        const Workplace place;
        const fs::path folder = annotatedProject(place);
        std::map<fs::path, fs::file_time_type> before;
        const auto look = [&] {
            std::map<fs::path, fs::file_time_type> times;
            for (const auto& entry : fs::recursive_directory_iterator(folder))
                if (entry.path().filename() != "lock")
                    times[entry.path()] = entry.last_write_time();
            return times;
        };
        before = look();
        Project::open(folder)->loadAnnotations();
        QVERIFY(look() == before);
    }

    void aDamagedChunkIsLeftOutAndNamed_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty, as a power failure leaves it") << QByteArray();
        QTest::newRow("garbage") << QByteArray("this is no chunk");
        QTest::newRow("zeros") << QByteArray(4096, '\0');
    }

    void aDamagedChunkIsLeftOutAndNamed()
    {
        QFETCH(QByteArray, content);
        const Workplace place;
        const fs::path folder = annotatedProject(place);
        const fs::path file = folder / "annotations.zarr" / "0" / "1" / "1" / "1";
        QVERIFY(fs::exists(file));
        overwrite(file, content.toStdString());
        const auto project = Project::open(folder);
        LabelVolume labels = project->loadAnnotations();
        QCOMPARE(labels.voxelsOfClass(), (std::map<std::uint16_t, std::int64_t>{{1, 2}}));
        QVERIFY(anyContains(project->notices(), "slice 1, rows 256 to 299, columns 256 to 511"));
        // The first save puts the file aside: other programs can then read the rest, and nothing is thrown away.
        setVoxel(labels, {0, 0, 0}, 2);
        project->saveAnnotationChunks(labels, {{0, 0, 0}});
        QVERIFY(!fs::exists(file));
        QCOMPARE(readTextFile(folder / "damaged" / "1.1.1"), content.toStdString());
        QVERIFY(dense(project->loadAnnotations()) == dense(labels));
    }

    void halfOfAChunkIsDamage()
    {
        const Workplace place;
        const fs::path folder = annotatedProject(place);
        const fs::path file = folder / "annotations.zarr" / "0" / "2" / "0" / "0";
        overwrite(file, readTextFile(file).substr(0, fs::file_size(file) / 2));
        const auto project = Project::open(folder);
        QCOMPARE(project->loadAnnotations().voxelsOfClass().at(1), 1);
        QVERIFY(anyContains(project->notices(), "slice 2"));
    }

    void descriptionsOfTheAnnotationsArePutBack_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("the array") << QStringLiteral("0/.zarray");
        QTest::newRow("the attributes") << QStringLiteral(".zattrs");
        QTest::newRow("the group") << QStringLiteral(".zgroup");
    }

    void descriptionsOfTheAnnotationsArePutBack()
    {
        QFETCH(QString, name);
        const Workplace place;
        const fs::path folder = annotatedProject(place);
        const fs::path file = folder / "annotations.zarr" / name.toStdString();
        const std::string good = readTextFile(file);
        overwrite(file, "{");
        const auto project = Project::open(folder);
        LabelVolume labels = project->loadAnnotations();
        QCOMPARE(labels.voxelsOfClass().at(1), 2);
        ProjectState state = project->state();
        state.classes.pop_back();
        if (name == QStringLiteral(".zattrs"))
            project->saveState(state);
        project->saveAnnotationChunks(labels, {{0, 0, 0}});
        if (name == QStringLiteral("0/.zarray"))
            QCOMPARE(readTextFile(file), good);
        if (name == QStringLiteral(".zattrs"))
            QVERIFY(readTextFile(file).find("quartz") != std::string::npos);
        QVERIFY(dense(Project::open(folder)->loadAnnotations()) == dense(labels));
    }

    void annotationsOfAnotherImageAreRefused()
    {
        const Workplace place;
        const fs::path folder = annotatedProject(place);
        const auto other = Project::create(place.path() / "other.voxelscribe", stateFor("o.tif", {3, 300, 531}));
        fs::remove_all(folder / "annotations.zarr");
        fs::copy(other->annotationsPath(), folder / "annotations.zarr", fs::copy_options::recursive);
        const auto project = Project::open(folder);
        QString message;
        QCOMPARE(thrownBy([&] { project->loadAnnotations(); }, &message), ErrorCode::shape);
        QVERIFY2(message.contains("3×300×531") && message.contains("3×300×530"), qPrintable(message));
    }
};

QTEST_GUILESS_MAIN(TestProjectDamage)
#include "tst_project_damage.moc"
