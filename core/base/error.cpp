#include "core/base/error.h"

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace voxelscribe {

namespace {

constexpr std::array<std::pair<ErrorCode, std::string_view>, 7> kNames{{
    {ErrorCode::io, "io"},
    {ErrorCode::format, "format"},
    {ErrorCode::shape, "shape"},
    {ErrorCode::memory, "memory"},
    {ErrorCode::device, "device"},
    {ErrorCode::model, "model"},
    {ErrorCode::cancelled, "cancelled"},
}};

std::string_view adviceFor(int errorNumber)
{
    switch (errorNumber) {
    case ENOSPC:
    case EDQUOT:
        return "free some space there or choose another folder; what was finished is kept";
    case EACCES:
    case EPERM:
    case EROFS:
        return "choose a folder that you may write to, or ask for the permission";
    case ENOENT:
        return "check the path";
    case EMFILE:
    case ENFILE:
        return "close other programs or raise the limit of open files (ulimit -n)";
    default:
        return "check the disk or the network share and try again";
    }
}

} // namespace

std::string_view errorCodeName(ErrorCode code)
{
    for (const auto& [value, name] : kNames)
        if (value == code)
            return name;
    return "io";
}

ErrorCode errorCodeFromName(std::string_view name)
{
    for (const auto& [value, word] : kNames)
        if (word == name)
            return value;
    return ErrorCode::io;
}

void throwSystemError(std::string_view what, std::string_view path, int errorNumber)
{
    throw Error(ErrorCode::io, std::string(what) + " " + std::string(path) + ": "
                                   + std::generic_category().message(errorNumber) + "; "
                                   + std::string(adviceFor(errorNumber)));
}

} // namespace voxelscribe
