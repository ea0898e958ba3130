#include "app/engine/command.h"
#include "app/engine/networks.h"

namespace voxelscribe::engine {

using nlohmann::json;

namespace {

class Selftest : public Command {
public:
    void declare(CLI::App&) override {}

    json run(const CommonOptions& common, Progress& progress) override { return {{"checks", networks(common).selfTest(progress)}}; }

    bool emitsEvents() const override { return false; }

    std::string text(const json& result) const override
    {
        std::string lines;
        for (const auto& check : result.at("checks"))
            lines += check.get<std::string>() + "\n";
        return lines + "self-test passed\n";
    }
};

} // namespace

std::unique_ptr<Command> makeSelftest()
{
    return std::make_unique<Selftest>();
}

} // namespace voxelscribe::engine
