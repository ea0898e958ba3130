#include "app/engine/command.h"
#include "app/engine/console_progress.h"
#include "app/engine/exit_status.h"
#include "app/engine/interrupt.h"
#include "app/engine/thread_waits.h"
#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/link/messages.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <malloc.h>
#include <new>
#include <omp.h>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace voxelscribe::engine {

namespace {

using nlohmann::json;

struct Failure {
    int exitStatus = kExitFailed;
    std::string code;
    std::string message;
};

std::string oneLine(std::string text)
{
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::replace(text.begin(), text.end(), '\r', ' ');
    return text;
}

int report(const Failure& failure, bool asJson)
{
    if (asJson) {
        const std::string line = link::toLine({{"error", {{"code", failure.code}, {"message", failure.message}}}});
        std::fputs(line.c_str(), stdout);
        std::fflush(stdout);
    }
    std::fputs(("error: " + oneLine(failure.message) + "\n").c_str(), stderr);
    return failure.exitStatus;
}

/// What the exception in flight means for the one who called.
Failure currentFailure()
{
    try {
        throw;
    } catch (const CLI::Error& error) {
        return {kExitUsage, "usage", std::string(error.what()) + "; --help lists what is possible"};
    } catch (const Error& error) {
        const int status = error.code() == ErrorCode::cancelled ? kExitCancelled : kExitFailed;
        return {status, std::string(errorCodeName(error.code())), error.what()};
    } catch (const std::bad_alloc&) {
        return {kExitFailed, "memory", "there is not enough memory for this; close other programs, set --memory lower, or work on a part"};
    } catch (const std::filesystem::filesystem_error& error) {
        return {kExitFailed, "io", error.what()};
    } catch (const std::exception& error) {
        return {kExitFailed, "internal", std::string("the engine met a fault of its own: ") + error.what()};
    }
}

std::string checkDevice(const std::string& text)
{
    const bool isNumbered = text.starts_with("cuda:") && text.size() > 5
                            && text.find_first_not_of("0123456789", 5) == std::string::npos;
    return text == "cpu" || text == "all" || isNumbered ? "" : "\"" + text + "\" is not a device; expected cpu, cuda:N or all";
}

void declareCommon(CLI::App& app, CommonOptions& common)
{
    constexpr const char* kGroup = "Common options";
    app.add_flag("--json", common.json, "JSON on standard output; progress as JSON lines, the result object last")->group(kGroup);
    app.add_option_function<std::string>("--memory", [&common](const std::string& text) {
        try {
            common.memoryBytes = parseByteSize(text);
        } catch (const Error& error) {
            throw CLI::ValidationError("--memory", error.what());
        }
    }, "memory to use, for example 4GiB; by default half of what is free")->group(kGroup);
    app.add_option("--threads", common.threads, "threads to use; by default one a core")->check(CLI::Range(1, 4096))->group(kGroup);
    app.add_option("--device", common.device, "cpu, cuda:N or all")->check(checkDevice)->group(kGroup);
    app.add_option("--seed", common.seed, "seed of everything random")->group(kGroup);
    app.add_flag("--events", common.events, "with --json: progress events from every command")->group("");
}

ConsoleProgress::Style progressStyle(const Command& command, const CommonOptions& common)
{
    if (common.json)
        return command.emitsEvents() || common.events ? ConsoleProgress::Style::lines : ConsoleProgress::Style::none;
    return isatty(STDERR_FILENO) != 0 ? ConsoleProgress::Style::bar : ConsoleProgress::Style::none;
}

int runCommand(Command& command, const CommonOptions& common)
{
    omp_set_num_threads(common.threads > 0 ? common.threads : omp_get_num_procs());
    ConsoleProgress progress(progressStyle(command, common));
    const json result = command.run(common, progress);
    progress.finish();
    if (!result.is_null()) {
        const std::string text = common.json ? link::toLine(result) : command.text(result);
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
    }
    return kExitGood;
}

/// CLI11 only says that a command is missing, which is no help with a misspelt one.
void requireKnownCommand(int argc, char** argv)
{
    if (argc < 2 || argv[1][0] == '-')
        return;
    std::string names;
    for (const CommandEntry& entry : commands()) {
        if (std::string_view(argv[1]) == entry.name)
            return;
        names += std::string(names.empty() ? "" : ", ") + entry.name;
    }
    throw CLI::ValidationError(std::string("\"") + argv[1] + "\" is not a command; expected one of " + names);
}

int runProgram(int argc, char** argv, CommonOptions& common)
{
    CLI::App app("Segments large image stacks from a few strokes: the engine behind Voxelscribe's window.", "voxelscribe-engine");
    app.set_version_flag("--version", "voxelscribe-engine " VOXELSCRIBE_VERSION);
    app.require_subcommand(1);
    std::vector<std::unique_ptr<Command>> made;
    Command* chosen = nullptr;
    for (const CommandEntry& entry : commands()) {
        CLI::App* sub = app.add_subcommand(entry.name, entry.help);
        Command* command = made.emplace_back(entry.make()).get();
        command->declare(*sub);
        declareCommon(*sub, common);
        sub->callback([&chosen, command] { chosen = command; });
    }
    requireKnownCommand(argc, argv);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) { // --help and --version
        return app.exit(success);
    }
    return runCommand(*chosen, common);
}

} // namespace

} // namespace voxelscribe::engine

int main(int argc, char** argv)
{
    using namespace voxelscribe::engine;
    keepWaitingThreadsFromSpinning(argc, argv);
    // Each reading thread would get a heap of its own, which keeps what the others could use: half a gigabyte in a predict.
    mallopt(M_ARENA_MAX, 2);
    installInterruptHandlers();
    CommonOptions common;
    common.json = std::any_of(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
    try {
        return runProgram(argc, argv, common);
    } catch (...) {
        return report(currentFailure(), common.json);
    }
}
