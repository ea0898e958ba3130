#include "app/window/actions.h"

#include <QAction>

namespace voxelscribe::window {

namespace {

QString text(const char* words)
{
    return common::ActionRegistry::tr(words);
}

common::ActionSpec spec(const QString& id, const char* category, const char* words, QList<QKeySequence> keys = {}, const char* icon = "")
{
    common::ActionSpec made;
    made.id = id;
    made.category = text(category);
    made.text = text(words);
    made.shortcuts = std::move(keys);
    made.iconName = QString::fromLatin1(icon);
    return made;
}

/// Acts only while a view has the focus: a single letter.
common::ActionSpec viewSpec(const QString& id, const char* category, const char* words, QList<QKeySequence> keys, const char* icon = "")
{
    common::ActionSpec made = spec(id, category, words, std::move(keys), icon);
    made.inViewsOnly = true;
    return made;
}

common::ActionSpec toggleSpec(const QString& id, const char* words)
{
    common::ActionSpec made = spec(id, "View", words);
    made.checkable = true;
    return made;
}

void addFileActions(common::ActionRegistry& registry)
{
    registry.add(spec(actions::openFile, "File", "Open file…", {QKeySequence::Open}, "open-file"));
    registry.add(spec(actions::openFolder, "File", "Open folder…", {QKeySequence(QStringLiteral("Ctrl+Shift+O"))}, "open-folder"));
    registry.add(spec(actions::openProject, "File", "Open project…"));
    registry.add(spec(actions::openSample, "File", "Try the sample", {}, "sample"));
    registry.add(spec(actions::saveAs, "File", "Save project as…", {QKeySequence(QStringLiteral("Ctrl+Shift+S"))}, "save"));
    registry.add(spec(actions::exportMasks, "File", "Export masks…", {QKeySequence(QStringLiteral("Ctrl+E"))}, "export"));
    registry.add(spec(actions::close, "File", "Close stack", {QKeySequence(QStringLiteral("Ctrl+W"))}));
    registry.add(spec(actions::quit, "File", "Quit", {QKeySequence(QStringLiteral("Ctrl+Q"))}));
}

void addEditActions(common::ActionRegistry& registry)
{
    registry.add(spec(actions::undo, "Edit", "Undo", {QKeySequence(QStringLiteral("Ctrl+Z"))}, "undo"));
    registry.add(spec(actions::redo, "Edit", "Redo",
                      {QKeySequence(QStringLiteral("Ctrl+Y")), QKeySequence(QStringLiteral("Ctrl+Shift+Z"))}, "redo"));
    registry.add(viewSpec(actions::addClass, "Classes", "New class", {QKeySequence(QStringLiteral("M"))}, "add"));
    registry.add(viewSpec(actions::lockClass, "Classes", "Lock or unlock the class", {QKeySequence(QStringLiteral("K"))}, "lock"));
    registry.add(viewSpec(actions::previousClass, "Classes", "Previous class", {QKeySequence(QStringLiteral(","))}));
    registry.add(viewSpec(actions::nextClass, "Classes", "Next class", {QKeySequence(QStringLiteral("."))}));
    for (int number = 1; number <= 9; ++number) {
        auto choose = viewSpec(actions::chooseClass(number), "Classes", "Class", {QKeySequence(QString::number(number))});
        choose.text = text("Paint class %1").arg(number);
        registry.add(choose);
    }
    registry.add(spec(actions::clearSlice, "Edit", "Clear the strokes of this slice"));
}

void addToolActions(common::ActionRegistry& registry)
{
    registry.add(viewSpec(actions::navigate, "Tools", "Navigate", {QKeySequence(QStringLiteral("N"))}, "navigate"));
    registry.add(viewSpec(actions::brush, "Tools", "Brush", {QKeySequence(QStringLiteral("B"))}, "brush"));
    registry.add(viewSpec(actions::eraser, "Tools", "Eraser", {QKeySequence(QStringLiteral("E"))}, "eraser"));
    registry.add(viewSpec(actions::fill, "Tools", "Fill", {QKeySequence(QStringLiteral("G"))}, "fill"));
    registry.add(viewSpec(actions::pick, "Tools", "Pick class", {QKeySequence(QStringLiteral("I"))}, "pick"));
}

void addViewActions(common::ActionRegistry& registry)
{
    registry.add(spec(actions::planeXy, "View", "Slices along z (xy)", {QKeySequence(QStringLiteral("Ctrl+1"))}));
    registry.add(spec(actions::planeXz, "View", "Slices along y (xz)", {QKeySequence(QStringLiteral("Ctrl+2"))}));
    registry.add(spec(actions::planeZy, "View", "Slices along x (zy)", {QKeySequence(QStringLiteral("Ctrl+3"))}));
    registry.add(viewSpec(actions::autoContrast, "View", "Auto contrast", {QKeySequence(QStringLiteral("C"))}, "contrast"));
    registry.add(viewSpec(actions::reset3d, "View", "Reset the 3D view", {QKeySequence(QStringLiteral("R"))}, "reset"));
    registry.add(toggleSpec(actions::show3d, "Show the 3D view"));
    registry.add(toggleSpec(actions::image3d, "Image in 3D"));
    registry.add(toggleSpec(actions::mask3d, "Masks in 3D"));
    registry.add(toggleSpec(actions::themeSystem, "Colours of the desktop"));
    registry.add(toggleSpec(actions::themeLight, "Light colours"));
    registry.add(toggleSpec(actions::themeDark, "Dark colours"));
}

void addLearningActions(common::ActionRegistry& registry)
{
    registry.add(spec(actions::train, "Learning", "Train", {QKeySequence(QStringLiteral("Ctrl+T"))}, "train"));
    registry.add(spec(actions::loadModel, "Learning", "Load model…", {QKeySequence(QStringLiteral("Ctrl+L"))}, "load"));
    registry.add(spec(actions::preview, "Learning", "Preview this slice", {QKeySequence(QStringLiteral("Ctrl+P"))}, "preview"));
    registry.add(spec(actions::runAll, "Learning", "Run on the whole stack", {QKeySequence(QStringLiteral("Ctrl+R"))}, "play"));
    registry.add(spec(actions::cancel, "Learning", "Cancel the running job", {QKeySequence(QStringLiteral("Ctrl+."))}, "stop"));
}

void addHelpActions(common::ActionRegistry& registry)
{
    registry.add(spec(actions::palette, "Help", "Find an action…", {QKeySequence(QStringLiteral("Ctrl+K"))}, "search"));
    registry.add(spec(actions::shortcuts, "Help", "Keys and mouse", {QKeySequence(QStringLiteral("?")), QKeySequence(Qt::Key_F1)}, "keyboard"));
}

} // namespace

QString actions::chooseClass(int number)
{
    return QStringLiteral("class.%1").arg(number);
}

void addAllActions(common::ActionRegistry& registry)
{
    addFileActions(registry);
    addEditActions(registry);
    addToolActions(registry);
    addViewActions(registry);
    addLearningActions(registry);
    addHelpActions(registry);
}

} // namespace voxelscribe::window
