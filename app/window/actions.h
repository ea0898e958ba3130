#pragma once

#include "widgets/common/action_registry.h"

/// Every action of the window: id, text, default shortcut. What they do is connected in MainWindow.
namespace voxelscribe::window {

namespace actions {
inline const QString openFile = QStringLiteral("file.openFile");
inline const QString openFolder = QStringLiteral("file.openFolder");
inline const QString openProject = QStringLiteral("file.openProject");
inline const QString openSample = QStringLiteral("file.openSample");
inline const QString saveAs = QStringLiteral("file.saveAs");
inline const QString exportMasks = QStringLiteral("file.export");
inline const QString close = QStringLiteral("file.close");
inline const QString quit = QStringLiteral("file.quit");
inline const QString undo = QStringLiteral("edit.undo");
inline const QString redo = QStringLiteral("edit.redo");
inline const QString addClass = QStringLiteral("edit.addClass");
inline const QString lockClass = QStringLiteral("edit.lockClass");
inline const QString previousClass = QStringLiteral("edit.previousClass");
inline const QString nextClass = QStringLiteral("edit.nextClass");
inline const QString clearSlice = QStringLiteral("edit.clearSlice");
inline const QString navigate = QStringLiteral("tool.navigate");
inline const QString brush = QStringLiteral("tool.brush");
inline const QString eraser = QStringLiteral("tool.eraser");
inline const QString fill = QStringLiteral("tool.fill");
inline const QString pick = QStringLiteral("tool.pick");
inline const QString planeXy = QStringLiteral("view.xy");
inline const QString planeXz = QStringLiteral("view.xz");
inline const QString planeZy = QStringLiteral("view.zy");
inline const QString autoContrast = QStringLiteral("view.autoContrast");
inline const QString reset3d = QStringLiteral("view.reset3d");
inline const QString image3d = QStringLiteral("view.image3d");
inline const QString mask3d = QStringLiteral("view.mask3d");
inline const QString show3d = QStringLiteral("view.show3d");
inline const QString themeSystem = QStringLiteral("view.themeSystem");
inline const QString themeLight = QStringLiteral("view.themeLight");
inline const QString themeDark = QStringLiteral("view.themeDark");
inline const QString train = QStringLiteral("learn.train");
inline const QString loadModel = QStringLiteral("learn.loadModel");
inline const QString preview = QStringLiteral("learn.preview");
inline const QString runAll = QStringLiteral("learn.runAll");
inline const QString cancel = QStringLiteral("learn.cancel");
inline const QString palette = QStringLiteral("help.palette");
inline const QString shortcuts = QStringLiteral("help.shortcuts");
/// "class.1" … "class.9"
QString chooseClass(int number);
} // namespace actions

void addAllActions(common::ActionRegistry& registry);

} // namespace voxelscribe::window
