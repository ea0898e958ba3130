#pragma once

#include "core/base/error.h"

#include <QString>
#include <optional>
#include <string>

namespace voxelscribe::test {

/// The error code that `f` throws, none if it throws none.
template <typename F>
std::optional<ErrorCode> thrownBy(F&& f, QString* message = nullptr)
{
    try {
        f();
    } catch (const Error& error) {
        if (message != nullptr)
            *message = QString::fromUtf8(error.what());
        return error.code();
    }
    return std::nullopt;
}

/// What the Error that `f` throws says, empty if it throws none.
template <typename F>
std::string messageOf(F&& f)
{
    QString message;
    thrownBy(f, &message);
    return message.toStdString();
}

} // namespace voxelscribe::test
