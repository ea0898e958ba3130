#include "widgets/common/style_sheet.h"

namespace voxelscribe::common {

namespace {

constexpr const char* kTemplate = R"(
QPushButton {
    background: @raised; color: @text; border: 1px solid @border; border-radius: 6px; padding: 5px 12px; min-height: 18px;
}
QPushButton:hover { border-color: @muted; }
QPushButton:focus { border-color: @accent; }
QPushButton:pressed, QPushButton:checked { background: @accentSoft; border-color: @accent; }
QPushButton:disabled { color: @faded; background: @window; }
QPushButton[primary="true"] { background: @accent; color: @onAccent; border-color: @accent; font-weight: 600; }
QPushButton[primary="true"]:hover { background: @accentHover; border-color: @accentHover; }
QPushButton[primary="true"]:focus { border: 2px solid @text; padding: 4px 11px; }
QPushButton[primary="true"]:pressed { background: @accentDown; }
QPushButton[primary="true"]:disabled { background: @border; color: @faded; border-color: @border; }
QPushButton[large="true"] { padding: 10px 16px; }
QPushButton[large="true"][primary="true"]:focus { padding: 9px 15px; }
QPushButton[quiet="true"] { background: transparent; border-color: transparent; color: @link; padding: 3px 6px; }
QPushButton[quiet="true"]:hover { background: @accentSoft; }
QPushButton[quiet="true"]:focus { border-color: @accent; }
QPushButton[quiet="true"]:disabled { color: @faded; }

QToolButton { background: transparent; border: 1px solid transparent; border-radius: 5px; padding: 4px; }
QToolButton:hover { background: @hover; }
QToolButton:focus { border-color: @accent; }
QToolButton:pressed { background: @accentSoft; }
QToolButton:checked { background: @checked; }
QToolButton:checked:focus { border-color: @accent; }
QToolButton[plain="true"] { padding: 3px; }
QToolButton[plain="true"]:checked { background: transparent; }

QProgressBar { background: @border; border: none; border-radius: 3px; min-height: 6px; max-height: 6px; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }

QFrame[card="true"] { background: @surface; border: 1px solid @border; border-radius: 8px; }
QFrame[card="warning"] { background: @warningSoft; border: 1px solid @warning; border-radius: 6px; }
QFrame[card="error"] { background: @errorSoft; border: 1px solid @error; border-radius: 6px; }
QFrame[card="info"] { background: @accentSoft; border: 1px solid @accent; border-radius: 6px; }
QFrame[card="active"] { background: @accentSoft; border: 1px solid @accent; border-radius: 6px; }
QFrame[card="row"] { background: transparent; border: 1px solid transparent; border-radius: 6px; }
QFrame[card="row"]:hover { background: @hover; }

QLabel[tone="muted"] { color: @muted; }
QLabel[tone="warning"] { color: @warning; }
QLabel[tone="error"] { color: @error; }
QLabel[tone="success"] { color: @success; }
QLabel[heading="true"] { font-weight: 600; }

QLineEdit[inplace="true"] { background: transparent; border: 1px solid transparent; border-radius: 4px; padding: 2px 4px; }
QLineEdit[inplace="true"]:hover { border-color: @border; }
QLineEdit[inplace="true"]:focus { background: @surface; border-color: @accent; }

QCheckBox { spacing: 8px; }
QCheckBox::indicator { width: 15px; height: 15px; border: 1px solid @muted; border-radius: 4px; background: @surface; }
QCheckBox::indicator:hover, QCheckBox::indicator:focus { border-color: @accent; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: url(:/icons/tick.svg); }
QCheckBox::indicator:disabled { border-color: @border; background: @window; }

QToolTip { background: @raised; color: @text; border: 1px solid @border; padding: 4px 6px; }
QScrollArea { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @border; border-radius: 4px; margin: 1px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: @faded; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox {
    background: @surface; border: 1px solid @border; border-radius: 5px; padding: 3px 6px; min-height: 18px;
    selection-background-color: @accent; selection-color: @onAccent;
}
QLineEdit:hover, QComboBox:hover, QSpinBox:hover, QDoubleSpinBox:hover { border-color: @muted; }
QLineEdit:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus { border-color: @accent; }
QLineEdit:disabled, QComboBox:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled { background: @window; color: @faded; border-color: @border; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/icons/arrow-down.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @surface; border: 1px solid @border; selection-background-color: @accentSoft; selection-color: @text; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right; border: none; width: 16px; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right; border: none; width: 16px; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/icons/arrow-up.svg); width: 9px; height: 9px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/icons/arrow-down.svg); width: 9px; height: 9px; }

QSlider:horizontal { min-height: 20px; }
QSlider::groove:horizontal { height: 4px; background: @border; border-radius: 2px; }
QSlider::sub-page:horizontal { background: @accent; border-radius: 2px; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -6px 0; border-radius: 8px; background: @raised; border: 1px solid @muted; }
QSlider::handle:horizontal:hover { border-color: @text; }
QSlider::handle:horizontal:focus { border: 2px solid @accent; width: 12px; height: 12px; }
QSlider::groove:horizontal:disabled, QSlider::sub-page:horizontal:disabled { background: @border; }
)";

QColor shifted(const QColor& colour, double share)
{
    const auto move = [share](int value) { return qBound(0, qRound(value + 255 * share), 255); };
    return QColor(move(colour.red()), move(colour.green()), move(colour.blue()));
}

} // namespace

QString styleSheet(const ThemeColours& colours)
{
    const bool dark = colours.window.lightness() < 128;
    const QColor faded((colours.text.red() + colours.window.red()) / 2, (colours.text.green() + colours.window.green()) / 2,
                       (colours.text.blue() + colours.window.blue()) / 2);
    // Longer names first: "@accent" is the beginning of "@accentSoft".
    const std::pair<const char*, QColor> names[] = {
        {"@checked", dark ? QColor(0x2c4a70U) : QColor(0xcfe0f6U)}, {"@accentSoft", colours.accentSoft}, {"@accentHover", shifted(colours.accent, dark ? 0.05 : -0.05)},
        {"@accentDown", shifted(colours.accent, -0.09)}, {"@accent", colours.accent}, {"@onAccent", colours.onAccent},
        {"@warningSoft", colours.warningSoft}, {"@warning", colours.warning}, {"@errorSoft", colours.errorSoft},
        {"@error", colours.error}, {"@success", colours.success}, {"@window", colours.window}, {"@surface", colours.surface},
        {"@raised", colours.raised}, {"@border", colours.border}, {"@muted", colours.muted}, {"@link", colours.link},
        {"@text", colours.text}, {"@faded", faded},
    };
    QString sheet = QString::fromLatin1(kTemplate);
    sheet.replace(QLatin1String("@hover"), QStringLiteral("rgba(%1,%2,%3,7%)").arg(colours.text.red()).arg(colours.text.green()).arg(colours.text.blue()));
    for (const auto& [name, colour] : names)
        sheet.replace(QLatin1String(name), colour.name());
    return sheet;
}

} // namespace voxelscribe::common
