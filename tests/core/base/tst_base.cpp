#include "core/base/atomic_file.h"
#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/extent.h"
#include "core/base/hash.h"
#include "core/base/text.h"

#include <QtTest/QtTest>

#include <fstream>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

using namespace voxelscribe;
namespace fs = std::filesystem;

namespace {

std::string hashOf(Hash::Kind kind, std::string_view text)
{
    Hash hash(kind);
    hash.add(std::as_bytes(std::span(text.data(), text.size())));
    return hash.hex();
}

std::size_t entriesOf(const fs::path& folder)
{
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

} // namespace

class TestBase : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void byteSizes_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qlonglong>("bytes");
        QTest::newRow("a plain number") << "1073741824" << qlonglong{1073741824};
        QTest::newRow("binary gigabytes") << "4GiB" << qlonglong{4294967296};
        QTest::newRow("decimal megabytes with a space") << "512 MB" << qlonglong{512000000};
        QTest::newRow("a fraction") << "1.5KiB" << qlonglong{1536};
        QTest::newRow("terabytes") << "2TiB" << qlonglong{2199023255552};
        QTest::newRow("nothing at all") << "0" << qlonglong{0};
        QTest::newRow("no number") << "GiB" << qlonglong{-1};
        QTest::newRow("an unknown unit") << "4 apples" << qlonglong{-1};
        QTest::newRow("a negative size") << "-1GiB" << qlonglong{-1};
        QTest::newRow("more than there are numbers") << "1e30" << qlonglong{-1};
        QTest::newRow("an empty text") << "" << qlonglong{-1};
    }

    void byteSizes()
    {
        QFETCH(QString, text);
        QFETCH(qlonglong, bytes);
        if (bytes < 0)
            QVERIFY_EXCEPTION_THROWN(parseByteSize(text.toStdString()), Error);
        else
            QCOMPARE(parseByteSize(text.toStdString()), bytes);
    }

    void byteSizeTexts()
    {
        QCOMPARE(byteSizeText(0), std::string("0 B"));
        QCOMPARE(byteSizeText(1023), std::string("1023 B"));
        QCOMPARE(byteSizeText(std::int64_t{2} << 30), std::string("2.0 GiB"));
    }

    void namesSortAsPeopleDo_data()
    {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::newRow("nine before ten") << "s9.tif" << "s10.tif";
        QTest::newRow("leading zeros do not count") << "s009.tif" << "s10.tif";
        QTest::newRow("the same number, fewer zeros later") << "s01" << "s1";
        QTest::newRow("a shorter name first") << "scan" << "scan1";
        QTest::newRow("numbers of many digits") << "s99999999999999999999" << "s100000000000000000000";
        QTest::newRow("the second number decides") << "a1_b9" << "a1_b10";
        QTest::newRow("letters by bytes") << "A" << "a";
    }

    void namesSortAsPeopleDo()
    {
        QFETCH(QString, first);
        QFETCH(QString, second);
        QVERIFY(naturalLess(first.toStdString(), second.toStdString()));
        QVERIFY(!naturalLess(second.toStdString(), first.toStdString()));
        QVERIFY(!naturalLess(first.toStdString(), first.toStdString()));
    }

    void digestsAsHashlib()
    {
        QCOMPARE(hashOf(Hash::Kind::sha1, ""), std::string("da39a3ee5e6b4b0d3255bfef95601890afd80709"));
        QCOMPARE(hashOf(Hash::Kind::sha1, "abc"), std::string("a9993e364706816aba3e25717850c26c9cd0d89d"));
        QCOMPARE(hashOf(Hash::Kind::sha256, "abc"), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    }

    void digestInPieces()
    {
        Hash hash(Hash::Kind::sha256);
        for (const std::string_view piece : {"a", "", "bc"})
            hash.add(std::as_bytes(std::span(piece.data(), piece.size())));
        QCOMPARE(hash.hex(), hashOf(Hash::Kind::sha256, "abc"));
    }

    void digestOfAFile()
    {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "abc";
        writeFileAtomically(path, std::string_view("abc"));
        QCOMPARE(sha256OfFile(path), hashOf(Hash::Kind::sha256, "abc"));
        QVERIFY_EXCEPTION_THROWN(sha256OfFile(path / "missing"), Error);
    }

    void filesAreReplacedWhole()
    {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "Über uns.txt";
        writeFileAtomically(path, std::string_view("first"));
        writeFileAtomically(path, std::string_view("second"));
        QCOMPARE(readTextFile(path), std::string("second"));
        QCOMPARE(entriesOf(path.parent_path()), std::size_t{1}); // no temporary is left
    }

    void whatIsNotCommittedIsGone()
    {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "result.tif";
        writeFileAtomically(path, std::string_view("old"));
        {
            AtomicPath file(path);
            std::ofstream(file.temporary()) << "half";
        }
        QCOMPARE(readTextFile(path), std::string("old"));
        QCOMPARE(entriesOf(path.parent_path()), std::size_t{1});
    }

    void foldersAreReplacedWhole()
    {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "series";
        for (const char* name : {"a", "b"}) {
            AtomicPath target(path / ""); // a trailing slash changes nothing
            fs::create_directory(target.temporary());
            writeFileAtomically(target.temporary() / name, std::string_view("x"));
            target.commit();
        }
        QVERIFY(fs::exists(path / "b") && !fs::exists(path / "a"));
    }

    void unwritableFolderSaysSo()
    {
        if (::geteuid() == 0)
            QSKIP("root may write everywhere");
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        ::chmod(path.c_str(), 0500);
        try {
            writeFileAtomically(path / "x", std::string_view("x"));
            QFAIL("it wrote");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::io);
            QVERIFY(QString(error.what()).contains(QString::fromStdString((path / "x").string())));
        }
        ::chmod(path.c_str(), 0700);
    }

    void missingFileSaysSo()
    {
        QVERIFY_EXCEPTION_THROWN(readTextFile("/nowhere/at/all"), Error);
    }

    void regionsBeyondTwoToTheThirtyOne()
    {
        const Extent huge{3000, 40000, 50000};
        QCOMPARE(huge.voxels(), std::int64_t{6000000000000});
        const Region region{{2999, 39999, 49999}, {1, 1, 1}};
        QVERIFY(region.isInside(huge));
        QVERIFY(!(Region{{2999, 39999, 49999}, {1, 1, 2}}).isInside(huge));
        const Region cut = Region{{-5, 39990, 0}, {10, 100, 3000000000}}.intersected(Region::whole(huge));
        QCOMPARE(cut, (Region{{0, 39990, 0}, {5, 10, 50000}}));
        QVERIFY((Region{{0, 0, 0}, {1, 1, 1}}).intersected({{5, 5, 5}, {1, 1, 1}}).extent.isEmpty());
    }

    void impossibleExtentsAreRefused()
    {
        const std::int64_t most = std::numeric_limits<std::int64_t>::max();
        QVERIFY_EXCEPTION_THROWN((Extent{most, 2, 1}).voxels(), Error);
        QVERIFY_EXCEPTION_THROWN((Extent{std::int64_t{1} << 40, std::int64_t{1} << 40, 1}).voxels(), Error);
        QVERIFY_EXCEPTION_THROWN(checkedProduct(-1, 5, "test"), Error);
        QVERIFY_EXCEPTION_THROWN(requireInside({{0, 0, 0}, {1, 2, 0}}, {1, 2, 3}, "test"), Error);
    }

    void diskSpaceIsChecked()
    {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "not" / "yet" / "there.tif";
        QVERIFY(freeDiskBytes(path) > 0);
        QVERIFY_EXCEPTION_THROWN(requireDiskSpace(path, std::numeric_limits<std::int64_t>::max()), Error);
        requireDiskSpace(path, 1);
    }
};

QTEST_GUILESS_MAIN(TestBase)
#include "tst_base.moc"
