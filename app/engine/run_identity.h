#pragma once

#include "core/io/open.h"
#include "core/model/model_contract.h"
#include "core/volume/volume.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace voxelscribe::engine {

/// What the voxels of a result follow from: model, image, settings and program. Two runs of equal identity give equal bytes.
class RunIdentity {
public:
    /// Reads a sample of the image and hashes the model. @throws Error(io | format).
    RunIdentity(const std::filesystem::path& model, const io::Source& source, const Volume& image, nlohmann::json settings);

    /// {"model":{"path","sha256"},"image":{"path","extent","dtype","bytes","modified","probe"},"settings":{…},"program"}.
    const nlohmann::json& toJson() const { return m_json; }
    std::string modelSha256() const;
    /// A UUID (RFC 9562, version 8) that follows from the identity: a resumed run and a repeated one have the same.
    std::string runId() const;
    /// One phrase for each thing in which the run that left `stored` differs from this one; empty if they are the same.
    std::vector<std::string> differencesFrom(const nlohmann::json& stored) const;

private:
    nlohmann::json m_json;
};

} // namespace voxelscribe::engine
