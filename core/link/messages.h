#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

/// The line protocol between window and engine: one JSON object a line, over the engine's standard input and output.
///
/// Window → engine
///   {"type":"run","id":7,"priority":"normal"|"preview","command":["predict","--image",…]}
///   {"type":"cancel","id":7}      {"type":"quit"}
/// Engine → window
///   {"type":"hello","protocol":1,"version":"0.1.0","pid":4711}
///   {"type":"heartbeat"}                                    each second
///   {"type":"queued","id":7}  {"type":"started","id":7,"pid":4712}  {"type":"paused","id":7}  {"type":"resumed","id":7}
///   {"type":"event","id":7,"event":"progress","stage":"train","done":3,"total":50,"eta":12.5|null}
///   {"type":"event","id":7,"event":"epoch"|"chunk"|"notice",…}
///   {"type":"result","id":7,"result":{…}}
///   {"type":"error","id":7,"code":"format","message":"…"}   (id 0: about the connection)
///       code: one of the core's, or "usage" (wrong command line), "died" (the job ended without a word: its last ones follow)
///   {"type":"cancelled","id":7}
namespace voxelscribe::link {

constexpr int kProtocol = 1;

enum class Priority { normal, preview };

/// A job is a command line of the engine: what the window runs, a person can run.
struct RunRequest {
    std::int64_t id = 0;
    Priority priority = Priority::normal;
    std::vector<std::string> command;
};

nlohmann::json toJson(const RunRequest& request);
/// @throws Error(format) where something is missing or of another kind.
RunRequest runRequestFromJson(const nlohmann::json& message);
/// The job that a message is about. @throws Error(format) without one.
std::int64_t jobIdOf(const nlohmann::json& message);
/// The object that stands in a line. @throws Error(format) for anything else.
nlohmann::json fromLine(std::string_view line);
/// One message as a line with its newline. Bytes that are not UTF-8 are replaced.
std::string toLine(const nlohmann::json& message);

} // namespace voxelscribe::link
