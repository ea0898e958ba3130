#include "app/window/main_window.h"
#include "app/window/picture.h"
#include "widgets/common/theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QTextStream>

using namespace voxelscribe;

namespace {

common::ColourScheme schemeOf(const QString& word)
{
    if (word == QStringLiteral("light"))
        return common::ColourScheme::light;
    return word == QStringLiteral("dark") ? common::ColourScheme::dark : common::ColourScheme::system;
}

int drawPicture(const QCommandLineParser& options)
{
    try {
        bool isNumber = false;
        const qint64 slice = options.value(QStringLiteral("slice")).toLongLong(&isNumber);
        window::writePicture(options.value(QStringLiteral("image")).toStdString(), options.value(QStringLiteral("mask")).toStdString(),
                             options.value(QStringLiteral("picture")).toStdString(), isNumber ? slice : -1);
    } catch (const std::exception& error) {
        QTextStream(stderr) << "error: " << QString::fromUtf8(error.what()) << '\n';
        return 1;
    }
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("voxelscribe"));
    QApplication::setOrganizationName(QStringLiteral("voxelscribe"));
    QApplication::setApplicationDisplayName(QStringLiteral("Voxelscribe"));
    QApplication::setApplicationVersion(QStringLiteral(VOXELSCRIBE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("voxelscribe"));

    QCommandLineParser options;
    options.setApplicationDescription(QStringLiteral("Segment large image stacks from a few strokes."));
    options.addHelpOption();
    options.addVersionOption();
    options.addPositionalArgument(QStringLiteral("path"), QStringLiteral("A file, a folder, FILE::/data/set or a project to open."), QStringLiteral("[path]"));
    options.addOptions({
        {QStringLiteral("engine"), QStringLiteral("The engine to use instead of the one beside this program."), QStringLiteral("program")},
        {QStringLiteral("colours"), QStringLiteral("light, dark or system."), QStringLiteral("scheme")},
        {QStringLiteral("picture"), QStringLiteral("Draw a slice of an image and its mask into this file and end."), QStringLiteral("file.png")},
        {QStringLiteral("image"), QStringLiteral("With --picture: the image."), QStringLiteral("path")},
        {QStringLiteral("mask"), QStringLiteral("With --picture: the mask."), QStringLiteral("path")},
        {QStringLiteral("slice"), QStringLiteral("With --picture: the slice, by default the middle one."), QStringLiteral("number")},
    });
    options.process(application);
    if (options.isSet(QStringLiteral("picture")))
        return drawPicture(options);

    common::Theme theme(application);
    const QString wanted = options.value(QStringLiteral("colours"));
    theme.setScheme(schemeOf(wanted.isEmpty() ? QSettings().value(QStringLiteral("colours")).toString() : wanted));
    window::MainWindow window(theme, options.value(QStringLiteral("engine")));
    window.show();
    if (!options.positionalArguments().isEmpty())
        window.openPath(options.positionalArguments().constFirst());
    return QApplication::exec();
}
