#pragma once

#include "core/model/class_info.h"

#include <QString>
#include <QStringList>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <vector>

namespace voxelscribe::panels {

/// A model as people need to know it.
struct ModelInfo {
    QString name;                    ///< file name
    QString network;                 ///< "msdnet", "tunet"
    std::vector<ClassInfo> classes;
    QString trainedOn;               ///< "sandstone.tif, 1,240 labelled voxels, 2 min 30 s"
    std::int64_t halo = 0;           ///< pixels
    QString figures;                 ///< "Validation IoU 0.82 · loss 0.21"; may be empty
    QString note;                    ///< why there is no validation, for one
    QStringList warnings;            ///< of the contract check, in words
};

/// Words for a network's name: "TUNet".
QString networkTitle(const QString& network);

/// Shows a model: name, network, classes in their colours, what it was trained on, warnings.
class ModelCard : public QWidget {
    Q_OBJECT
public:
    explicit ModelCard(QWidget* parent = nullptr);
    ~ModelCard() override;
    void setModel(const ModelInfo& model);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace voxelscribe::panels
