#include "core/base/error.h"
#include "core/volume/cached_volume.h"

#include <QtTest/QtTest>

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

using namespace voxelscribe;

namespace {

/// Each sample is its own index; counts how often each block is read.
class CountingVolume : public Volume {
public:
    CountingVolume(const Extent& extent, const Extent& chunk) : Volume(infoOf(extent, chunk)) {}

    mutable std::atomic<int> reads{0};
    mutable std::atomic<bool> failing{false};
    std::atomic<int> pauseMs{0};

private:
    static VolumeInfo infoOf(const Extent& extent, const Extent& chunk)
    {
        VolumeInfo info;
        info.name = "counting";
        info.dtype = DType::uint32;
        info.extent = extent;
        info.chunk = chunk;
        return info;
    }
    void readRegion(const Region& region, std::span<std::byte> out) const override
    {
        ++reads;
        QThread::msleep(static_cast<unsigned long>(pauseMs.load()));
        if (failing)
            throw Error(ErrorCode::io, "counting: the disk is gone");
        std::byte* to = out.data();
        for (std::int64_t z = region.origin.z; z < region.end().z; ++z)
            for (std::int64_t y = region.origin.y; y < region.end().y; ++y)
                for (std::int64_t x = region.origin.x; x < region.end().x; ++x, to += 4) {
                    const auto value = static_cast<std::uint32_t>((z * m_info.extent.y + y) * m_info.extent.x + x);
                    std::memcpy(to, &value, 4);
                }
    }
};

} // namespace

class TestCachedVolume : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAsTheSource_data()
    {
        QTest::addColumn<qlonglong>("budget");
        QTest::newRow("all fits") << qlonglong{1 << 20};
        QTest::newRow("two blocks fit") << qlonglong{2 * 2 * 3 * 4 * 4};
        QTest::newRow("no block fits") << qlonglong{10};
    }

    void readsAsTheSource()
    {
        QFETCH(qlonglong, budget);
        const auto source = std::make_shared<CountingVolume>(Extent{5, 7, 11}, Extent{2, 3, 4});
        const auto cache = std::make_shared<ChunkCache>(budget);
        const VolumePtr cached = cachedVolume(source, cache);
        for (const Region& region : {Region::whole({5, 7, 11}), Region{{1, 2, 3}, {3, 4, 5}}, Region{{4, 6, 10}, {1, 1, 1}}, Region{{0, 0, 0}, {5, 1, 11}}}) {
            QCOMPARE(readAs<std::uint32_t>(*cached, region), readAs<std::uint32_t>(*source, region));
            QVERIFY(cache->usedBytes() <= budget);
        }
    }

    void aBlockIsReadOnce()
    {
        const auto source = std::make_shared<CountingVolume>(Extent{4, 6, 8}, Extent{1, 6, 8});
        const VolumePtr cached = cachedVolume(source, std::make_shared<ChunkCache>(1 << 20));
        readAs<std::uint32_t>(*cached, Region::whole({4, 6, 8}));
        readAs<std::uint32_t>(*cached, {{1, 2, 2}, {2, 3, 3}});
        QCOMPARE(source->reads.load(), 4);
    }

    void theLeastRecentlyUsedBlockGoes()
    {
        const auto source = std::make_shared<CountingVolume>(Extent{3, 2, 2}, Extent{1, 2, 2});
        const VolumePtr cached = cachedVolume(source, std::make_shared<ChunkCache>(2 * 16));
        for (const std::int64_t z : {0, 1, 0, 2, 0}) // 2 displaces 1, not 0
            readAs<std::uint32_t>(*cached, Region::slice({3, 2, 2}, z));
        QCOMPARE(source->reads.load(), 3);
    }

    void twoThreadsReadABlockOnce()
    {
        const auto source = std::make_shared<CountingVolume>(Extent{1, 9, 5}, Extent{1, 9, 5});
        source->pauseMs = 100;
        const VolumePtr cached = cachedVolume(source, std::make_shared<ChunkCache>(1 << 20));
        std::vector<std::thread> threads;
        std::atomic<int> right{0};
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                if (readAs<std::uint32_t>(*cached, {{0, 8, 4}, {1, 1, 1}}).front() == 44)
                    ++right;
            });
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(right.load(), 4);
        QCOMPARE(source->reads.load(), 1);
    }

    void manyThreadsStayWithinTheBudget()
    {
        const auto source = std::make_shared<CountingVolume>(Extent{40, 3, 5}, Extent{1, 3, 5});
        const auto cache = std::make_shared<ChunkCache>(3 * 60 + 10);
        const VolumePtr cached = cachedVolume(source, cache);
        std::atomic<int> wrong{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < 6; ++i)
            threads.emplace_back([&, i] {
                for (std::int64_t step = 0; step < 200; ++step) {
                    const std::int64_t z = (step * 7 + i * 13) % 40;
                    if (readAs<std::uint32_t>(*cached, {{z, 2, 4}, {1, 1, 1}}).front() != static_cast<std::uint32_t>(z * 15 + 14)
                        || cache->usedBytes() > cache->budgetBytes())
                        ++wrong;
                }
            });
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(wrong.load(), 0);
    }

    void aFailedReadIsTriedAgain()
    {
        const auto source = std::make_shared<CountingVolume>(Extent{2, 2, 2}, Extent{1, 2, 2});
        const auto cache = std::make_shared<ChunkCache>(1 << 10);
        const VolumePtr cached = cachedVolume(source, cache);
        source->failing = true;
        QVERIFY_EXCEPTION_THROWN(readAs<std::uint32_t>(*cached, Region::slice({2, 2, 2}, 1)), Error);
        QCOMPARE(cache->usedBytes(), std::int64_t{0});
        source->failing = false;
        QCOMPARE(readAs<std::uint32_t>(*cached, Region::slice({2, 2, 2}, 1)), (std::vector<std::uint32_t>{4, 5, 6, 7}));
    }

    void aClosedVolumeGivesItsBytesBack()
    {
        const auto cache = std::make_shared<ChunkCache>(1 << 20);
        VolumePtr first = cachedVolume(std::make_shared<CountingVolume>(Extent{2, 2, 2}, Extent{1, 2, 2}), cache);
        const VolumePtr second = cachedVolume(std::make_shared<CountingVolume>(Extent{1, 2, 2}, Extent{1, 2, 2}), cache);
        readAs<std::uint32_t>(*first, Region::whole({2, 2, 2}));
        readAs<std::uint32_t>(*second, Region::whole({1, 2, 2}));
        QCOMPARE(cache->usedBytes(), std::int64_t{48});
        first.reset();
        QCOMPARE(cache->usedBytes(), std::int64_t{16});
    }

    void outsideIsRefused()
    {
        const VolumePtr cached = cachedVolume(std::make_shared<CountingVolume>(Extent{2, 3, 4}, Extent{1, 3, 4}), std::make_shared<ChunkCache>(100));
        QVERIFY_EXCEPTION_THROWN(readAs<std::uint32_t>(*cached, {{0, 0, 0}, {3, 3, 4}}), Error);
        QVERIFY_EXCEPTION_THROWN(readAs<std::uint32_t>(*cached, {{-1, 0, 0}, {1, 3, 4}}), Error);
    }
};

QTEST_GUILESS_MAIN(TestCachedVolume)
#include "tst_cached_volume.moc"
