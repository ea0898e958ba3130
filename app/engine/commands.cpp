#include "app/engine/command.h"

#include <vector>

namespace voxelscribe::engine {

std::span<const CommandEntry> commands()
{
    static const std::vector<CommandEntry> kCommands{
        {"info", "tell what a file or folder holds", &makeInfo},
        {"convert", "write an image or mask in another format, a part of it, binned, or with other samples", &makeConvert},
        {"phantom", "simulate a tomography stack, its truth and example strokes", &makePhantom},
        {"train", "learn to segment a stack from strokes", &makeTrain},
        {"predict", "segment a stack with a model", &makePredict},
        {"evaluate", "compare a mask with the truth", &makeEvaluate},
        {"export", "write a mask for other programs", &makeExport},
        {"models", "show, verify or list model files", &makeModels},
        {"selftest", "check on this machine that the networks compute what they should", &makeSelftest},
        {"serve", "run jobs for the window, told by JSON lines on standard input", &makeServe},
    };
    return kCommands;
}

} // namespace voxelscribe::engine
