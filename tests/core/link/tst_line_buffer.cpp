#include "core/link/line_buffer.h"

#include <QtTest/QtTest>

#include <string>
#include <vector>

using voxelscribe::link::LineBuffer;

class TestLineBuffer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cutsLines_data()
    {
        QTest::addColumn<QByteArrayList>("pieces");
        QTest::addColumn<QByteArrayList>("lines");
        QTest::newRow("nothing") << QByteArrayList{} << QByteArrayList{};
        QTest::newRow("two lines at once") << QByteArrayList{"a\nbc\n"} << QByteArrayList{"a", "bc"};
        QTest::newRow("a line in pieces") << QByteArrayList{"a", "b", "c\nd"} << QByteArrayList{"abc"};
        QTest::newRow("empty lines are none") << QByteArrayList{"\n\na\n\n"} << QByteArrayList{"a"};
        QTest::newRow("exactly the limit") << QByteArrayList{"12345678\n"} << QByteArrayList{"12345678"};
        QTest::newRow("one too long is dropped alone") << QByteArrayList{"123456789\nok\n"} << QByteArrayList{"ok"};
        QTest::newRow("too long in pieces") << QByteArrayList{"12345", "6789", "abc", "\nok\n"} << QByteArrayList{"ok"};
    }

    void cutsLines()
    {
        QFETCH(QByteArrayList, pieces);
        QFETCH(QByteArrayList, lines);
        LineBuffer buffer(8);
        QByteArrayList found;
        for (const QByteArray& piece : pieces)
            buffer.add({piece.constData(), static_cast<std::size_t>(piece.size())},
                       [&](std::string_view line) { found << QByteArray(line.data(), static_cast<qsizetype>(line.size())); });
        QCOMPARE(found, lines);
    }
};

QTEST_GUILESS_MAIN(TestLineBuffer)
#include "tst_line_buffer.moc"
