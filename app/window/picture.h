#pragma once

#include "core/model/class_info.h"
#include "core/volume/volume.h"

#include <QImage>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace voxelscribe::window {

/// One slice beside the same slice under its masks, with the class names: a figure for people without the window.
QImage drawPicture(const Volume& image, const Volume& mask, const std::vector<ClassInfo>& classes, std::int64_t slice);

/// `voxelscribe --picture OUT.png --image P --mask M [--slice N]`. @throws Error.
void writePicture(const std::string& image, const std::string& mask, const std::filesystem::path& output, std::int64_t slice);

} // namespace voxelscribe::window
