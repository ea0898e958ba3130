#pragma once

#include <QString>

class QAbstractButton;
class QAction;
class QLabel;
class QWidget;

namespace voxelscribe::common {

/// Marks `button` as the one obvious next step of its panel, or takes the mark away.
void setPrimary(QAbstractButton* button, bool primary);
bool isPrimary(const QAbstractButton* button);
/// Accessible name and tooltip of a control; `shortcut` is shown after the tooltip. The object name stays as it is.
void describe(QWidget* control, const QString& name, const QString& tooltip = {}, const QString& shortcut = {});
/// A muted, wrapping line of text.
QLabel* makeNote(const QString& text, QWidget* parent);
/// A small heading inside a panel.
QLabel* makeHeading(const QString& text, QWidget* parent);
/// Gives a label the look of a note: "muted", "warning", "error" or "success".
void setTone(QLabel* label, const char* tone);

} // namespace voxelscribe::common
