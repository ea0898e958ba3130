#include "core/base/error.h"
#include "core/model/safetensors.h"
#include "support/run_program.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <cstring>
#include <fstream>

using namespace voxelscribe;

namespace {

TensorData floats(std::vector<std::int64_t> shape, const std::vector<float>& values)
{
    TensorData data{"F32", std::move(shape), std::vector<std::byte>(values.size() * 4)};
    std::memcpy(data.bytes.data(), values.data(), data.bytes.size());
    return data;
}

/// A file of this header and so many zero bytes of data; `claimed` replaces the header's true length.
void writeRaw(const std::filesystem::path& path, const std::string& header, std::size_t dataBytes, std::uint64_t claimed = 0)
{
    const std::uint64_t length = claimed != 0 ? claimed : header.size();
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&length), 8);
    file << header << std::string(dataBytes, '\0');
}

} // namespace

class TestSafetensors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_dir.isValid()); }

    void comesBackAsWritten()
    {
        Safetensors content;
        content.metadata = {{"format", "pt"}, {"note", "Körner \"A\"\n"}};
        content.tensors["Step Up 1.weight"] = floats({2, 3, 1}, {0, 1, 2, 3, 4, 5});
        content.tensors["empty"] = floats({0, 7}, {});
        content.tensors["count"] = {"I64", {}, std::vector<std::byte>(8, std::byte{1})};
        writeSafetensors(file("a.safetensors"), content);
        const Safetensors read = readSafetensors(file("a.safetensors"));
        QVERIFY(read.metadata == content.metadata);
        QCOMPARE(read.tensors.size(), content.tensors.size());
        for (const auto& [name, tensor] : content.tensors) {
            QCOMPARE(read.tensors.at(name).dtype, tensor.dtype);
            QVERIFY(read.tensors.at(name).shape == tensor.shape);
            QVERIFY(read.tensors.at(name).bytes == tensor.bytes);
        }
        QVERIFY(readSafetensorsMetadata(file("a.safetensors")) == content.metadata);
    }

    void pythonReadsWhatIsWritten()
    {
        Safetensors content;
        content.metadata["key"] = "värde";
        content.tensors["w"] = floats({2, 3}, {1.5F, -2, 3, 4, 5, 6e-3F});
        content.tensors["a"] = {"I64", {2}, std::vector<std::byte>(16, std::byte{2})};
        writeSafetensors(file("b.safetensors"), content);
        const auto python = test::runPython(QStringLiteral(R"(
import sys, json, numpy as np
b = open(sys.argv[1], 'rb').read()
n = int.from_bytes(b[:8], 'little'); h = json.loads(b[8:8+n]); d = b[8+n:]
assert (8 + n) % 8 == 0, n
assert h.pop('__metadata__') == {'key': 'värde'}
t = {k: np.frombuffer(d[v['data_offsets'][0]:v['data_offsets'][1]], {'F32': '<f4', 'I64': '<i8'}[v['dtype']]).reshape(v['shape']) for k, v in h.items()}
assert np.array_equal(t['w'], np.float32([[1.5, -2, 3], [4, 5, 6e-3]])), t
assert t['a'].tolist() == [0x0202020202020202] * 2
assert sum(v.nbytes for v in t.values()) == len(d)
)"), {path("b.safetensors")});
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
    }

    void readsWhatPythonWrites()
    {
        const auto python = test::runPython(QStringLiteral(R"(
import sys, json, numpy as np
w = np.arange(12, dtype='<f4').reshape(3, 4); h = np.array([1, 2], '<f2')
head = json.dumps({'half': {'dtype': 'F16', 'shape': [2], 'data_offsets': [48, 52]}, '__metadata__': {'k': 'v'},
                   'w': {'dtype': 'F32', 'shape': [3, 4], 'data_offsets': [0, 48]}}).encode()
open(sys.argv[1], 'wb').write(len(head).to_bytes(8, 'little') + head + w.tobytes() + h.tobytes())
)"), {path("c.safetensors")});
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
        const Safetensors read = readSafetensors(file("c.safetensors"));
        QCOMPARE(read.metadata.at("k"), std::string("v"));
        QCOMPARE(read.tensors.at("half").bytes.size(), std::size_t{4});
        float last = 0;
        std::memcpy(&last, read.tensors.at("w").bytes.data() + 44, 4);
        QCOMPARE(last, 11.0F);
    }

    void refusesHostileFiles_data()
    {
        QTest::addColumn<QString>("header");
        QTest::addColumn<int>("dataBytes");
        QTest::addColumn<qulonglong>("claimed");
        QTest::addColumn<QString>("word");
        const auto one = [](const char* entry) { return QStringLiteral("{\"w\":") + QLatin1String(entry) + QStringLiteral("}"); };
        const QString good = one(R"({"dtype":"F32","shape":[2,3],"data_offsets":[0,24]})");
        QTest::newRow("header length beyond the file") << good << 24 << 5000ULL << "header";
        QTest::newRow("header length near 2^64") << good << 24 << 0xfffffffffffffff0ULL << "header";
        QTest::newRow("header is no JSON") << "{\"w\":" << 24 << 0ULL << "JSON";
        QTest::newRow("header is a list") << "[1,2]" << 24 << 0ULL << "JSON";
        QTest::newRow("data cut off") << good << 23 << 0ULL << "truncated";
        QTest::newRow("bytes left over") << good << 25 << 0ULL << "at its end";
        QTest::newRow("sizes do not fit the shape") << one(R"({"dtype":"F32","shape":[2,3],"data_offsets":[0,20]})") << 20 << 0ULL << "data_offsets";
        QTest::newRow("offsets run backwards") << one(R"({"dtype":"U8","shape":[4],"data_offsets":[4,0]})") << 4 << 0ULL << "data_offsets";
        QTest::newRow("negative offset") << one(R"({"dtype":"U8","shape":[4],"data_offsets":[-4,0]})") << 4 << 0ULL << "data_offsets";
        QTest::newRow("negative extent") << one(R"({"dtype":"U8","shape":[-4],"data_offsets":[0,4]})") << 4 << 0ULL << "shape";
        QTest::newRow("product of extents overflows")
            << one(R"({"dtype":"F32","shape":[4294967296,4294967296,4294967296],"data_offsets":[0,0]})") << 0 << 0ULL << "shape";
        QTest::newRow("extent is a fraction") << one(R"({"dtype":"U8","shape":[1.5],"data_offsets":[0,1]})") << 1 << 0ULL << "shape";
        QTest::newRow("unknown dtype") << one(R"({"dtype":"Q7","shape":[4],"data_offsets":[0,4]})") << 4 << 0ULL << "dtype";
        QTest::newRow("no offsets") << one(R"({"dtype":"U8","shape":[4]})") << 4 << 0ULL << "data_offsets";
        QTest::newRow("offsets are text") << one(R"({"dtype":"U8","shape":[4],"data_offsets":["a","b"]})") << 4 << 0ULL << "data_offsets";
        QTest::newRow("arrays overlap")
            << QStringLiteral(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})")
            << 6 << 0ULL << "begins at";
        QTest::newRow("a hole between arrays")
            << QStringLiteral(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[4,6]}})")
            << 6 << 0ULL << "begins at";
        QTest::newRow("metadata that is no text") << QStringLiteral(R"({"__metadata__":{"k":3}})") << 0 << 0ULL << "__metadata__";
    }

    void refusesHostileFiles()
    {
        QFETCH(QString, header);
        QFETCH(int, dataBytes);
        QFETCH(qulonglong, claimed);
        QFETCH(QString, word);
        writeRaw(file("bad.safetensors"), header.toStdString(), static_cast<std::size_t>(dataBytes), claimed);
        try {
            readSafetensors(file("bad.safetensors"));
            QFAIL("the file was accepted");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::model);
            QVERIFY2(QString::fromUtf8(error.what()).contains(word), error.what());
            QVERIFY(QString::fromUtf8(error.what()).contains(path("bad.safetensors")));
        }
    }

    void refusesShortAndMissingFiles()
    {
        std::ofstream(file("empty.safetensors"));
        QVERIFY_EXCEPTION_THROWN(readSafetensors(file("empty.safetensors")), Error);
        try {
            readSafetensors(file("nowhere.safetensors"));
            QFAIL("a missing file was read");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::io);
        }
    }

    void refusesToWriteContradictions()
    {
        Safetensors content;
        content.tensors["w"] = {"F32", {3}, std::vector<std::byte>(8)};
        QVERIFY_EXCEPTION_THROWN(writeSafetensors(file("d.safetensors"), content), Error);
        QVERIFY(!std::filesystem::exists(file("d.safetensors")));
    }

private:
    QString path(const char* name) const { return m_dir.filePath(QLatin1String(name)); }
    std::filesystem::path file(const char* name) const { return path(name).toStdString(); }

    QTemporaryDir m_dir;
};

QTEST_GUILESS_MAIN(TestSafetensors)
#include "tst_safetensors.moc"
