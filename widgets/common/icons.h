#pragma once

#include <QIcon>
#include <QPalette>
#include <QString>

namespace voxelscribe::common {

/// The icon `name` of resources/icons, drawn in the application palette's colour `role` at the moment of painting:
/// it follows a change of theme by itself and is sharp at every scale. An unknown name gives a null icon.
QIcon icon(const QString& name, QPalette::ColorRole role = QPalette::ButtonText);
/// The coloured application icon.
QIcon applicationIcon();

} // namespace voxelscribe::common
