// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace maskscope {

/// A stream of numbers that is the same for a seed on every machine and compiler (splitmix64); the
/// standard library's distributions are not. One owner, one thread.
class RandomStream {
public:
    explicit RandomStream(std::uint64_t seed)
        : m_state(seed) { }

    std::uint64_t next();
    double real(); ///< [0, 1)
    double real(double low, double high); ///< [low, high)
    double logReal(double low, double high); ///< evenly over the logarithm; 0 < low <= high
    int below(int count); ///< 0 … count − 1; count > 0
    int between(int low, int high); ///< low … high, both included
    bool chance(double probability);
    double normal(); ///< mean 0, deviation 1

    /// One of `items`, which must not be empty.
    template <class T>
    const T& pick(std::span<const T> items) {
        return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
    }
    template <class Container>
    const auto& pick(const Container& items) {
        return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
    }

private:
    std::uint64_t m_state;
};

/// A seed for one of several independent streams of `seed`.
std::uint64_t mixSeed(std::uint64_t seed, std::uint64_t stream);

} // namespace maskscope
