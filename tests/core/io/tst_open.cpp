#include "core/base/error.h"
#include "core/io/open.h"
#include "core/io/writer.h"
#include "support/run_program.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <fstream>
#include <unistd.h>

using namespace voxelscribe;
namespace fs = std::filesystem;

class TestOpen : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>(QDir::tempPath() + QStringLiteral("/öffnen auf-XXXXXX"));
        m_path = fs::path(m_dir->path().toStdString());
    }

    void sources_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("dataset");
        QTest::newRow("a file") << "a/b c.h5" << "a/b c.h5" << "";
        QTest::newRow("a data set in a file") << "a/b c.h5::/entry/da ta" << "a/b c.h5" << "/entry/da ta";
        QTest::newRow("colons in a folder") << "a::b/c.h5::/d" << "a::b/c.h5" << "/d";
    }

    void sources()
    {
        QFETCH(QString, text);
        QFETCH(QString, path);
        QFETCH(QString, dataset);
        const io::Source source = io::Source::parse(text.toStdString());
        QCOMPARE(QString::fromStdString(source.path.string()), path);
        QCOMPARE(QString::fromStdString(source.dataset), dataset);
        QCOMPARE(QString::fromStdString(source.text()), text);
    }

    void aFileWithColonsInItsNameIsThatFile()
    {
        const std::string path = (m_path / "a::b.h5").string();
        std::ofstream(path) << "x";
        QCOMPARE(io::Source::parse(path).path.string(), path);
        QVERIFY(io::Source::parse(path).dataset.empty());
    }

    void recognisesByContent_data()
    {
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("renamed");
        QTest::addColumn<QString>("format");
        QTest::newRow("TIFF named as HDF5") << "a.tif" << "a.h5" << "TIFF";
        QTest::newRow("HDF5 named as TIFF") << "a.h5" << "a.tif" << "NeXus";
        QTest::newRow("HDF5 without an ending") << "a.hdf5" << "scan 1" << "NeXus";
        QTest::newRow("Zarr without an ending") << "a.zarr" << "result" << "Zarr";
        QTest::newRow("TIFF series") << "a/" << "slices" << "TIFF series";
    }

    void recognisesByContent()
    {
        QFETCH(QString, written);
        QFETCH(QString, renamed);
        QFETCH(QString, format);
        const fs::path target = m_path / renamed.toStdString();
        write(written.toStdString());
        fs::path source = m_path / written.toStdString();
        fs::rename(source.has_filename() ? source : source.parent_path(), target);
        QCOMPARE(QString::fromStdString(io::list({target, {}}).format), format);
        const VolumePtr volume = io::open({target, {}});
        QCOMPARE(volume->extent().text(), std::string("3×7×5"));
        QCOMPARE(readAs<std::uint16_t>(*volume, {{2, 6, 4}, {1, 1, 1}}).front(), std::uint16_t{104});
    }

    void theNamedArrayIsListedFirst()
    {
        const auto python = test::runPython(QStringLiteral("import h5py, numpy as np, sys; f = h5py.File(sys.argv[1], 'w'); f['big'] = np.zeros((9, 8, 7)); f['g/small'] = np.zeros((4, 5))"),
                                            {QString::fromStdString((m_path / "n.h5").string())});
        QVERIFY2(python.exitCode == 0, qPrintable(python.err));
        QCOMPARE(io::list({m_path / "n.h5", {}}).arrays.front().name, std::string("/big"));
        QCOMPARE(io::list({m_path / "n.h5", "/g/small"}).arrays.front().name, std::string("/g/small"));
        QCOMPARE(static_cast<int>(io::list({m_path / "n.h5", "g/small"}).arrays.size()), 2);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("says");
        QTest::addColumn<QString>("code");
        QTest::newRow("nothing there") << "gone.tif" << QByteArray() << "No such file" << "io";
        QTest::newRow("0 bytes") << "zero.tif" << QByteArray("") << "0 bytes" << "format";
        QTest::newRow("a PNG") << "p.tif" << QByteArray("\x89PNG\r\n\x1a\n0000000000000") << "found a PNG image" << "format";
        QTest::newRow("text") << "t.h5" << QByteArray("hello") << "expected a TIFF" << "format";
        QTest::newRow("a folder in between is a file") << "t.h5/x" << QByteArray("") << "Not a directory" << "io";
    }

    void refuses()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, says);
        QFETCH(QString, code);
        std::ofstream(m_path / "t.h5") << "hello";
        if (!content.isNull() && name != "t.h5/x")
            std::ofstream(m_path / name.toStdString(), std::ios::binary) << content.toStdString();
        refusal(m_path / name.toStdString(), says, code);
    }

    void refusesFolders_data()
    {
        QTest::addColumn<bool>("filled");
        QTest::newRow("an empty folder") << false;
        QTest::newRow("a folder without images") << true;
    }

    void refusesFolders()
    {
        QFETCH(bool, filled);
        fs::create_directory(m_path / "d");
        if (filled)
            std::ofstream(m_path / "d/notes.txt") << "hello";
        refusal(m_path / "d", filled ? QStringLiteral("notes.txt") : QStringLiteral("the folder is empty"), QStringLiteral("format"));
    }

    void refusesWhatMayNotBeRead()
    {
        if (::geteuid() == 0)
            QSKIP("root may read everything: not tested as root");
        write("r.h5");
        fs::permissions(m_path / "r.h5", fs::perms::none);
        refusal(m_path / "r.h5", QStringLiteral("Permission denied"), QStringLiteral("io"));
    }

private:
    void write(const std::string& name)
    {
        std::vector<std::uint16_t> samples(3 * 7 * 5);
        for (std::size_t i = 0; i < samples.size(); ++i)
            samples[i] = static_cast<std::uint16_t>(i);
        io::WriteSpec spec;
        spec.extent = {3, 7, 5};
        spec.dtype = DType::uint16;
        const auto writer = io::createWriter((m_path / name).string(), spec, false);
        writer->write(std::as_bytes(std::span(samples)));
        writer->finish();
    }

    static void refusal(const fs::path& path, const QString& says, const QString& code)
    {
        for (const bool listing : {true, false})
            try {
                if (listing)
                    io::list({path, {}});
                else
                    io::open({path, {}});
                QFAIL("it was opened");
            } catch (const Error& error) {
                QVERIFY2(QString::fromUtf8(error.what()).contains(says), error.what());
                QVERIFY2(QString::fromUtf8(error.what()).contains(QString::fromStdString(path.string())), error.what());
                QCOMPARE(QString::fromUtf8(errorCodeName(error.code())), code);
            }
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path m_path;
};

QTEST_GUILESS_MAIN(TestOpen)
#include "tst_open.moc"
