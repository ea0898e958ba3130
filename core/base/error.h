#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace voxelscribe {

/// What went wrong, in the terms a caller can act on.
enum class ErrorCode { io, format, shape, memory, device, model, cancelled };

/// The word for a code in messages between the programs: "io", "format", …
std::string_view errorCodeName(ErrorCode code);
/// The code of such a word; `io` for a word from a newer version.
ErrorCode errorCodeFromName(std::string_view name);

/// The one exception of the core. The message names the file or setting, what was expected,
/// what was found and what to do; nobody matches on its text.
class Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), m_code(code) {}
    ErrorCode code() const noexcept { return m_code; }

private:
    ErrorCode m_code;
};

/// Throws the `io` error of a failed system call: "WHAT PATH: reason (what to do)".
[[noreturn]] void throwSystemError(std::string_view what, std::string_view path, int errorNumber);

} // namespace voxelscribe
