#pragma once

#include "core/model/class_info.h"

#include <QFrame>

class QLabel;
class QLineEdit;
class QToolButton;

namespace voxelscribe::panels {

/// One class in the list. A click chooses it, a double click or F2 edits its name.
class ClassRow : public QFrame {
    Q_OBJECT
public:
    ClassRow(const ClassInfo& info, QWidget* parent = nullptr);

    const ClassInfo& info() const { return m_info; }
    void setInfo(const ClassInfo& info);
    /// Place in the list from 1: the key that chooses it, up to 9.
    void setPlace(int place);
    void setVoxels(std::int64_t voxels);
    void setActive(bool active);
    void setReadOnly(bool readOnly);
    void editName();

Q_SIGNALS:
    void chosen();
    void edited(const voxelscribe::ClassInfo& info);
    void removeRequested();
    /// The name field was left by Enter or Escape.
    void nameDone();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void arrange();
    void connectParts();
    void showInfo();
    void change(const ClassInfo& info);
    void takeName();
    void chooseColour();

    ClassInfo m_info;
    int m_place = 0;
    std::int64_t m_voxels = 0;
    bool m_readOnly = false;
    QToolButton* m_number;
    QToolButton* m_swatch;
    QLineEdit* m_name;
    QLabel* m_count;
    QToolButton* m_eye;
    QToolButton* m_lock;
    QToolButton* m_remove;
};

} // namespace voxelscribe::panels
