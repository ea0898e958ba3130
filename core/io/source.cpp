#include "core/io/open.h"

namespace voxelscribe::io {

Source Source::parse(const std::string& text)
{
    const std::size_t at = text.rfind("::");
    std::error_code ignored; // a name that cannot be looked at is no file
    if (at == std::string::npos || std::filesystem::exists(text, ignored))
        return {text, {}};
    return {text.substr(0, at), text.substr(at + 2)};
}

std::string Source::text() const
{
    return dataset.empty() ? path.string() : path.string() + "::" + dataset;
}

} // namespace voxelscribe::io
