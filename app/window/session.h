#pragma once

#include "widgets/common/serial_worker.h"
#include "app/window/stack_loader.h"
#include "core/labels/class_table.h"
#include "core/labels/editor.h"
#include "core/volume/plane.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <set>

namespace voxelscribe::window {

/// The open stack: image, annotations, classes and their project. Lives on the GUI thread; files are read and written on a
/// worker of its own, in order, each change as soon as it is made.
class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(std::shared_ptr<ChunkCache> cache, QObject* parent = nullptr);
    ~Session() override;

    void open(const OpenRequest& request);
    void close();
    bool isOpen() const { return m_open != nullptr; }
    bool isReadOnly() const;
    /// Valid while open.
    const OpenedStack& stack() const { return *m_open; }
    std::filesystem::path projectFolder() const { return m_projectFolder; }
    std::filesystem::path annotationsPath() const { return m_projectFolder / "annotations.zarr"; }
    std::filesystem::path modelsFolder() const { return m_projectFolder / "models"; }
    std::filesystem::path resultsFolder() const { return m_projectFolder / "results"; }
    bool isAutosaved() const;

    const labels::LabelVolume& labels() const { return m_open->labels; }
    const std::vector<ClassInfo>& classes() const { return m_classes.classes(); }
    std::uint16_t activeClass() const { return m_activeClass; }
    const ClassInfo* findClass(std::uint16_t id) const { return m_classes.find(id); }
    std::optional<VoxelSizeUm> voxelSizeUm() const;
    const project::ProjectState& state() const { return m_state; }

    void setActiveClass(std::uint16_t id);
    void addClass(const QString& name = {});
    void updateClass(const ClassInfo& info);
    /// Removes the class and its labels; undo brings both back.
    void removeClass(std::uint16_t id);
    void setVoxelSizeUm(std::optional<VoxelSizeUm> size);
    /// Changes what the project remembers of view, settings, model and result, and saves it.
    void updateState(const std::function<void(project::ProjectState&)>& change);

    void beginStroke(Plane plane, std::int64_t slice, double radius, PlanePoint at, bool erase);
    void extendStroke(PlanePoint to);
    void endStroke();
    void cancelStroke();
    /// Returns what changed.
    Region fill(Plane plane, std::int64_t slice, PlanePoint at, bool erase);
    void clearSlice(Plane plane, std::int64_t slice);
    void undo();
    void redo();
    bool canUndo() const;
    bool canRedo() const;
    QString undoText() const;
    QString redoText() const;

    /// Calls `then` on the GUI thread when everything changed so far is on disk; if something is not, says so instead.
    void afterSaved(std::function<void()> then);
    /// Moves the project to a folder of the person's choice and goes on there.
    void saveAs(const std::filesystem::path& target);
    /// Blocks until all is written; for closing.
    void flush();

Q_SIGNALS:
    void opening(const QString& path);
    void opened();
    void openFailed(const QString& message, bool imageMissing, const QString& missingImage);
    void closed();
    void annotationsChanged(const voxelscribe::Region& dirty);
    void classesChanged();
    void activeClassChanged(quint16 id);
    void historyChanged();
    void voxelSizeChanged();
    /// An edit that could not be done (a locked class, an area too large): nothing has changed.
    void editRefused(const QString& message);
    void saved();
    void saveFailed(const QString& message);
    void movedTo(const QString& folder);

private:
    void takeOver(OpenedStack stack);
    /// Does an edit and shows what it changed; one that cannot be done becomes words.
    Region edit(const std::function<Region()>& change);
    void changed(const Region& dirty);
    void saveChunks(const std::vector<labels::LabelVolume::ChunkKey>& keys);
    void saveState();
    void reviveClasses();
    /// Does `task` with the project on the worker, then `done` here with the failure's words, empty where all went well.
    void withProject(std::function<void(project::Project&)> task, std::function<void(const QString& failure)> done);
    void reportSave(const QString& failure);
    /// Tries again to save what a full disk or a lost share kept from being saved.
    void saveAgain();

    std::shared_ptr<ChunkCache> m_cache;
    std::shared_ptr<project::Project> m_project; ///< used on the worker alone once it is open
    std::unique_ptr<OpenedStack> m_open;
    std::unique_ptr<labels::Editor> m_editor;
    labels::ClassTable m_classes;
    std::vector<ClassInfo> m_removedClasses;
    std::uint16_t m_activeClass = 1;
    project::ProjectState m_state;
    std::filesystem::path m_projectFolder;
    bool m_readOnly = false;
    int m_openTicket = 0;
    bool m_stateUnsaved = false;
    std::set<labels::LabelVolume::ChunkKey, bool (*)(const Extent&, const Extent&)> m_unsavedChunks;
    QTimer m_saveAgain;
    OpenRequest m_request;
    common::SerialWorker m_loader;
    common::SerialWorker m_keeper;
};

} // namespace voxelscribe::window
