#pragma once

#include <QObject>

class QDBusVariant;

namespace voxelscribe::common {

/// Asks the desktop (XDG settings portal) whether the person prefers dark, and listens for changes. Never blocks; says nothing
/// where there is no portal.
class DesktopScheme : public QObject {
    Q_OBJECT
public:
    explicit DesktopScheme(QObject* parent = nullptr);
    void ask();

Q_SIGNALS:
    void preferenceFound(bool dark);

private Q_SLOTS:
    void settingChanged(const QString& space, const QString& key, const QDBusVariant& value);

private:
    void take(const QVariant& value);
};

} // namespace voxelscribe::common
