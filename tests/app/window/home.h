#pragma once

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QStringList>
#include <QTemporaryDir>

namespace voxelscribe::test {

/// HOME and the XDG folders of a person who has never started the program. Made before the application is.
class Home {
public:
    Home()
    {
        for (const char* name : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
            qunsetenv(name);
        qputenv("HOME", QFile::encodeName(path()));
        qputenv("LC_ALL", "C.UTF-8");
    }

    bool isValid() const { return m_folder.isValid(); }
    QString path() const { return m_folder.path(); }
    QString file(const QString& name) const { return m_folder.filePath(name); }

private:
    QTemporaryDir m_folder;
};

/// The application's names, as the program gives them: settings and data folders follow from them.
inline void nameApplication()
{
    QApplication::setApplicationName(QStringLiteral("voxelscribe"));
    QApplication::setOrganizationName(QStringLiteral("voxelscribe"));
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs); // the keys of the tests go to this process alone
}

} // namespace voxelscribe::test
