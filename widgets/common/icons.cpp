#include "widgets/common/icons.h"

#include "resources/resources.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace voxelscribe::common {

namespace {

/// Renders one SVG in a palette colour. The palette is read when painting, so icons follow the theme.
class TintedIconEngine : public QIconEngine {
public:
    TintedIconEngine(QString file, QPalette::ColorRole role) : m_file(std::move(file)), m_role(role) {}

    QIconEngine* clone() const override { return new TintedIconEngine(m_file, m_role); }
    QString key() const override { return QStringLiteral("voxelscribe-tinted"); }
    bool isNull() override { return false; }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal scale = painter->device()->devicePixelRatioF();
        painter->drawPixmap(rect, scaledPixmap(rect.size() * scale, mode, state, scale));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override { return scaledPixmap(size, mode, state, 1); }

    /// `size` is in device pixels.
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal) override
    {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const QColor colour = QGuiApplication::palette().color(group, m_role);
        const QString cacheKey =
            QStringLiteral("%1 %2 %3x%4").arg(m_file, colour.name()).arg(size.width()).arg(size.height());
        QPixmap pixmap;
        if (!QPixmapCache::find(cacheKey, &pixmap)) {
            pixmap = render(size, colour);
            QPixmapCache::insert(cacheKey, pixmap);
        }
        return pixmap;
    }

private:
    QPixmap render(const QSize& size, const QColor& colour) const
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QSvgRenderer renderer(m_file);
        renderer.setAspectRatioMode(Qt::KeepAspectRatio);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(pixmap.rect(), colour);
        return pixmap;
    }

    QString m_file;
    QPalette::ColorRole m_role;
};

} // namespace

QIcon icon(const QString& name, QPalette::ColorRole role)
{
    registerResources();
    const QString file = QStringLiteral(":/icons/%1.svg").arg(name);
    return QFile::exists(file) ? QIcon(new TintedIconEngine(file, role)) : QIcon();
}

QIcon applicationIcon()
{
    registerResources();
    QIcon icon;
    QSvgRenderer renderer(QStringLiteral(":/icons/voxelscribe.svg"));
    for (const int edge : {16, 24, 32, 48, 64, 128, 256}) {
        QPixmap pixmap(edge, edge);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.end();
        icon.addPixmap(pixmap);
    }
    return icon;
}

} // namespace voxelscribe::common
