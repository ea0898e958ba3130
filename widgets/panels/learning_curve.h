#pragma once

#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

namespace voxelscribe::panels {

/// One epoch, as the engine's event says.
struct EpochPoint {
    int epoch = 0;
    double loss = 0;
    std::optional<double> validationLoss;
    std::optional<double> validationIoU;   ///< 0…1
    double seconds = 0;
};

/// Loss (left axis) and validation IoU (right axis, 0…1) over the epochs. Values that are not finite are left out.
class LearningCurve : public QWidget {
    Q_OBJECT
public:
    explicit LearningCurve(QWidget* parent = nullptr);

    void clear();
    void add(const EpochPoint& point);
    const std::vector<EpochPoint>& points() const { return m_points; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void describeLast();

    std::vector<EpochPoint> m_points;
};

} // namespace voxelscribe::panels
