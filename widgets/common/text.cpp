#include "widgets/common/text.h"

#include <QLocale>
#include <QRegularExpression>
#include <cmath>

namespace voxelscribe::common {

namespace {

// One writing of numbers everywhere, whatever the machine's locale: figures get copied into notes and papers.
QLocale numberLocale()
{
    return QLocale(QLocale::English, QLocale::UnitedStates);
}

QString twoParts(std::int64_t big, const char* bigUnit, std::int64_t small, const char* smallUnit)
{
    const QString first = QStringLiteral("%1 %2").arg(big).arg(QLatin1String(bigUnit));
    return small == 0 ? first : QStringLiteral("%1 %2 %3").arg(first).arg(small).arg(QLatin1String(smallUnit));
}

} // namespace

QString formatDuration(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0)
        return QStringLiteral("unknown");
    if (seconds < 1)
        return QStringLiteral("less than a second");
    const std::int64_t whole = std::llround(seconds);
    if (whole < 60)
        return QStringLiteral("%1 s").arg(whole);
    if (whole < 3600)
        return twoParts(whole / 60, "min", whole % 60, "s");
    const std::int64_t minutes = (whole + 30) / 60;
    if (minutes < 24 * 60)
        return twoParts(minutes / 60, "h", minutes % 60, "min");
    const std::int64_t hours = (minutes + 30) / 60;
    return twoParts(hours / 24, hours / 24 == 1 ? "day" : "days", hours % 24, "h");
}

QString formatRemaining(std::optional<double> seconds)
{
    if (!seconds || !std::isfinite(*seconds) || *seconds < 0)
        return {};
    if (*seconds < 1)
        return QStringLiteral("almost done");
    // An estimate is no stop watch: seconds only below a minute and a half, in fives above ten.
    double rounded = *seconds;
    if (rounded >= 90)
        rounded = std::round(rounded / 60) * 60;
    else if (rounded > 10)
        rounded = std::round(rounded / 5) * 5;
    return QStringLiteral("about %1 left").arg(formatDuration(rounded));
}

QString formatCount(std::int64_t count)
{
    return numberLocale().toString(static_cast<qlonglong>(count));
}

QString formatCounted(std::int64_t count, const QString& singular, const QString& plural)
{
    return QStringLiteral("%1 %2").arg(formatCount(count), count == 1 ? singular : plural);
}

QString formatShare(double share)
{
    const double percent = share * 100;
    if (!std::isfinite(percent))
        return QStringLiteral("–");
    if (percent > 0 && percent < 0.01)
        return QStringLiteral("< 0.01 %");
    const int decimals = percent > 0 && percent < 1 ? 2 : 1;
    return QStringLiteral("%1 %").arg(numberLocale().toString(percent, 'f', decimals));
}

QString formatNumber(double value)
{
    if (!std::isfinite(value))
        return QStringLiteral("–");
    if (std::abs(value) >= 1000 && std::abs(value) < 1e15)
        return formatCount(std::llround(value));
    return numberLocale().toString(value, 'g', 4);
}

QString sentence(const QString& text)
{
    static const QRegularExpression plainWord(QStringLiteral("^[a-z]+(?=[ :,;]|$)"));
    return plainWord.match(text).hasMatch() ? text.at(0).toUpper() + text.mid(1) : text;
}

QString formatVolumeUm3(double volumeUm3)
{
    constexpr double kUm3PerMm3 = 1e9;
    constexpr double kNm3PerUm3 = 1e9;
    if (volumeUm3 >= 0.01 * kUm3PerMm3)
        return QStringLiteral("%1 mm³").arg(formatNumber(volumeUm3 / kUm3PerMm3));
    if (volumeUm3 > 0 && volumeUm3 < 0.001)
        return QStringLiteral("%1 nm³").arg(formatNumber(volumeUm3 * kNm3PerUm3));
    return QStringLiteral("%1 µm³").arg(formatNumber(volumeUm3));
}

QString formatVoxelSize(const std::optional<VoxelSizeUm>& size)
{
    if (!size)
        return QStringLiteral("unknown");
    return QStringLiteral("%1 × %2 × %3 µm").arg(formatNumber(size->z), formatNumber(size->y), formatNumber(size->x));
}

} // namespace voxelscribe::common
