#include "core/nn/tensor_pool.h"

#include <QtTest/QtTest>

#include <cstring>
#include <new>
#include <thread>
#include <vector>

using voxelscribe::nn::TensorPool;

namespace {
constexpr std::size_t kMiB = std::size_t{1} << 20;
} // namespace

class TestTensorPool : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void givesAlignedMemoryOfAnySize()
    {
        TensorPool pool(64 * kMiB);
        for (const std::size_t bytes : {std::size_t{1}, std::size_t{63}, std::size_t{4096}, kMiB - 65, kMiB - 64, kMiB, 5 * kMiB + 13}) {
            void* memory = pool.allocate(bytes);
            QCOMPARE(reinterpret_cast<std::uintptr_t>(memory) % 64, std::uintptr_t{0});
            std::memset(memory, 7, bytes);
            pool.release(memory);
        }
    }

    void handsOutAgainWhatCameBack()
    {
        TensorPool pool(64 * kMiB);
        void* first = pool.allocate(5 * kMiB);
        pool.release(first);
        QVERIFY(pool.unusedBytes() >= 5 * kMiB);
        void* second = pool.allocate(5 * kMiB - 1000);
        QCOMPARE(second, first);
        QCOMPARE(pool.unusedBytes(), std::size_t{0});
        pool.release(second);
    }

    void keepsLargeMemoryForLargeArrays()
    {
        TensorPool pool(64 * kMiB);
        void* large = pool.allocate(32 * kMiB);
        pool.release(large);
        void* small = pool.allocate(2 * kMiB);
        QVERIFY(small != large);
        void* largeAgain = pool.allocate(32 * kMiB);
        QCOMPARE(largeAgain, large);
        pool.release(small);
        pool.release(largeAgain);
    }

    void keepsNoMoreThanItMay()
    {
        TensorPool pool(10 * kMiB);
        std::vector<void*> all;
        for (int i = 0; i < 8; ++i)
            all.push_back(pool.allocate(3 * kMiB));
        for (void* memory : all)
            pool.release(memory);
        QVERIFY(pool.unusedBytes() <= 10 * kMiB);
        QVERIFY(pool.unusedBytes() >= 6 * kMiB);
        void* newest = pool.allocate(3 * kMiB);
        QCOMPARE(newest, all.back()); // the longest unused went first
        pool.release(newest);
    }

    void failsAsNewDoes()
    {
        TensorPool pool(kMiB);
        QVERIFY_EXCEPTION_THROWN(pool.allocate(SIZE_MAX), std::bad_alloc);
        QVERIFY_EXCEPTION_THROWN(pool.allocate(SIZE_MAX / 4), std::bad_alloc);
    }

    void servesThreads()
    {
        TensorPool pool(16 * kMiB);
        std::vector<std::thread> threads;
        std::atomic<int> wrong{0};
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&pool, &wrong, t] {
                for (std::size_t i = 0; i < 200; ++i) {
                    const std::size_t bytes = (i % 5 + 1) * kMiB;
                    auto* memory = static_cast<unsigned char*>(pool.allocate(bytes));
                    memory[0] = memory[bytes - 1] = static_cast<unsigned char>(t);
                    std::this_thread::yield();
                    wrong += memory[0] != t || memory[bytes - 1] != t;
                    pool.release(memory);
                }
            });
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(wrong.load(), 0);
    }
};

QTEST_GUILESS_MAIN(TestTensorPool)
#include "tst_tensor_pool.moc"
