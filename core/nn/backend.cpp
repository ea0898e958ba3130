#include "core/nn/backend.h"

#include "core/base/error.h"
#include "core/nn/backend_entry.h"
#include "core/nn/network.h"
#include "core/nn/predict.h"
#include "core/nn/selftest.h"
#include "core/nn/tensor_pool.h"
#include "core/nn/train.h"

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <new>
#include <string_view>

namespace voxelscribe::nn {
namespace {

/// LibTorch's exceptions end here; the first line says what, the rest is where in its sources.
template <typename F>
auto translated(F&& work)
{
    constexpr const char* kAdvice = "; allow less (--memory), close other programs or use a smaller network";
    try {
        return work();
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::memory, std::string("the memory of this machine is used up") + kAdvice);
    } catch (const c10::Error& error) {
        const std::string what = error.what_without_backtrace();
        if (what.find("not enough memory") != std::string::npos || what.find("can't allocate") != std::string::npos)
            throw Error(ErrorCode::memory, "the memory of this machine is used up (" + what + ")" + kAdvice);
        throw Error(ErrorCode::model, "LibTorch could not compute this: " + what);
    }
}

class TorchBackend : public Backend {
public:
    TorchBackend() { installTensorPool(); }

    void setThreads(int count) override { at::set_num_threads(count); }

    TrainResult train(const Volume& image, const Volume& annotations, const std::filesystem::path& model, const TrainSettings& settings,
                      Progress& progress) override
    {
        return translated([&] { return trainModel(image, annotations, model, settings, progress); });
    }

    void predict(const Volume& image, const std::filesystem::path& model, const PredictSettings& settings, SliceSink& sink,
                 Progress& progress) override
    {
        translated([&] {
            const ModelContract contract = readModelContract(model);
            requireFits(contract, image.info());
            const auto network = Network::load(model);
            predictSlices(image, *network->freeze(), contract, {blockExtent(*network), network->halo()}, network->bytesPerPixel(), settings,
                          sink, progress);
        });
    }

    std::vector<std::string> selfTest(Progress& progress) override
    {
        return translated([&] { return runSelfTest(progress); });
    }
};

} // namespace
} // namespace voxelscribe::nn

extern "C" voxelscribe::nn::Backend* voxelscribeOpenBackend(int version)
{
    if (version != voxelscribe::nn::kBackendVersion)
        return nullptr;
    static voxelscribe::nn::TorchBackend backend; // lives as long as the library
    return &backend;
}
