#pragma once

#include <QString>
#include <QWidget>
#include <functional>

class QVBoxLayout;

namespace voxelscribe::common {

enum class Severity { info, warning, error };

/// Something a person should know: what happened and what can be done, inline, never in the way.
struct Notice {
    Severity severity = Severity::info;
    QString text;                    ///< one or two sentences, selectable
    QString details;                 ///< shown on demand, monospaced; may be long
    QString actionText;              ///< "Relink…"; empty: no button
    std::function<void()> action;    ///< runs after the notice has gone
    QString key;                     ///< a notice with the same key replaces the older one; empty: the text
};

/// Notices over the content, newest first, each until it is dismissed, replaced or cleared. Takes no room while there is none.
class MessageBar : public QWidget {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent = nullptr);

    void post(const Notice& notice);
    void clear(const QString& key);
    void clearAll();
    int count() const;
    bool has(const QString& key) const;

Q_SIGNALS:
    void dismissed(const QString& key);

private:
    QWidget* find(const QString& key) const;

    QVBoxLayout* m_layout;
};

} // namespace voxelscribe::common
