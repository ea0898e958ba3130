#include "widgets/panels/model_card.h"

#include "widgets/common/style.h"
#include "widgets/panels/parts.h"

#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace voxelscribe::panels {

QString networkTitle(const QString& network)
{
    if (network == QLatin1String("msdnet"))
        return QStringLiteral("MSDNet");
    if (network == QLatin1String("tunet"))
        return QStringLiteral("TUNet");
    return network;
}

struct ModelCard::Impl {
    QFrame* frame = nullptr;
    QVBoxLayout* inside = nullptr;

    QLabel* addText(const QString& text, const char* tone)
    {
        QLabel* label = common::makeNote(text, frame);
        common::setTone(label, tone);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        inside->addWidget(label);
        return label;
    }

    void addClasses(const std::vector<ClassInfo>& classes)
    {
        auto* box = new QWidget(frame);
        auto* grid = new QGridLayout(box);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setHorizontalSpacing(10);
        grid->setVerticalSpacing(2);
        grid->setColumnStretch(1, 1);
        grid->setColumnStretch(3, 1);
        int place = 0;
        for (const ClassInfo& info : classes) {
            auto* swatch = new QLabel(box);
            swatch->setPixmap(swatchIcon(info.colour).pixmap(QSize(14, 14), box->devicePixelRatioF()));
            auto* name = new QLabel(toText(info.name), box);
            name->setTextFormat(Qt::PlainText);
            grid->addWidget(swatch, place / 2, place % 2 * 2);
            grid->addWidget(name, place / 2, place % 2 * 2 + 1);
            ++place;
        }
        inside->addWidget(box);
    }
};

ModelCard::ModelCard(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("modelCard"));
    m_impl->frame = new QFrame(this);
    common::setCard(m_impl->frame, "true");
    m_impl->inside = new QVBoxLayout(m_impl->frame);
    m_impl->inside->setContentsMargins(12, 10, 12, 10);
    m_impl->inside->setSpacing(5);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_impl->frame);
}

ModelCard::~ModelCard() = default;

void ModelCard::setModel(const ModelInfo& model)
{
    Impl& d = *m_impl;
    clearLayout(d.inside);
    setAccessibleName(tr("Model %1").arg(model.name));
    QLabel* name = common::makeHeading(model.name, d.frame);
    name->setObjectName(QStringLiteral("modelName"));
    name->setTextFormat(Qt::PlainText);
    name->setWordWrap(true);
    d.inside->addWidget(name);
    QString network = networkTitle(model.network);
    if (model.halo > 0)
        network += tr(" · sees %1 pixels around").arg(model.halo);
    d.addText(network, "muted");
    d.addClasses(model.classes);
    if (!model.trainedOn.isEmpty())
        d.addText(tr("Trained on %1").arg(model.trainedOn), "muted");
    if (!model.figures.isEmpty())
        d.addText(model.figures, "muted");
    if (!model.note.isEmpty())
        d.addText(model.note, "muted");
    for (const QString& warning : model.warnings)
        d.inside->addWidget(makeCard("warning", warning, d.frame));
}

} // namespace voxelscribe::panels
