#pragma once

#include "widgets/panels/check_panel.h"

namespace voxelscribe::panels {

/// One class in the list of shares: name, a bar in its colour, per cent, volume and voxels.
class ShareRow : public QWidget {
    Q_OBJECT
public:
    ShareRow(const ClassVolume& volume, const VolumeShares& all, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_name;
    QString m_percent;
    QString m_figures;
    Rgb m_colour;
    double m_share;
};

} // namespace voxelscribe::panels
