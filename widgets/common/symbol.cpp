#include "widgets/common/symbol.h"

#include "widgets/common/icons.h"

#include <QPainter>

namespace voxelscribe::common {

Symbol::Symbol(const QString& iconName, int edge, QWidget* parent) : QWidget(parent), m_icon(icon(iconName, QPalette::WindowText))
{
    setFixedSize(edge, edge);
}

void Symbol::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    m_icon.paint(&painter, rect());
}

} // namespace voxelscribe::common
