#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/theme.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest/QtTest>
#include <cmath>

using namespace voxelscribe::common;

namespace {

// WCAG 2.1, relative luminance and contrast ratio.
double luminance(const QColor& colour)
{
    const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QImage painted(const QIcon& icon, int edge, QIcon::Mode mode = QIcon::Normal)
{
    QImage image(edge, edge, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    icon.paint(&painter, image.rect(), Qt::AlignCenter, mode);
    return image;
}

/// The colour of the most opaque pixel.
QColor inkOf(const QImage& image)
{
    QColor ink(Qt::transparent);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixelColor(x, y).alpha() > ink.alpha())
                ink = image.pixelColor(x, y);
    return ink;
}

} // namespace

class TestTheme : public QObject {
    Q_OBJECT
    std::unique_ptr<Theme> m_theme;

private Q_SLOTS:
    void init() { m_theme = std::make_unique<Theme>(*qApp); }
    void cleanup() { m_theme.reset(); }

    void textIsReadable_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void textIsReadable()
    {
        QFETCH(bool, dark);
        const ThemeColours& colours = themeColours(dark);
        constexpr double kReadable = 4.5; // WCAG AA
        for (const QColor& text : {colours.text, colours.muted, colours.link, colours.success, colours.warning, colours.error})
            for (const QColor& ground : {colours.window, colours.surface})
                QVERIFY2(contrast(text, ground) >= kReadable, qPrintable(text.name() + " on " + ground.name()));
        QVERIFY(contrast(colours.onAccent, colours.accent) >= kReadable);
        QVERIFY(contrast(colours.text, colours.warningSoft) >= kReadable);
        QVERIFY(contrast(colours.text, colours.errorSoft) >= kReadable);
        QVERIFY(contrast(colours.text, colours.accentSoft) >= kReadable);
    }

    void schemeSetsThePalette()
    {
        m_theme->setScheme(ColourScheme::dark);
        QVERIFY(m_theme->isDark());
        QVERIFY(isDark(QApplication::palette()));
        m_theme->setScheme(ColourScheme::light);
        QVERIFY(!m_theme->isDark());
        QCOMPARE(QApplication::palette().color(QPalette::Window), themeColours(false).window);
        QCOMPARE(QApplication::palette().color(QPalette::Highlight), themeColours(false).accent);
    }
    void sameSchemeAgainChangesNothing()
    {
        m_theme->setScheme(ColourScheme::dark);
        QSignalSpy changed(m_theme.get(), &Theme::changed);
        m_theme->setScheme(ColourScheme::dark);
        QCOMPARE(changed.size(), 0);
        m_theme->setScheme(ColourScheme::light);
        QCOMPARE(changed.size(), 1);
    }
    void fontIsLargeEnough() { QVERIFY(QApplication::font().pointSize() >= 10); }

    void primaryButtonShowsTheAccent()
    {
        m_theme->setScheme(ColourScheme::light);
        QPushButton button(QStringLiteral("Train"));
        button.resize(120, 32);
        setPrimary(&button, true);
        QVERIFY(isPrimary(&button));
        QCOMPARE(button.grab().toImage().pixelColor(10, 16), themeColours(false).accent);
        setPrimary(&button, false);
        QVERIFY(button.grab().toImage().pixelColor(10, 16) != themeColours(false).accent);
    }

    void iconsFollowTheTheme()
    {
        const QIcon brush = icon(QStringLiteral("brush"));
        m_theme->setScheme(ColourScheme::light);
        QCOMPARE(inkOf(painted(brush, 48)), themeColours(false).text);
        m_theme->setScheme(ColourScheme::dark);
        QCOMPARE(inkOf(painted(brush, 48)), themeColours(true).text);
        QVERIFY(inkOf(painted(brush, 48, QIcon::Disabled)) != themeColours(true).text);
    }
    void iconsAreSharpAtTwoTimes()
    {
        const QPixmap pixmap = icon(QStringLiteral("lock")).pixmap(QSize(16, 16), 2.0);
        QCOMPARE(pixmap.size(), QSize(32, 32));
        QCOMPARE(pixmap.devicePixelRatio(), 2.0);
    }
    void everyIconDrawsSomething()
    {
        QVERIFY(!icon(QStringLiteral("brush")).isNull());
        const QStringList names = QDir(QStringLiteral(":/icons")).entryList();
        QVERIFY(names.size() > 30);
        for (const QString& name : names)
            QVERIFY2(inkOf(painted(icon(name.chopped(4)), 24)).alpha() > 100, qPrintable(name));
        QVERIFY(!applicationIcon().isNull());
    }
    void unknownIconIsNull() { QVERIFY(icon(QStringLiteral("no such icon")).isNull()); }

    void descriptionsNameTheShortcut()
    {
        QPushButton button;
        describe(&button, QStringLiteral("Train"), QStringLiteral("Learn from your strokes"), QStringLiteral("Ctrl+T"));
        QCOMPARE(button.accessibleName(), QStringLiteral("Train"));
        QCOMPARE(button.toolTip(), QStringLiteral("Learn from your strokes (Ctrl+T)"));
        describe(&button, QStringLiteral("Fit"));
        QCOMPARE(button.toolTip(), QStringLiteral("Fit"));
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
