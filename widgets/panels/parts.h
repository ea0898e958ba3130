#pragma once

#include "core/model/class_info.h"

#include <QColor>
#include <QDoubleSpinBox>
#include <QIcon>
#include <QString>

class QFrame;
class QLayout;
class QProgressBar;
class QPushButton;
class QToolButton;

/// Small pieces that several panels are made of.
namespace voxelscribe::panels {

QColor toQColor(Rgb colour);
Rgb toRgb(const QColor& colour);
QString toText(const std::string& utf8);
/// A rounded square in a class's colour.
QIcon swatchIcon(Rgb colour);

/// A flat button with an icon. It takes no focus from a click, so that the keys of the image view keep working.
QToolButton* makeToolButton(const QString& iconName, const QString& name, const QString& tooltip, const QString& shortcut,
                            QWidget* parent);
QPushButton* makeButton(const QString& iconName, const QString& text, const QString& tooltip, QWidget* parent);
QProgressBar* makeProgressBar(const QString& name, QWidget* parent);
/// Sets value and busy look from JobProgress::permille.
void showPermille(QProgressBar* bar, int permille);
/// An inline card with an icon and a wrapping text; `kind` is "warning", "error" or "info".
QFrame* makeCard(const char* kind, const QString& text, QWidget* parent);
/// Removes and deletes (later) everything in a layout.
void clearLayout(QLayout* layout);

/// A number field without trailing zeros, a point as decimal sign, and `specialValueText` at its minimum.
class NumberBox : public QDoubleSpinBox {
    Q_OBJECT
public:
    explicit NumberBox(QWidget* parent = nullptr);
    QString textFromValue(double value) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
};

} // namespace voxelscribe::panels
