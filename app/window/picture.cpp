#include "app/window/picture.h"

#include "app/window/stack_loader.h"
#include "core/base/error.h"
#include "core/io/mask_metadata.h"
#include "core/io/open.h"

#include <QFont>
#include <QPainter>
#include <algorithm>
#include <map>

namespace voxelscribe::window {

namespace {

constexpr int kMargin = 16;      // pixels around and between the parts
constexpr int kLegendHeight = 40;

QImage greyOf(const Volume& image, std::int64_t slice)
{
    const Extent& whole = image.extent();
    const auto [low, high] = contrastOf(image, slice);
    const std::vector<float> samples = readAs<float>(image, Region::slice(whole, slice));
    QImage picture(static_cast<int>(whole.x), static_cast<int>(whole.y), QImage::Format_RGB32);
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) {
            const double value = samples[static_cast<std::size_t>(y) * static_cast<std::size_t>(whole.x) + static_cast<std::size_t>(x)];
            const double scaled = value == value ? (value - low) / (high - low) * 255.0 : 0.0;
            const int grey = static_cast<int>(std::clamp(scaled, 0.0, 255.0));
            picture.setPixel(x, y, qRgb(grey, grey, grey));
        }
    return picture;
}

QImage overlaid(QImage grey, const Volume& mask, const std::vector<ClassInfo>& classes, std::int64_t slice)
{
    std::map<std::uint16_t, Rgb> colours;
    for (const ClassInfo& info : classes)
        colours[info.id] = info.colour;
    const std::vector<std::uint16_t> ids = readAs<std::uint16_t>(mask, Region::slice(mask.extent(), slice));
    std::size_t at = 0;
    for (int y = 0; y < grey.height(); ++y)
        for (int x = 0; x < grey.width(); ++x, ++at) {
            if (ids[at] == 0)
                continue;
            const auto known = colours.find(ids[at]);
            const QColor colour = QColor::fromRgb(known != colours.end() ? known->second : defaultClassColour(ids[at]));
            const int base = qRed(grey.pixel(x, y));
            grey.setPixel(x, y, qRgb((base + colour.red()) / 2, (base + colour.green()) / 2, (base + colour.blue()) / 2));
        }
    return grey;
}

void drawLegend(QPainter& painter, const std::vector<ClassInfo>& classes, int left, int top)
{
    QFont font = painter.font();
    font.setPixelSize(16);
    painter.setFont(font);
    for (const ClassInfo& info : classes) {
        const QString name = QString::fromStdString(info.name);
        painter.fillRect(left, top + 4, 16, 16, QColor::fromRgb(info.colour));
        painter.drawText(left + 24, top + 18, name);
        left += 48 + painter.fontMetrics().horizontalAdvance(name);
    }
}

} // namespace

QImage drawPicture(const Volume& image, const Volume& mask, const std::vector<ClassInfo>& classes, std::int64_t slice)
{
    constexpr std::int64_t kLargest = 8192;
    if (image.extent() != mask.extent())
        throw Error(ErrorCode::shape, "the mask has " + mask.extent().text() + " voxels (z×y×x), the image " + image.extent().text()
                                          + "; give the mask that was made from this image");
    if (image.extent().y > kLargest || image.extent().x > kLargest)
        throw Error(ErrorCode::shape, "a picture shows slices of up to 8192×8192 pixels, these have " + image.extent().text()
                                          + "; crop or bin both with convert first");
    const QImage grey = greyOf(image, slice);
    QImage picture(2 * grey.width() + 3 * kMargin, grey.height() + 2 * kMargin + kLegendHeight, QImage::Format_RGB32);
    picture.fill(QColor(0x1b1e23));
    QPainter painter(&picture);
    painter.drawImage(kMargin, kMargin, grey);
    painter.drawImage(2 * kMargin + grey.width(), kMargin, overlaid(grey, mask, classes, slice));
    painter.setPen(QColor(0xe6e8eb));
    drawLegend(painter, classes, kMargin, grey.height() + 2 * kMargin);
    return picture;
}

void writePicture(const std::string& image, const std::string& mask, const std::filesystem::path& output, std::int64_t slice)
{
    const VolumePtr imageVolume = io::open(io::Source::parse(image));
    const io::Source maskSource = io::Source::parse(mask);
    const VolumePtr maskVolume = io::open(maskSource);
    const std::int64_t z = slice < 0 ? imageVolume->extent().z / 2 : std::min(slice, imageVolume->extent().z - 1);
    const QImage picture = drawPicture(*imageVolume, *maskVolume, io::readMaskMetadata(maskSource).classes, z);
    if (!picture.save(QString::fromStdString(output.string())))
        throw Error(ErrorCode::io, "cannot write the picture " + output.string() + "; give a name ending in .png in a folder that exists");
}

} // namespace voxelscribe::window
