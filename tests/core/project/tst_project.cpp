#include "core/io/mask_metadata.h"
#include "core/labels/editor.h"
#include "core/project/project.h"
#include "project_helpers.h"
#include "support/run_program.h"

#include <QtTest/QtTest>

using namespace voxelscribe;
using namespace voxelscribe::test;
using labels::LabelVolume;
using project::Project;
using project::ProjectState;
namespace fs = std::filesystem;

class TestProject : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void remembersItsState()
    {
        const Workplace place;
        const fs::path folder = place.path() / "sand.voxelscribe";
        ProjectState state = stateFor((place.path() / "sand.tif").string());
        state.voxelSizeUm = VoxelSizeUm{3, 1.5, 1.25};
        {
            const auto made = Project::create(folder, state);
            QVERIFY(!made->isReadOnly());
            QVERIFY(made->notices().empty());
            QVERIFY(fs::is_directory(made->modelsFolder()));
            QVERIFY(fs::is_directory(made->resultsFolder()));
            state.classes[0].locked = true;
            state.classes[1].colour = 0x123456;
            state.nextClassId = 9;
            state.view = {{"slice", 17}};
            state.settings = {{"network", "tunet"}};
            state.activeModel = "first.safetensors";
            state.activeResult = "run-1";
            made->saveState(state);
        }
        const auto opened = Project::open(folder);
        const ProjectState& back = opened->state();
        QCOMPARE(back.imageSource, state.imageSource);
        QCOMPARE(back.imageFingerprint, state.imageFingerprint);
        QCOMPARE(back.extent, state.extent);
        QVERIFY(back.voxelSizeUm == state.voxelSizeUm);
        QVERIFY(back.classes == state.classes);
        QCOMPARE(back.nextClassId, 9);
        QVERIFY(back.view == state.view && back.settings == state.settings);
        QCOMPARE(back.activeModel, state.activeModel);
        QCOMPARE(back.activeResult, state.activeResult);
    }

    void annotationsComeBackStrokeByStroke()
    {
        const Workplace place;
        const fs::path folder = place.path() / "sand.voxelscribe";
        auto project = Project::create(folder, stateFor("sand.tif"));
        LabelVolume labels = project->loadAnnotations();
        labels::ClassTable classes;
        classes.restore(project->state().classes, project->state().nextClassId);
        labels::Editor editor(labels, classes, std::nullopt);
        editor.onChunksChanged = [&](const auto& keys) { project->saveAnnotationChunks(labels, keys); };
        editor.beginStroke({6, 1, Plane::xy, 1}, {200, 200});
        editor.extendStroke({520, 290});
        editor.endStroke();
        const std::vector<std::uint16_t> first = dense(labels);
        QVERIFY(dense(project->loadAnnotations()) == first);
        editor.beginStroke({9, 2, Plane::zy, 255}, {1, 255});
        editor.endStroke();
        QVERIFY(dense(project->loadAnnotations()) == dense(labels));
        editor.undo();
        QVERIFY(dense(project->loadAnnotations()) == first);
        editor.undo();
        QCOMPARE(project->loadAnnotations().memoryBytes(), 0);
        for (const auto& entry : fs::recursive_directory_iterator(project->annotationsPath() / "0"))
            QVERIFY2(entry.is_directory() || entry.path().filename() == ".zarray", "an emptied chunk loses its file");
        editor.redo();
        project.reset();
        QVERIFY(dense(Project::open(folder)->loadAnnotations()) == first);
    }

    void otherProgramsReadTheAnnotations()
    {
        const Workplace place;
        auto project = Project::create(place.path() / "sand.voxelscribe", stateFor("sand.tif"));
        LabelVolume labels = project->loadAnnotations();
        setVoxel(labels, {0, 0, 0}, 1);
        setVoxel(labels, {2, 299, 529}, 65535);
        setVoxel(labels, {1, 255, 256}, 2);
        project->saveAnnotationChunks(labels, labels.occupiedChunks());
        ProjectState state = project->state();
        state.voxelSizeUm = VoxelSizeUm{2, 1, 0.5};
        state.classes[0].colour = 0x0a0b0c;
        project->saveState(state);
        const Finished python = runPython(QStringLiteral(
            "import sys, zarr, json\n"
            "g = zarr.open(sys.argv[1], 'r')\n"
            "a = g['0'][:]\n"
            "print(a.dtype, a.shape, g['0'].chunks, [(tuple(int(i) for i in p), int(a[tuple(p)])) for p in __import__('numpy').argwhere(a)])\n"
            "t = g.attrs\n"
            "print(t['class_ids'], t['class_names'], t['class_colors'])\n"
            "print(t['image-label']['colors'][0], t['image-label']['properties'][1])\n"
            "m = t['multiscales'][0]\n"
            "print(m['version'], m['datasets'][0]['coordinateTransformations'][0]['scale'], m['axes'][2]['unit'])\n"),
            {QString::fromStdString(project->annotationsPath().string())});
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
        QCOMPARE(python.out, QStringLiteral("uint16 (3, 300, 530) (1, 256, 256) [((0, 0, 0), 1), ((1, 255, 256), 2), ((2, 299, 529), 65535)]\n"
                                            "[1, 2] ['quartz', 'pore ø'] ['#0a0b0c', '#56b4e9']\n"
                                            "{'label-value': 1, 'rgba': [10, 11, 12, 255]} {'label-value': 2, 'name': 'pore ø'}\n"
                                            "0.4 [2.0, 1.0, 0.5] micrometer\n"));
    }

    void theEngineReadsClassesWithTheirNames()
    {
        const Workplace place;
        auto project = Project::create(place.path() / "sand.voxelscribe", stateFor("sand.tif"));
        ProjectState state = project->state();
        state.voxelSizeUm = VoxelSizeUm{2, 1, 0.5};
        state.classes.erase(state.classes.begin());
        project->saveState(state);
        const io::MaskMetadata read = io::readMaskMetadata({project->annotationsPath(), {}});
        QVERIFY(read.classes == state.classes);
        QVERIFY(read.voxelSizeUm == state.voxelSizeUm);
        QCOMPARE(io::open({project->annotationsPath(), {}})->extent(), state.extent);
        state.classes.clear();
        state.voxelSizeUm.reset();
        project->saveState(state);
        const io::MaskMetadata empty = io::readMaskMetadata({project->annotationsPath(), {}});
        QVERIFY(empty.classes.empty());
        QVERIFY(!empty.voxelSizeUm);
    }

    void anImageSmallerThanAChunk()
    {
        const Workplace place;
        auto project = Project::create(place.path() / "tiny.voxelscribe", stateFor("tiny.tif", {1, 7, 5}));
        LabelVolume labels = project->loadAnnotations();
        setVoxel(labels, {0, 6, 4}, 3);
        project->saveAnnotationChunks(labels, labels.occupiedChunks());
        QCOMPARE(project->loadAnnotations().at({0, 6, 4}), 3);
    }

    void anotherPlaceOpensReadOnlyAndKnowsWhy()
    {
        const Workplace place;
        const fs::path folder = place.path() / "sand.voxelscribe";
        auto first = Project::create(folder, stateFor("sand.tif"));
        const auto second = Project::open(folder);
        QVERIFY(second->isReadOnly());
        QVERIFY(QString::fromStdString(second->lockOwner()).startsWith(QStringLiteral("process %1 on ").arg(QCoreApplication::applicationPid())));
        QString message;
        QCOMPARE(thrownBy([&] { second->saveState(second->state()); }, &message), ErrorCode::io);
        QVERIFY2(message.contains("process ") && message.contains("read-only"), qPrintable(message));
        const LabelVolume labels = second->loadAnnotations();
        QCOMPARE(thrownBy([&] { second->saveAnnotationChunks(labels, {{0, 0, 0}}); }), ErrorCode::io);
        first.reset();
        const auto third = Project::open(folder);
        QVERIFY(!third->isReadOnly());
        QVERIFY(third->lockOwner().empty());
    }

    void savesAsAndGoesOnThere()
    {
        const Workplace place;
        const fs::path folder = place.path() / "sand.voxelscribe";
        const fs::path target = place.path() / "elsewhere" / "copy.voxelscribe";
        auto project = Project::create(folder, stateFor((place.path() / "sand.tif").string()));
        writeFileAtomically(project->modelsFolder() / "m.safetensors", std::string("model"));
        QCOMPARE(thrownBy([&] { project->moveTo(target); }), ErrorCode::io); // its parent does not exist
        QCOMPARE(project->folder(), folder);
        fs::create_directory(target.parent_path());
        project->moveTo(target);
        QCOMPARE(project->folder(), target);
        QVERIFY(!project->isReadOnly());
        QCOMPARE(readTextFile(project->modelsFolder() / "m.safetensors"), std::string("model"));
        QVERIFY2(fs::exists(folder / "project.json"), "a project that a person named stays where it is");
        LabelVolume labels = project->loadAnnotations();
        setVoxel(labels, {1, 1, 1}, 2);
        project->saveAnnotationChunks(labels, labels.occupiedChunks());
        const auto old = Project::open(folder);
        QVERIFY2(!old->isReadOnly(), "the old place is free");
        QCOMPARE(old->loadAnnotations().memoryBytes(), 0);
        QVERIFY(Project::open(target)->isReadOnly());
        QCOMPARE(Project::open(target)->state().imageSource, (place.path() / "sand.tif").string());
    }

    void savingAsOverSomethingIsRefused()
    {
        const Workplace place;
        auto project = Project::create(place.path() / "a.voxelscribe", stateFor("sand.tif"));
        fs::create_directory(place.path() / "there");
        QString message;
        QCOMPARE(thrownBy([&] { project->moveTo(place.path() / "there"); }, &message), ErrorCode::io);
        QVERIFY2(message.contains("exists already"), qPrintable(message));
        QCOMPARE(thrownBy([&] { project->moveTo(project->folder() / "models" / "b.voxelscribe"); }), ErrorCode::io);
        QCOMPARE(project->folder(), place.path() / "a.voxelscribe");
        project->saveState(project->state());
    }

    void aReadOnlyProjectSavedAsIsWritable()
    {
        const Workplace place;
        const auto first = Project::create(place.path() / "a.voxelscribe", stateFor("sand.tif"));
        const auto second = Project::open(place.path() / "a.voxelscribe");
        second->moveTo(place.path() / "b.voxelscribe");
        QVERIFY(!second->isReadOnly());
        QVERIFY(second->lockOwner().empty());
        second->saveState(second->state());
        QVERIFY(fs::exists(first->folder() / "project.json"));
    }

    void whatCannotBeAProjectIsRefused()
    {
        const Workplace place;
        QCOMPARE(thrownBy([&] { Project::open(place.path() / "nowhere.voxelscribe"); }), ErrorCode::io);
        QString message;
        QCOMPARE(thrownBy([&] { Project::open(place.path()); }, &message), ErrorCode::format);
        QVERIFY2(message.contains("project.json"), qPrintable(message));
        QVERIFY2(!fs::exists(place.path() / "lock"), "a folder that is no project is left alone");
        QCOMPARE(thrownBy([&] { Project::create(place.path(), stateFor("sand.tif")); }), ErrorCode::io);
        writeFileAtomically(place.path() / "file", std::string("text"));
        QCOMPARE(thrownBy([&] { Project::create(place.path() / "file" / "a.voxelscribe", stateFor("sand.tif")); }), ErrorCode::io);
        auto project = Project::create(place.path() / "a.voxelscribe", stateFor("sand.tif"));
        QCOMPARE(thrownBy([&] { project->saveState(stateFor("sand.tif", {3, 300, 531})); }), ErrorCode::shape);
    }
};

QTEST_GUILESS_MAIN(TestProject)
#include "tst_project.moc"
