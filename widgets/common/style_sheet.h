#pragma once

#include "widgets/common/theme.h"

#include <QString>

namespace voxelscribe::common {

/// The application's style sheet in the given colours: buttons, cards, tones, thin progress bars. The rest is Fusion's.
QString styleSheet(const ThemeColours& colours);

} // namespace voxelscribe::common
