#pragma once

#include <QtTest/QtTest>

#include <cstdlib>
#include <filesystem>

namespace voxelscribe::test {

/// The shared test data: $VOXELSCRIBE_TEST_DATA, or ../shared/data beside the checkout. May not exist.
inline std::filesystem::path testDataDir()
{
    const char* chosen = std::getenv("VOXELSCRIBE_TEST_DATA");
    return chosen != nullptr ? chosen : VOXELSCRIBE_DEFAULT_TEST_DATA;
}

} // namespace voxelscribe::test

/// Skips the running test, by name, where a file of the shared test data is not there.
#define VOXELSCRIBE_NEEDS_DATA(relativePath) \
    do { \
        if (!std::filesystem::exists(voxelscribe::test::testDataDir() / (relativePath))) \
            QSKIP("no test data: " relativePath " (set VOXELSCRIBE_TEST_DATA)"); \
    } while (false)
