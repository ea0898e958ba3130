#include "core/base/error.h"
#include "core/model/model_contract.h"
#include "core/model/safetensors.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

using namespace voxelscribe;
using nlohmann::json;

namespace {

ModelContract sample()
{
    ModelContract contract;
    contract.programVersion = "0.1.0";
    contract.network = "tunet";
    contract.hyperParameters = {{"depth", 3}};
    contract.dtype = "uint16";
    contract.normalisation = {Normalisation::Rule::slice, -3.5, 900, 0.02, 0.98};
    contract.voxelSizeUm = VoxelSizeUm{2, 0.65, 0.65};
    contract.halo = 24;
    contract.alignment = 4;
    contract.classes = {{3, "Pore", 0x112233, true, false}, {17, "Quarz ä", 0xffeedd, true, true}};
    contract.training = {{"image", "/data/a.tif"}};
    return contract;
}

VolumeInfo image()
{
    VolumeInfo info;
    info.name = "stack";
    info.dtype = DType::uint16;
    info.extent = {3, 5, 7};
    info.shape = {3, 5, 7};
    info.voxelSizeUm = VoxelSizeUm{2, 0.65, 0.65};
    return info;
}

} // namespace

class TestModelContract : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void comesBackAsWritten()
    {
        const json written = sample().toJson();
        const ModelContract read = ModelContract::fromJson(written, "here");
        QVERIFY(read.toJson() == written);
        QVERIFY(read.classes == sample().classes);
        QVERIFY(read.voxelSizeUm == sample().voxelSizeUm);
        QVERIFY(read.normalisation.rule == Normalisation::Rule::slice);
    }

    void voxelSizeMayBeUnknown()
    {
        ModelContract contract = sample();
        contract.voxelSizeUm.reset();
        QVERIFY(!ModelContract::fromJson(contract.toJson(), "here").voxelSizeUm);
    }

    void refusesWrongFields_data()
    {
        QTest::addColumn<QString>("change"); // a JSON merge patch
        QTest::addColumn<QString>("word");
        QTest::newRow("no network") << R"({"network":null})" << "network";
        QTest::newRow("network is a number") << R"({"network":3})" << "network";
        QTest::newRow("no classes") << R"({"classes":null})" << "classes";
        QTest::newRow("one class") << R"({"classes":[{"id":1,"name":"a"}]})" << "2 to 256 classes";
        QTest::newRow("the same id twice") << R"({"classes":[{"id":1},{"id":1}]})" << "class id 1";
        QTest::newRow("id 0") << R"({"classes":[{"id":0},{"id":1}]})" << "class id 0";
        QTest::newRow("id too large") << R"({"classes":[{"id":"x"},{"id":1}]})" << "classes";
        QTest::newRow("a colour that is none") << R"({"classes":[{"id":1,"color":"red"},{"id":2}]})" << "classes";
        QTest::newRow("unknown rule") << R"({"normalisation":{"rule":"tile"}})" << "rule";
        QTest::newRow("percentiles in the wrong order") << R"({"normalisation":{"lowFraction":0.9,"highFraction":0.1}})" << "percentiles";
        QTest::newRow("two edges of a voxel") << R"({"voxelSizeUm":[1,2]})" << "voxelSizeUm";
        QTest::newRow("negative halo") << R"({"halo":-1})" << "halo";
        QTest::newRow("newer format") << R"({"formatVersion":99,"programVersion":"7.0"})" << "newer Voxelscribe (7.0)";
    }

    void refusesWrongFields()
    {
        QFETCH(QString, change);
        QFETCH(QString, word);
        json changed = sample().toJson();
        changed.merge_patch(json::parse(change.toStdString()));
        try {
            ModelContract::fromJson(changed, "some.safetensors");
            QFAIL("it was accepted");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::model);
            QVERIFY2(QString::fromUtf8(error.what()).contains(word), error.what());
            QVERIFY(QString::fromUtf8(error.what()).startsWith(QStringLiteral("some.safetensors")));
        }
    }

    void readsFromAModelFile()
    {
        QTemporaryDir dir;
        const std::filesystem::path path = dir.filePath(QStringLiteral("m ü.safetensors")).toStdString();
        Safetensors content;
        content.metadata["voxelscribe"] = sample().toJson().dump();
        writeSafetensors(path, content);
        QVERIFY(readModelContract(path).toJson() == sample().toJson());
        content.metadata["voxelscribe"] = "{";
        writeSafetensors(path, content);
        QVERIFY_EXCEPTION_THROWN(readModelContract(path), Error);
    }

    void saysThatAnotherProgramWroteTheFile()
    {
        QTemporaryDir dir;
        const std::filesystem::path path = dir.filePath(QStringLiteral("m.safetensors")).toStdString();
        Safetensors content;
        content.metadata["format"] = "pt";
        writeSafetensors(path, content);
        try {
            readModelContract(path);
            QFAIL("it was accepted");
        } catch (const Error& error) {
            QVERIFY(QString::fromUtf8(error.what()).contains(QStringLiteral("another program")));
        }
    }

    void checksTheImage()
    {
        requireFits(sample(), image());
        ModelContract colour = sample();
        colour.inputChannels = 3;
        try {
            requireFits(colour, image());
            QFAIL("three channels fit one");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::model);
            QVERIFY(QString::fromUtf8(error.what()).contains(QStringLiteral("3 channels")));
        }
    }

    void warnsOfOtherImages()
    {
        QVERIFY(contractWarnings(sample(), image()).empty());
        VolumeInfo other = image();
        other.dtype = DType::float32;
        other.voxelSizeUm = VoxelSizeUm{2, 1.3, 1.3};
        QCOMPARE(contractWarnings(sample(), other).size(), std::size_t{2});
        other.voxelSizeUm.reset();
        QCOMPARE(contractWarnings(sample(), other).size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(TestModelContract)
#include "tst_model_contract.moc"
