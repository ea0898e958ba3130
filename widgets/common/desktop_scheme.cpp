#include "widgets/common/desktop_scheme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QGuiApplication>

namespace voxelscribe::common {

namespace {

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kSpace = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme");

// Without a running bus, libdbus would try to launch one, which takes time and may hang.
bool hasSessionBus()
{
    const QString platform = QGuiApplication::platformName();
    return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS") && platform != QLatin1String("offscreen") &&
           platform != QLatin1String("minimal");
}

// The portal answers with a variant in a variant.
QVariant unwrapped(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value;
}

} // namespace

DesktopScheme::DesktopScheme(QObject* parent) : QObject(parent) {}

void DesktopScheme::ask()
{
    if (!hasSessionBus())
        return;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage message = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    message << kSpace << kKey;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(message), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (!reply.isError())
            take(reply.value().variant());
        watcher->deleteLater();
    });
}

void DesktopScheme::settingChanged(const QString& space, const QString& key, const QDBusVariant& value)
{
    if (space == kSpace && key == kKey)
        take(value.variant());
}

void DesktopScheme::take(const QVariant& value)
{
    constexpr uint kPrefersDark = 1;
    constexpr uint kPrefersLight = 2;
    const uint preference = unwrapped(value).toUInt();
    if (preference == kPrefersDark || preference == kPrefersLight)
        Q_EMIT preferenceFound(preference == kPrefersDark);
}

} // namespace voxelscribe::common
