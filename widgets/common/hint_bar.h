#pragma once

#include <QList>
#include <QString>
#include <QWidget>

class QLabel;

namespace voxelscribe::common {

/// "Wheel" does "next slice".
struct Hint {
    QString keys;
    QString what;
    bool operator==(const Hint&) const = default;
};

/// The line at the bottom: left what mouse and keys do now, right what is under the pointer.
class HintBar : public QWidget {
    Q_OBJECT
public:
    explicit HintBar(QWidget* parent = nullptr);

    void setHints(const QList<Hint>& hints);
    /// Voxel, value, position under the pointer; empty: none.
    void setReadout(const QString& text);
    QString readout() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showHints();

    QList<Hint> m_hints;
    QLabel* m_hintLabel;
    QLabel* m_readout;
};

} // namespace voxelscribe::common
