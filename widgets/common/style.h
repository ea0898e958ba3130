#pragma once

#include <QString>

class QAbstractButton;
class QLabel;
class QWidget;

namespace voxelscribe::common {

/// Marks `button` as the one obvious next step of its panel, or takes the mark away.
void setPrimary(QAbstractButton* button, bool primary);
bool isPrimary(const QAbstractButton* button);
/// While it yields, the button bears no mark whatever setPrimary says: another one is the next step for now.
void yieldPrimary(QAbstractButton* button, bool yields);
/// A button without a frame, for what is rarely wanted.
void setQuiet(QAbstractButton* button);
/// Draws a QFrame as a card: "true" (plain), "info", "warning", "error", "active" or "row".
void setCard(QWidget* frame, const char* kind);
/// Accessible name and tooltip of a control; `shortcut` is shown after the tooltip. The object name stays as it is.
void describe(QWidget* control, const QString& name, const QString& tooltip = {}, const QString& shortcut = {});
/// A muted, wrapping line of text.
QLabel* makeNote(const QString& text, QWidget* parent);
/// A small heading inside a panel.
QLabel* makeHeading(const QString& text, QWidget* parent);
/// Gives a label the look of a note: "muted", "warning", "error" or "success".
void setTone(QLabel* label, const char* tone);
/// Sets the text; an empty label is hidden.
void showText(QLabel* label, const QString& text);

} // namespace voxelscribe::common
