#include "widgets/panels/share_row.h"

#include "widgets/common/text.h"
#include "widgets/common/theme.h"
#include "widgets/panels/parts.h"

#include <QPainter>

namespace voxelscribe::panels {

namespace {

/// Large counts in millions: the exact number stands in the tooltip.
QString shortVoxels(std::int64_t voxels)
{
    constexpr std::int64_t kMillion = 1000000;
    if (voxels < kMillion)
        return common::formatCounted(voxels, ShareRow::tr("voxel"), ShareRow::tr("voxels"));
    return ShareRow::tr("%1 M voxels").arg(common::formatNumber(double(voxels) / double(kMillion)));
}

} // namespace

ShareRow::ShareRow(const ClassVolume& volume, const VolumeShares& all, QWidget* parent)
    : QWidget(parent), m_name(toText(volume.info.name)), m_colour(volume.info.colour),
      m_share(all.voxels > 0 ? double(volume.voxels) / double(all.voxels) : 0)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_percent = common::formatShare(m_share);
    QStringList figures;
    if (all.voxelSizeUm)
        figures << common::formatVolumeUm3(double(volume.voxels) * all.voxelSizeUm->z * all.voxelSizeUm->y * all.voxelSizeUm->x);
    QStringList spoken = figures;
    figures << shortVoxels(volume.voxels);
    spoken << common::formatCounted(volume.voxels, tr("voxel"), tr("voxels"));
    if (volume.meanConfidence) {
        figures << tr("%1 sure").arg(common::formatShare(*volume.meanConfidence));
        spoken << tr("mean confidence %1").arg(common::formatShare(*volume.meanConfidence));
    }
    m_figures = figures.join(QStringLiteral(" · "));
    setAccessibleName(QStringLiteral("%1: %2, %3").arg(m_name, m_percent, spoken.join(QStringLiteral(", "))));
    setToolTip(accessibleName());
    setObjectName(QStringLiteral("share%1").arg(volume.info.id));
}

QSize ShareRow::sizeHint() const
{
    return {220, 2 * fontMetrics().height() + 16};
}

void ShareRow::paintEvent(QPaintEvent*)
{
    const common::ThemeColours& colours = common::themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int line = fontMetrics().height();
    const QRect upper(0, 0, width(), line);
    const int percentWidth = fontMetrics().horizontalAdvance(m_percent) + 8;
    painter.setPen(colours.text);
    painter.drawText(upper, Qt::AlignRight | Qt::AlignVCenter, m_percent);
    painter.drawText(upper, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(m_name, Qt::ElideRight, width() - percentWidth));
    const QRectF track(0, line + 3, width(), 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.border);
    painter.drawRoundedRect(track, 3, 3);
    if (m_share > 0) {
        QRectF filled = track;
        filled.setWidth(qMax(3.0, track.width() * qMin(1.0, m_share)));
        painter.setBrush(toQColor(m_colour));
        painter.drawRoundedRect(filled, qMin(3.0, filled.width() / 2), 3);
    }
    painter.setPen(colours.muted);
    const QRect lower(0, line + 11, width(), line);
    painter.drawText(lower, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(m_figures, Qt::ElideRight, width()));
}

} // namespace voxelscribe::panels
