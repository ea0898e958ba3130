#include "core/link/messages.h"

#include <QtTest/QtTest>

using namespace voxelscribe;
using link::RunRequest;
using nlohmann::json;

class TestMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bringsARequestAcross()
    {
        const RunRequest request{7, link::Priority::preview, {"predict", "--image", "Größe 3.tif", ""}};
        const std::string line = link::toLine(link::toJson(request));
        QCOMPARE(line.find('\n'), line.size() - 1);
        const RunRequest read = link::runRequestFromJson(link::fromLine(line));
        QCOMPARE(read.id, request.id);
        QVERIFY(read.priority == request.priority);
        QVERIFY(read.command == request.command);
    }

    void isNormalWithoutAPriority()
    {
        const RunRequest read = link::runRequestFromJson(json{{"id", 1}, {"command", {"info"}}});
        QVERIFY(read.priority == link::Priority::normal);
    }

    void replacesBytesThatAreNotText()
    {
        const std::string line = link::toLine({{"message", "caf\xe9.tif"}});
        QCOMPARE(link::fromLine(line).at("message").get<std::string>(), std::string("caf\xef\xbf\xbd.tif"));
    }

    void keepsLineBreaksInsideALine()
    {
        const std::string line = link::toLine({{"message", "one\ntwo"}});
        QCOMPARE(line.find('\n'), line.size() - 1);
        QCOMPARE(link::fromLine(line).at("message").get<std::string>(), std::string("one\ntwo"));
    }

    void refusesOtherRequests_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("no number") << QByteArray(R"({"command":["info"]})");
        QTest::newRow("number zero") << QByteArray(R"({"id":0,"command":["info"]})");
        QTest::newRow("a number as text") << QByteArray(R"({"id":"1","command":["info"]})");
        QTest::newRow("no command") << QByteArray(R"({"id":1})");
        QTest::newRow("an empty command") << QByteArray(R"({"id":1,"command":[]})");
        QTest::newRow("a command as one text") << QByteArray(R"({"id":1,"command":"info x"})");
        QTest::newRow("a number among the words") << QByteArray(R"({"id":1,"command":["info",3]})");
        QTest::newRow("a zero byte in a word") << QByteArray(R"({"id":1,"command":["info","a\u0000b"]})");
        QTest::newRow("another priority") << QByteArray(R"({"id":1,"priority":"urgent","command":["info"]})");
    }

    void refusesOtherRequests()
    {
        QFETCH(QByteArray, line);
        const json message = link::fromLine(line.toStdString());
        QVERIFY_EXCEPTION_THROWN(link::runRequestFromJson(message), Error);
    }

    void refusesOtherLines_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("words") << QByteArray("Welcome to the cluster!");
        QTest::newRow("half an object") << QByteArray(R"({"type":"run")");
        QTest::newRow("an array") << QByteArray("[1,2]");
        QTest::newRow("bytes that are not text") << QByteArray("{\"a\":\"\xff\xfe\"}");
    }

    void refusesOtherLines()
    {
        QFETCH(QByteArray, line);
        QVERIFY_EXCEPTION_THROWN(link::fromLine(line.toStdString()), Error);
    }
};

QTEST_GUILESS_MAIN(TestMessages)
#include "tst_messages.moc"
