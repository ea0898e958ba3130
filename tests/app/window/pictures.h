#pragma once

#include <QImage>
#include <QString>
#include <cstdint>
#include <map>

namespace voxelscribe::slice {
class SliceView;
}

namespace voxelscribe::test {

/// How many pixels of a picture have the colour of each class: about its hue, as strong as only a class colour is.
std::map<int, std::int64_t> pixelsOfClasses(const QImage& picture, int classes);
/// The share of the mask's voxels in the slice shown that are drawn in the colour of their class, over the image's grey.
double colouredShare(slice::SliceView& view, const QString& mask);

} // namespace voxelscribe::test
