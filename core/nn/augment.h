#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <utility>

namespace voxelscribe::nn {

/// One of the eight ways to lay a square window: mirrored upside down, mirrored left to right, rows and columns swapped.
struct Symmetry {
    bool mirrorY = false;
    bool mirrorX = false;
    bool transpose = false;

    static Symmetry numbered(unsigned number, bool square) { return {(number & 1U) != 0, (number & 2U) != 0, square && (number & 4U) != 0}; }

    /// The pixel of the window that comes to (y, x).
    std::pair<std::int64_t, std::int64_t> source(std::int64_t y, std::int64_t x, std::int64_t height, std::int64_t width) const
    {
        if (transpose)
            std::swap(y, x);
        return {mirrorY ? height - 1 - y : y, mirrorX ? width - 1 - x : x};
    }
};

/// Changes grey values 0…1 as another exposure would: gamma, gain, offset, and for some windows noise or a slight blur.
/// At `strength` 1 gamma varies by 7 %, gain by 3 %, offset by 1.5 % (standard deviations): little, since grey is what tells most classes apart.
void changeGrey(std::span<float> window, std::int64_t height, std::int64_t width, double strength, std::mt19937_64& random);

} // namespace voxelscribe::nn
