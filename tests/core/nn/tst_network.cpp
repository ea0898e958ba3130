#include "core/base/error.h"
#include "core/nn/network.h"
#include "support/random_model.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/zeros.h>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <cmath>

using namespace voxelscribe;
using namespace voxelscribe::nn;
using nlohmann::json;

namespace {

double largestDifference(const at::Tensor& a, const at::Tensor& b)
{
    return a.detach().sub(b.detach()).abs().max().item<double>() / b.detach().abs().max().item<double>();
}

/// One channel of an array C×y×x, zero outside.
double sampleAt(const std::vector<std::vector<double>>& planes, std::size_t channel, std::int64_t y, std::int64_t x, std::int64_t height, std::int64_t width)
{
    return y < 0 || x < 0 || y >= height || x >= width ? 0 : planes[channel][static_cast<std::size_t>(y * width + x)];
}

const float* weights(const Network& network, const std::string& name)
{
    for (const NamedTensor& named : network.state())
        if (named.name == name)
            return named.tensor.data_ptr<float>();
    return nullptr;
}

/// MSDNet of one channel a layer in plain loops and double precision.
std::vector<std::vector<double>> plainMsdnet(const Network& network, std::vector<std::vector<double>> planes, const std::vector<int>& dilations,
                                             std::int64_t height, std::int64_t width, std::size_t classes)
{
    for (auto& plane : planes)
        for (double& v : plane)
            v = std::max(v, 0.0);
    for (std::size_t i = 0; i < dilations.size(); ++i) {
        const std::string layer = "layer_" + std::to_string(i) + ".conv_0.";
        const float* weight = weights(network, layer + "weight");
        std::vector<double> next(static_cast<std::size_t>(height * width), weights(network, layer + "bias")[0]);
        for (std::size_t c = 0; c < planes.size(); ++c)
            for (std::int64_t y = 0; y < height; ++y)
                for (std::int64_t x = 0; x < width; ++x)
                    for (std::int64_t k = 0; k < 9; ++k)
                        next[static_cast<std::size_t>(y * width + x)] += weight[c * 9 + static_cast<std::size_t>(k)]
                            * sampleAt(planes, c, y + (k / 3 - 1) * dilations[i], x + (k % 3 - 1) * dilations[i], height, width);
        planes.push_back(next);
        const std::string norm = "normalization_" + std::to_string(i) + ".";
        for (std::size_t c = 0; c < planes.size(); ++c)
            for (double& v : planes[c]) {
                v = std::max(v, 0.0);
                if (const float* scale = weights(network, norm + "weight"))
                    v = (v - weights(network, norm + "running_mean")[c]) / std::sqrt(weights(network, norm + "running_var")[c] + 1e-5) * scale[c]
                        + weights(network, norm + "bias")[c];
            }
    }
    std::vector<std::vector<double>> logits;
    for (std::size_t k = 0; k < classes; ++k) {
        logits.emplace_back(static_cast<std::size_t>(height * width), weights(network, "final_convolution.bias")[k]);
        for (std::size_t c = 0; c < planes.size(); ++c)
            for (std::size_t p = 0; p < planes[c].size(); ++p)
                logits[k][p] += weights(network, "final_convolution.weight")[k * planes.size() + c] * planes[c][p];
    }
    return logits;
}

} // namespace

class TestNetwork : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsItsParameters_data()
    {
        QTest::addColumn<QString>("network");
        QTest::addColumn<QString>("parameters");
        QTest::addColumn<qlonglong>("expected");
        QTest::newRow("TUNet depth 4, base 8") << "tunet" << R"({"depth":4,"base_channels":8})" << 121'403LL;
        QTest::newRow("TUNet depth 4, base 32") << "tunet" << R"({"depth":4,"base_channels":32})" << 1'927'907LL;
        // Layers 0…2: 9·(1+2+3) weights and 3 biases; norms 2·(2+3+4); final 3·4 + 3.
        QTest::newRow("MSDNet of 3 layers") << "msdnet" << R"({"num_layers":3,"max_dilation":5})" << 54LL + 3 + 18 + 15;
        QTest::newRow("MSDNet without norms") << "msdnet" << R"({"num_layers":3,"normalization":"none"})" << 54LL + 3 + 15;
    }

    void countsItsParameters()
    {
        QFETCH(QString, network);
        QFETCH(QString, parameters);
        QFETCH(qlonglong, expected);
        const auto made = Network::create({network.toStdString(), json::parse(parameters.toStdString()), 1, 3}, 1);
        QCOMPARE(made->parameterCount(), expected);
    }

    void hasDlsiasNames()
    {
        const auto names = [](const NetworkSpec& spec) {
            std::vector<std::string> all;
            const auto network = Network::create(spec, 1);
            for (const NamedTensor& named : network->state())
                if (!named.name.ends_with(".bias") && named.name.find(".running_") == std::string::npos && !named.name.ends_with("_tracked"))
                    all.push_back(named.name);
            return all;
        };
        QCOMPARE(names({"msdnet", {{"num_layers", 2}, {"layer_width", 2}}, 1, 2}),
                 (std::vector<std::string>{"layer_0.conv_0.weight", "layer_0.conv_1.weight", "normalization_0.weight", "layer_1.conv_0.weight",
                                           "layer_1.conv_1.weight", "normalization_1.weight", "final_convolution.weight"}));
        QCOMPARE(names({"tunet", {{"depth", 2}}, 1, 2}),
                 (std::vector<std::string>{"Encode_0.0.weight", "Encode_0.1.weight", "Encode_0.3.weight", "Encode_0.4.weight", "Step Up 0.weight",
                                           "Decode_0.0.weight", "Decode_0.1.weight", "Decode_0.3.weight", "Decode_0.4.weight", "Decode_0.6.weight",
                                           "Final_layer_1.0.weight", "Final_layer_1.1.weight", "Final_layer_1.3.weight", "Final_layer_1.4.weight"}));
    }

    void msdnetEqualsPlainLoops_data()
    {
        QTest::addColumn<QString>("parameters");
        QTest::addColumn<QList<int>>("dilations");
        QTest::newRow("batch norm") << R"({"num_layers":4,"max_dilation":3})" << QList<int>{1, 2, 3, 1};
        QTest::newRow("no norm, dilations from a list") << R"({"num_layers":3,"dilations":[4,1],"normalization":"none"})" << QList<int>{4, 1, 4};
    }

    void msdnetEqualsPlainLoops()
    {
        QFETCH(QString, parameters);
        QFETCH(QList<int>, dilations);
        const std::int64_t height = 7;
        const std::int64_t width = 10;
        const auto network = test::randomNetwork({"msdnet", json::parse(parameters.toStdString()), 2, 3});
        const at::Tensor input = at::rand({1, 2, height, width}).sub(0.3F);
        std::vector<std::vector<double>> planes;
        for (std::int64_t c = 0; c < 2; ++c) {
            const float* first = input.data_ptr<float>() + c * height * width;
            planes.emplace_back(first, first + height * width);
        }
        const auto expected = plainMsdnet(*network, planes, {dilations.begin(), dilations.end()}, height, width, 3);
        for (const at::Tensor& logits : {network->forward(input, Mode::evaluation).contiguous(), network->freeze()->logits(input, [] {}).contiguous()})
            for (std::size_t k = 0; k < 3; ++k)
                for (std::size_t p = 0; p < expected[k].size(); ++p) {
                    const double found = logits.data_ptr<float>()[k * expected[k].size() + p];
                    QVERIFY2(std::abs(found - expected[k][p]) < 1e-4 * (1 + std::abs(expected[k][p])), // float32 against double
                             qPrintable(QStringLiteral("class %1, pixel %2: %3, expected %4").arg(k).arg(p).arg(found).arg(expected[k][p])));
                }
    }

    void keepsTheExtent_data()
    {
        QTest::addColumn<QString>("network");
        QTest::addColumn<QString>("parameters");
        for (const int depth : {2, 3, 4, 5})
            QTest::addRow("TUNet of depth %d", depth) << "tunet" << QStringLiteral("{\"depth\":%1,\"base_channels\":3,\"growth_rate\":1.5,\"hidden_rate\":1.3}").arg(depth);
        QTest::newRow("TUNet without norms") << "tunet" << R"({"depth":3,"normalization":"none"})";
        QTest::newRow("MSDNet") << "msdnet" << R"({"num_layers":4})";
        QTest::newRow("MSDNet of width 3") << "msdnet" << R"({"num_layers":4,"layer_width":3})";
    }

    void keepsTheExtent()
    {
        QFETCH(QString, network);
        QFETCH(QString, parameters);
        const auto made = test::randomNetwork({network.toStdString(), json::parse(parameters.toStdString()), 1, 2});
        for (const auto& [height, width] : {std::pair{65, 31}, {1, 53}, {47, 1}, {2, 3}, {16, 16}, {1, 1}}) {
            const at::Tensor input = at::rand({1, 1, height, width});
            const at::Tensor logits = made->forward(input, Mode::evaluation);
            QVERIFY(logits.sizes() == at::IntArrayRef({1, 2, height, width}));
            const at::Tensor frozen = made->freeze()->logits(input, [] {});
            QVERIFY(frozen.sizes() == logits.sizes());
            const double difference = largestDifference(frozen, logits);
            QVERIFY2(difference < 1e-5, qPrintable(QString::number(difference))); // folding rounds once more, and these logits cancel
        }
    }

    void looksNoFartherThanItsHalo_data()
    {
        QTest::addColumn<QString>("network");
        QTest::addColumn<QString>("parameters");
        QTest::addColumn<int>("halo");
        QTest::newRow("TUNet depth 3") << "tunet" << R"({"depth":3,"base_channels":2})" << 24;
        QTest::newRow("TUNet depth 4") << "tunet" << R"({"depth":4,"base_channels":2})" << 48;
        QTest::newRow("TUNet depth 5") << "tunet" << R"({"depth":5,"base_channels":2})" << 96;
        QTest::newRow("MSDNet 10 layers") << "msdnet" << R"({"num_layers":10})" << 55;
        QTest::newRow("MSDNet of width 2") << "msdnet" << R"({"num_layers":3,"layer_width":2,"max_dilation":5})" << 2 + 4 + 5;
    }

    void looksNoFartherThanItsHalo()
    {
        QFETCH(QString, network);
        QFETCH(QString, parameters);
        QFETCH(int, halo);
        const auto made = test::randomNetwork({network.toStdString(), json::parse(parameters.toStdString()), 1, 2});
        QCOMPARE(made->halo(), halo);
        const std::int64_t side = 2 * halo + 1 + 40;
        const at::Tensor input = at::rand({1, 1, side, side});
        const at::Tensor before = made->forward(input, Mode::evaluation).detach().clone();
        const std::int64_t y = side / 2 + 1;
        const std::int64_t x = side / 2 - 3;
        at::Tensor changed = input.clone();
        changed[0][0][y][x] = 50.0F;
        const at::Tensor moved = made->forward(changed, Mode::evaluation).detach().sub(before).abs().amax({0, 1});
        QVERIFY(moved[y][x].item<float>() > 0);
        const auto farRows = std::pair{moved.narrow(0, 0, y - halo), moved.narrow(0, y + halo + 1, side - y - halo - 1)};
        const auto farColumns = std::pair{moved.narrow(1, 0, x - halo), moved.narrow(1, x + halo + 1, side - x - halo - 1)};
        for (const at::Tensor& far : {farRows.first, farRows.second, farColumns.first, farColumns.second})
            QCOMPARE(far.max().item<float>(), 0.0F);
    }

    void comesBackFromItsFile()
    {
        QTemporaryDir dir;
        const std::filesystem::path path = dir.filePath(QStringLiteral("m.safetensors")).toStdString();
        for (const char* name : {"msdnet", "tunet"}) {
            const auto network = test::randomNetwork({name, json::object(), 1, 3});
            network->save(path, test::contractFor(3));
            const auto loaded = Network::load(path);
            QVERIFY(loaded->spec().hyperParameters == network->spec().hyperParameters);
            for (std::size_t i = 0; i < network->state().size(); ++i) {
                QCOMPARE(loaded->state()[i].name, network->state()[i].name);
                QVERIFY(at::equal(loaded->state()[i].tensor, network->state()[i].tensor));
            }
            QCOMPARE(readModelContract(path).halo, network->halo());
        }
    }

    void refusesDamagedModels_data()
    {
        QTest::addColumn<QString>("damage");
        QTest::addColumn<QString>("word");
        QTest::newRow("a weight is missing") << "missing" << "is missing";
        QTest::newRow("a weight too many") << "extra" << "belongs to no part";
        QTest::newRow("a weight of another shape") << "shape" << "expected F32 [8,1,3,3]";
        QTest::newRow("another halo") << "halo" << "halo";
        QTest::newRow("an unknown network") << "network" << "unknown";
        QTest::newRow("a hyper-parameter of a newer version") << "parameter" << "no hyper-parameter";
    }

    void refusesDamagedModels()
    {
        QFETCH(QString, damage);
        QFETCH(QString, word);
        QTemporaryDir dir;
        const std::filesystem::path path = dir.filePath(QStringLiteral("m.safetensors")).toStdString();
        Network::create({"tunet", json::object(), 1, 3}, 1)->save(path, test::contractFor(3));
        ModelContract contract = readModelContract(path);
        Safetensors content = readSafetensors(path);
        if (damage == QStringLiteral("missing"))
            content.tensors.erase("Step Up 1.bias");
        else if (damage == QStringLiteral("extra"))
            content.tensors["more"] = {"F32", {1}, std::vector<std::byte>(4)};
        else if (damage == QStringLiteral("shape"))
            content.tensors["Encode_0.0.weight"].shape = {1, 8, 3, 3};
        else if (damage == QStringLiteral("halo"))
            contract.halo = 3;
        else if (damage == QStringLiteral("network"))
            contract.network = "transformer";
        else
            contract.hyperParameters["attention"] = 1;
        try {
            Network::fromContract(contract, content, "m");
            QFAIL("it was accepted");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::model);
            QVERIFY2(QString::fromUtf8(error.what()).contains(word), error.what());
        }
    }

    void refusesWrongHyperParameters_data()
    {
        QTest::addColumn<QString>("network");
        QTest::addColumn<QString>("parameters");
        QTest::newRow("depth 1") << "tunet" << R"({"depth":1})";
        QTest::newRow("depth a fraction") << "tunet" << R"({"depth":3.5})";
        QTest::newRow("depth as text") << "tunet" << R"({"depth":"deep"})";
        QTest::newRow("growth that leaves no channel") << "tunet" << R"({"growth_rate":0.01})";
        QTest::newRow("unknown norm") << "tunet" << R"({"normalization":"group"})";
        QTest::newRow("no layers") << "msdnet" << R"({"num_layers":0})";
        QTest::newRow("dilation 0") << "msdnet" << R"({"dilations":[1,0]})";
        QTest::newRow("another network's") << "msdnet" << R"({"depth":4})";
    }

    void refusesWrongHyperParameters()
    {
        QFETCH(QString, network);
        QFETCH(QString, parameters);
        QVERIFY_EXCEPTION_THROWN(Network::create({network.toStdString(), json::parse(parameters.toStdString()), 1, 2}, 1), Error);
    }

    void refusesOtherChannels()
    {
        const auto network = Network::create({"msdnet", {{"num_layers", 2}}, 2, 2}, 1);
        QVERIFY_EXCEPTION_THROWN(network->forward(at::zeros({1, 1, 9, 9}), Mode::evaluation), Error);
    }

    void startsFromItsSeed()
    {
        const auto a = Network::create({"tunet", json::object(), 1, 2}, 7);
        const auto b = Network::create({"tunet", json::object(), 1, 2}, 7);
        const auto c = Network::create({"tunet", json::object(), 1, 2}, 8);
        QVERIFY(at::equal(a->parameters().front(), b->parameters().front()));
        QVERIFY(!at::equal(a->parameters().front(), c->parameters().front()));
    }

    void runningStatisticsCanBeAPlainAverage()
    {
        const auto network = Network::create({"tunet", {{"depth", 2}, {"base_channels", 2}}, 1, 2}, 3);
        const auto mean = [&network] { return network->copyState().at("Encode_0.1.running_mean"); };
        std::vector<at::Tensor> batches{at::rand({2, 1, 12, 14}), at::rand({2, 1, 12, 14}).mul(3)};
        at::Tensor sum = at::zeros({2});
        network->setMomentum(std::nullopt);
        for (const at::Tensor& batch : batches) {
            network->resetRunningStatistics();
            network->forward(batch, Mode::training);
            sum = sum.add(mean());
        }
        network->resetRunningStatistics();
        for (const at::Tensor& batch : batches)
            network->forward(batch, Mode::training);
        QVERIFY(largestDifference(mean(), sum.div(2)) < 1e-6); // one rounding more
    }

    void keptStateIsACopy()
    {
        const auto network = Network::create({"msdnet", {{"num_layers", 2}}, 1, 2}, 3);
        const auto kept = network->copyState();
        const auto frozen = network->freeze();
        const at::Tensor input = at::rand({1, 1, 9, 11});
        const at::Tensor before = frozen->logits(input, [] {}).clone();
        for (const at::Tensor& parameter : network->parameters())
            parameter.detach().mul_(2);
        QVERIFY(at::equal(frozen->logits(input, [] {}), before));
        network->restoreState(kept);
        QVERIFY(at::equal(network->freeze()->logits(input, [] {}), before));
        QVERIFY_EXCEPTION_THROWN(network->restoreState({}), Error);
    }
};

QTEST_GUILESS_MAIN(TestNetwork)
#include "tst_network.moc"
