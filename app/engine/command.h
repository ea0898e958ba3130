#pragma once

#include "core/base/progress.h"

#include <CLI/App.hpp>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace voxelscribe::engine {

/// Options that every command has; they stand after the command's own.
struct CommonOptions {
    bool json = false;
    std::int64_t memoryBytes = 0;     ///< 0: half of what is free
    int threads = 0;                  ///< 0: one a core
    std::string device = "cpu";       ///< cpu, cuda:N, all
    std::uint64_t seed = 1;
    bool events = false;              ///< with --json: progress events also from commands that usually give one object only
};

/// One command of the engine: it declares its options, does its work with progress and returns its result object.
class Command {
public:
    virtual ~Command() = default;
    virtual void declare(CLI::App& app) = 0;
    /// Works, with the exit status that follows from how it ends: a result 0, CLI::Error 2, Error(cancelled) 130, any other 1.
    /// A null result is not printed.
    virtual nlohmann::json run(const CommonOptions& common, Progress& progress) = 0;
    /// Whether --json shows progress and events before the result object; a short command gives that object alone.
    virtual bool emitsEvents() const { return true; }
    /// The result for a person; by default "key: value" lines.
    virtual std::string text(const nlohmann::json& result) const;
};

struct CommandEntry {
    const char* name;
    const char* help;
    std::unique_ptr<Command> (*make)();
};

/// All commands, in the order of the help text (commands.cpp).
std::span<const CommandEntry> commands();

// One a file: info.cpp, convert.cpp, …
std::unique_ptr<Command> makeInfo();
std::unique_ptr<Command> makeConvert();
std::unique_ptr<Command> makePhantom();
std::unique_ptr<Command> makeTrain();
std::unique_ptr<Command> makePredict();
std::unique_ptr<Command> makeEvaluate();
std::unique_ptr<Command> makeExport();
std::unique_ptr<Command> makeModels();
std::unique_ptr<Command> makeSelftest();
std::unique_ptr<Command> makeServe();

} // namespace voxelscribe::engine
