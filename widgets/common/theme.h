#pragma once

#include <QColor>
#include <QObject>
#include <QPalette>

class QApplication;

namespace voxelscribe::common {

enum class ColourScheme { system, light, dark };

/// The designed colours of one scheme. Text colours reach a contrast of 4.5 on `window` and `surface`.
struct ThemeColours {
    QColor window;      ///< behind panels
    QColor surface;     ///< cards, lists, fields
    QColor raised;      ///< buttons
    QColor border;
    QColor text;
    QColor muted;       ///< secondary text
    QColor accent;      ///< the one accent: primary button, selection, focus ring
    QColor accentSoft;  ///< a wash of it behind the current row or step
    QColor onAccent;    ///< text on the accent
    QColor link;        ///< accent as text
    QColor success;
    QColor warning;
    QColor warningSoft;
    QColor error;
    QColor errorSoft;
};

const ThemeColours& themeColours(bool dark);
/// The colours that go with a palette set by Theme (or by anyone else: decided by its window colour).
const ThemeColours& themeColours(const QPalette& palette);
bool isDark(const QPalette& palette);

/// Gives the application its look: Fusion, a light or dark palette and one small style sheet.
/// Follows the desktop's preference unless a scheme is set.
class Theme : public QObject {
    Q_OBJECT
public:
    explicit Theme(QApplication& application, QObject* parent = nullptr);

    void setScheme(ColourScheme scheme);
    ColourScheme scheme() const { return m_scheme; }
    bool isDark() const { return m_dark; }

Q_SIGNALS:
    /// Palette and style sheet have been replaced.
    void changed(bool dark);

private:
    void apply();

    QApplication& m_application;
    ColourScheme m_scheme = ColourScheme::system;
    bool m_desktopDark = false;
    bool m_dark = false;
    bool m_applied = false;
};

} // namespace voxelscribe::common
