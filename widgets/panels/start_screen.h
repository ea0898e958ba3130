#pragma once

#include <QDateTime>
#include <QString>
#include <QWidget>
#include <memory>
#include <vector>

namespace voxelscribe::panels {

struct RecentProject {
    QString path;        ///< what projectRequested gives back
    QString name;
    QString image;       ///< the image's path or name
    QDateTime when;
    bool missing = false; ///< shown, but as gone
};

/// The first screen: what the program does in a line, open, sample, recent projects. A file or folder may be dropped anywhere on it.
class StartScreen : public QWidget {
    Q_OBJECT
public:
    explicit StartScreen(QWidget* parent = nullptr);
    ~StartScreen() override;

    void setRecentProjects(const std::vector<RecentProject>& projects);
    /// While something opens: says what, and takes no second request. Empty: idle.
    void setBusy(const QString& what);

Q_SIGNALS:
    void openRequested(const QString& path);   ///< dropped
    void openFileDialogRequested();
    void openFolderDialogRequested();
    void sampleRequested();
    void projectRequested(const QString& path);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::panels
