#include "core/base/progress.h"

#include "core/base/error.h"

#include <nlohmann/json.hpp>

namespace voxelscribe {

void Progress::update(std::string_view stage, std::int64_t done, std::int64_t total)
{
    report(stage, done, total);
    throwIfCancelled();
}

void Progress::event(std::string_view, const nlohmann::json&) {}

void Progress::throwIfCancelled() const
{
    if (cancelRequested())
        throw Error(ErrorCode::cancelled, "cancelled; what was finished is kept");
}

} // namespace voxelscribe
