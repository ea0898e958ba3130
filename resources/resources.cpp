#include "resources/resources.h"

#include <QDir>

// Q_INIT_RESOURCE declares a function and so cannot stand inside a namespace.
static void registerIcons()
{
    Q_INIT_RESOURCE(voxelscribe_icons);
}

void voxelscribe::registerResources()
{
    registerIcons();
}
