#include "core/link/messages.h"

#include <string_view>

namespace voxelscribe::link {

using nlohmann::json;

namespace {

[[noreturn]] void throwBadMessage(const std::string& found, const std::string& expected)
{
    throw Error(ErrorCode::format, "not a message of this protocol: " + found + "; expected " + expected
                                       + "; window and engine should come from the same installation");
}

Priority priorityFromJson(const json& message)
{
    const auto found = message.find("priority");
    if (found == message.end() || *found == "normal")
        return Priority::normal;
    if (*found == "preview")
        return Priority::preview;
    throwBadMessage("priority " + found->dump(-1, ' ', false, json::error_handler_t::replace), "\"normal\" or \"preview\"");
}

} // namespace

json toJson(const RunRequest& request)
{
    return {{"type", "run"}, {"id", request.id},
            {"priority", request.priority == Priority::preview ? "preview" : "normal"}, {"command", request.command}};
}

std::int64_t jobIdOf(const json& message)
{
    const auto id = message.find("id");
    if (id == message.end() || !id->is_number_integer() || id->get<std::int64_t>() < 1)
        throwBadMessage("a message without a job's number", "\"id\" with a whole number from 1");
    return id->get<std::int64_t>();
}

RunRequest runRequestFromJson(const json& message)
{
    RunRequest request;
    request.id = jobIdOf(message);
    request.priority = priorityFromJson(message);
    const auto command = message.find("command");
    if (command == message.end() || !command->is_array() || command->empty())
        throwBadMessage("a run without a command", "\"command\" with the command line's words");
    for (const json& word : *command) {
        if (!word.is_string())
            throwBadMessage("a command with the word " + word.dump(), "words as strings");
        request.command.push_back(word.get<std::string>());
        if (request.command.back().find('\0') != std::string::npos)
            throwBadMessage("a command with a zero byte in a word", "words that a command line can hold");
    }
    return request;
}

json fromLine(std::string_view line)
{
    constexpr std::size_t kShown = 80;
    json message = json::parse(line, nullptr, false);
    if (message.is_object())
        return message;
    throwBadMessage("\"" + std::string(line.substr(0, kShown)) + (line.size() > kShown ? "…\"" : "\""), "one JSON object a line");
}

std::string toLine(const json& message)
{
    return message.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

} // namespace voxelscribe::link
