#include "core/project/project.h"
#include "project_helpers.h"

#include <QtTest/QtTest>

#include <cstdlib>

using namespace voxelscribe;
using namespace voxelscribe::test;
using project::Project;
using project::ProjectState;
namespace fs = std::filesystem;

class TestProjectPaths : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { qputenv("XDG_DATA_HOME", QByteArray::fromStdString((m_home.path() / "data").string())); }

    void imagesAreStoredAsSeenFromTheProject_data()
    {
        QTest::addColumn<QString>("image");
        QTest::addColumn<QString>("stored");
        QTest::newRow("beside the project") << "/w/sand.tif" << "../sand.tif";
        QTest::newRow("deeper, with a data set") << "/w/raw/scan 7.h5::/entry/data" << "../raw/scan 7.h5::/entry/data";
        QTest::newRow("inside the project") << "/w/p.voxelscribe/sand.tif" << "sand.tif";
        QTest::newRow("a folder") << "/w/series/" << "../series/";
        QTest::newRow("somewhere else") << "/data/sand.tif" << "/data/sand.tif";
        QTest::newRow("a folder above") << "/sand.tif" << "/sand.tif";
        QTest::newRow("not normal") << "/w/x/../sand.tif" << "../sand.tif";
        QTest::newRow("none") << "" << "";
    }

    void imagesAreStoredAsSeenFromTheProject()
    {
        QFETCH(QString, image);
        QFETCH(QString, stored);
        const project::ImageLink link = project::imageLink(image.toStdString(), "/w/p.voxelscribe");
        QCOMPARE(QString::fromStdString(link.source), stored);
        QCOMPARE(project::resolvedImage({link.source, {}}, "/w/p.voxelscribe"), fs::path(image.toStdString()).lexically_normal().string());
        QCOMPARE(project::imageLink(image.toStdString(), "/w/p.voxelscribe/").source, link.source);
    }

    void imageAndProjectMoveTogether()
    {
        const Workplace place;
        fs::create_directory(place.path() / "old");
        writeFileAtomically(place.path() / "old" / "sand.h5", std::string("image"));
        Project::create(place.path() / "old" / "p.voxelscribe", stateFor((place.path() / "old" / "sand.h5").string() + "::/a/b"));
        fs::rename(place.path() / "old", place.path() / "new");
        auto project = Project::open(place.path() / "new" / "p.voxelscribe");
        QCOMPARE(project->state().imageSource, (place.path() / "new" / "sand.h5").string() + "::/a/b");
        QVERIFY(!project::imageIsMissing(project->state().imageSource));
        project.reset();
        // The project alone: the image is found where it was.
        fs::create_directory(place.path() / "far");
        fs::rename(place.path() / "new" / "p.voxelscribe", place.path() / "far" / "p.voxelscribe");
        project = Project::open(place.path() / "far" / "p.voxelscribe");
        QVERIFY(project::imageIsMissing(project->state().imageSource)); // it was last saved in "old"
        ProjectState state = project->state();
        state.imageSource = (place.path() / "new" / "sand.h5").string();
        project->saveState(state);
        QCOMPARE(Project::open(project->folder())->state().imageSource, state.imageSource);
        project.reset();
        fs::create_directories(place.path() / "far away" / "deep");
        fs::rename(place.path() / "far" / "p.voxelscribe", place.path() / "far away" / "deep" / "p.voxelscribe");
        QCOMPARE(Project::open(place.path() / "far away" / "deep" / "p.voxelscribe")->state().imageSource, state.imageSource);
    }

    void aMissingImageIsKnown()
    {
        const Workplace place;
        const std::string image = (place.path() / "a::b.h5").string();
        QVERIFY(project::imageIsMissing(""));
        QVERIFY(project::imageIsMissing(image));
        QVERIFY(project::imageIsMissing(image + "::/entry"));
        writeFileAtomically(place.path() / "a::b.h5", std::string("x"));
        QVERIFY(!project::imageIsMissing(image));
        QVERIFY(!project::imageIsMissing(image + "::/entry"));
    }

    void fingerprintsTellImagesApart()
    {
        const Workplace place;
        writeFileAtomically(place.path() / "a.tif", std::string("12345"));
        VolumeInfo info;
        info.extent = {9, 512, 384};
        info.dtype = DType::uint16;
        QCOMPARE(project::imageFingerprint(info, place.path() / "a.tif"), std::string("9×512×384 uint16, 5 bytes"));
        QCOMPARE(project::imageFingerprint(info, place.path()), std::string("9×512×384 uint16"));
        QCOMPARE(project::imageFingerprint(info, place.path() / "gone.tif"), std::string("9×512×384 uint16"));
    }

    void autosavedProjectsHaveReadableNamesOfTheirOwn()
    {
        QCOMPARE(project::autosaveFolder(), m_home.path() / "data" / "voxelscribe" / "projects");
        const fs::path one = project::autosavePathFor("/a/Düne.tif");
        QCOMPARE(one.parent_path(), project::autosaveFolder());
        QVERIFY(one.filename().string().starts_with("Düne-"));
        QCOMPARE(one.extension(), fs::path(".voxelscribe"));
        QVERIFY(one != project::autosavePathFor("/b/Düne.tif"));
        QVERIFY(one != project::autosavePathFor("/a/Düne.tif::/x"));
        QCOMPARE(one, project::autosavePathFor("/a/../a/Düne.tif"));
        QCOMPARE(project::autosavePathFor("/a/series/"), project::autosavePathFor("/a/series"));
        const std::string name = project::autosavePathFor("/a/" + std::string(50, 'x') + std::string(60, '\xc3') + ".tif").filename().string();
        QVERIFY(name.size() < 120);
        std::string umlauts;
        for (int i = 0; i < 90; ++i)
            umlauts += "ü";
        QVERIFY(QString::fromStdString(project::autosavePathFor("/a/" + umlauts + ".tif").string()).toStdString() == project::autosavePathFor("/a/" + umlauts + ".tif").string());
    }

    void withoutXdgTheHomeFolderCounts()
    {
        qputenv("XDG_DATA_HOME", "relative/is/ignored");
        QCOMPARE(project::autosaveFolder(), fs::path(std::getenv("HOME")) / ".local" / "share" / "voxelscribe" / "projects");
    }

    void anAutosavedProjectMovesOut()
    {
        const Workplace place;
        const std::string image = (place.path() / "sand.tif").string();
        const fs::path folder = project::autosavePathFor(image);
        const auto project = Project::create(folder, stateFor(image));
        QVERIFY(project::isAutosaved(folder));
        labels::LabelVolume labels = project->loadAnnotations();
        setVoxel(labels, {1, 1, 1}, 2);
        project->saveAnnotationChunks(labels, labels.occupiedChunks());
        project->moveTo(place.path() / "sand.voxelscribe");
        QVERIFY(!fs::exists(folder));
        QVERIFY(!project->isReadOnly());
        QVERIFY(Project::open(place.path() / "sand.voxelscribe")->isReadOnly());
        QCOMPARE(project->loadAnnotations().at({1, 1, 1}), 2);
        QVERIFY(readTextFile(project->folder() / "project.json").find("\"../sand.tif\"") != std::string::npos);
        project->moveTo(place.path() / "again.voxelscribe");
        QVERIFY2(fs::exists(place.path() / "sand.voxelscribe"), "only autosaved projects are removed");
    }

    void theStartScreenListsProjects()
    {
        const Workplace place;
        QVERIFY(project::listProjects(place.path() / "none").empty());
        writeFileAtomically(place.path() / "sand.h5", std::string("image"));
        Project::create(place.path() / "p" / "older.voxelscribe", stateFor((place.path() / "sand.h5").string() + "::/x"));
        const fs::file_time_type past = fs::file_time_type::clock::now() - std::chrono::hours(5);
        fs::last_write_time(place.path() / "p" / "older.voxelscribe" / "project.json", past);
        fs::last_write_time(place.path() / "p" / "older.voxelscribe" / "annotations.zarr" / "0", past);
        Project::create(place.path() / "p" / "newer.voxelscribe", stateFor((place.path() / "gone.tif").string()));
        Project::create(place.path() / "p" / "broken.voxelscribe", stateFor("x"));
        writeFileAtomically(place.path() / "p" / "broken.voxelscribe" / "project.json", std::string("x"));
        fs::last_write_time(place.path() / "p" / "broken.voxelscribe" / "project.json", past - std::chrono::hours(5));
        fs::create_directory(place.path() / "p" / "no project");
        const auto found = project::listProjects(place.path() / "p");
        QCOMPARE(found.size(), 3U);
        QCOMPARE(found[0].name, std::string("newer"));
        QVERIFY(found[0].imageMissing);
        QCOMPARE(found[1].name, std::string("older"));
        QCOMPARE(found[1].imageSource, (place.path() / "sand.h5").string() + "::/x");
        QVERIFY(!found[1].imageMissing);
        QVERIFY(found[0].lastChange - found[1].lastChange > std::chrono::hours(4));
        QCOMPARE(found[2].name, std::string("broken"));
        QVERIFY(found[2].imageSource.empty());
        const std::string image = (place.path() / "sand.h5").string() + "::/x";
        Project::create(project::autosavePathFor(image), stateFor(image));
        QCOMPARE(project::listProjects(project::autosaveFolder()).at(0).name, std::string("sand.h5"));
    }

private:
    Workplace m_home;
};

QTEST_GUILESS_MAIN(TestProjectPaths)
#include "tst_project_paths.moc"
