#include "widgets/common/theme.h"

#include "resources/resources.h"
#include "widgets/common/desktop_scheme.h"
#include "widgets/common/style_sheet.h"

#include <QApplication>
#include <QFont>
#include <QStyleFactory>

namespace voxelscribe::common {

namespace {

ThemeColours makeLight()
{
    ThemeColours colours;
    colours.window = QColor(0xf3f4f6);
    colours.surface = QColor(0xffffff);
    colours.raised = QColor(0xffffff);
    colours.border = QColor(0xd3d7dd);
    colours.text = QColor(0x1c2128);
    colours.muted = QColor(0x59636e);
    colours.accent = QColor(0x1d63b8);
    colours.accentSoft = QColor(0xe3eefb);
    colours.onAccent = QColor(0xffffff);
    colours.link = QColor(0x1d63b8);
    colours.success = QColor(0x1a7a3c);
    colours.warning = QColor(0x855400);
    colours.warningSoft = QColor(0xfdf3d7);
    colours.error = QColor(0xb42318);
    colours.errorSoft = QColor(0xfde9e7);
    return colours;
}

ThemeColours makeDark()
{
    ThemeColours colours;
    colours.window = QColor(0x1d2024);
    colours.surface = QColor(0x25292e);
    colours.raised = QColor(0x30353b);
    colours.border = QColor(0x3f464e);
    colours.text = QColor(0xe4e7eb);
    colours.muted = QColor(0xa3abb5);
    colours.accent = QColor(0x2f74cc);
    colours.accentSoft = QColor(0x23364d);
    colours.onAccent = QColor(0xffffff);
    colours.link = QColor(0x7db3f5);
    colours.success = QColor(0x6cc58b);
    colours.warning = QColor(0xe3b341);
    colours.warningSoft = QColor(0x3a3219);
    colours.error = QColor(0xff8a80);
    colours.errorSoft = QColor(0x43251f);
    return colours;
}

QColor mixed(const QColor& a, const QColor& b, double shareOfB)
{
    const auto mix = [shareOfB](int from, int to) { return qRound(from + (to - from) * shareOfB); };
    return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

QPalette makePalette(const ThemeColours& colours)
{
    QPalette palette;
    palette.setColor(QPalette::Window, colours.window);
    palette.setColor(QPalette::WindowText, colours.text);
    palette.setColor(QPalette::Base, colours.surface);
    palette.setColor(QPalette::AlternateBase, colours.window);
    palette.setColor(QPalette::Text, colours.text);
    palette.setColor(QPalette::PlaceholderText, colours.muted);
    palette.setColor(QPalette::Button, colours.raised);
    palette.setColor(QPalette::ButtonText, colours.text);
    palette.setColor(QPalette::BrightText, colours.onAccent);
    palette.setColor(QPalette::ToolTipBase, colours.raised);
    palette.setColor(QPalette::ToolTipText, colours.text);
    palette.setColor(QPalette::Highlight, colours.accent);
    palette.setColor(QPalette::HighlightedText, colours.onAccent);
    palette.setColor(QPalette::Link, colours.link);
    palette.setColor(QPalette::LinkVisited, colours.link);
    palette.setColor(QPalette::Light, colours.raised.lighter(110));
    palette.setColor(QPalette::Midlight, colours.surface);
    palette.setColor(QPalette::Mid, colours.border);
    palette.setColor(QPalette::Dark, colours.border.darker(120));
    palette.setColor(QPalette::Shadow, QColor(Qt::black));
    const QColor faded = mixed(colours.text, colours.window, 0.55);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        palette.setColor(QPalette::Disabled, role, faded);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, colours.border);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, faded);
    palette.setColor(QPalette::Disabled, QPalette::Base, colours.window);
    return palette;
}

} // namespace

const ThemeColours& themeColours(bool dark)
{
    static const ThemeColours light = makeLight();
    static const ThemeColours night = makeDark();
    return dark ? night : light;
}

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < 128;
}

const ThemeColours& themeColours(const QPalette& palette)
{
    return themeColours(isDark(palette));
}

Theme::Theme(QApplication& application, QObject* parent) : QObject(parent), m_application(application)
{
    registerResources(); // the style sheet names arrows in them
    m_desktopDark = common::isDark(QApplication::palette());
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    constexpr int kSmallestReadablePoints = 10;
    QFont font = QApplication::font();
    if (font.pointSize() > 0 && font.pointSize() < kSmallestReadablePoints) {
        font.setPointSize(kSmallestReadablePoints);
        QApplication::setFont(font);
    }
    auto* desktop = new DesktopScheme(this);
    connect(desktop, &DesktopScheme::preferenceFound, this, [this](bool dark) {
        m_desktopDark = dark;
        apply();
    });
    desktop->ask();
    apply();
}

void Theme::setScheme(ColourScheme scheme)
{
    m_scheme = scheme;
    apply();
}

void Theme::apply()
{
    const bool dark = m_scheme == ColourScheme::dark || (m_scheme == ColourScheme::system && m_desktopDark);
    if (m_applied && dark == m_dark)
        return;
    m_applied = true;
    m_dark = dark;
    const ThemeColours& colours = themeColours(dark);
    QApplication::setPalette(makePalette(colours));
    m_application.setStyleSheet(styleSheet(colours));
    Q_EMIT changed(dark);
}

} // namespace voxelscribe::common
