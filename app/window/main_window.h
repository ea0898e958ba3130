#pragma once

#include <QMainWindow>
#include <memory>

namespace voxelscribe::common {
class ActionRegistry;
class Theme;
} // namespace voxelscribe::common

namespace voxelscribe::window {

/// The window: puts the parts in place and wires them. It computes nothing.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `engine`: the engine's program, empty for the one beside this program.
    explicit MainWindow(common::Theme& theme, const QString& engine = {}, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens what stands on the command line.
    void openPath(const QString& path);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::window
