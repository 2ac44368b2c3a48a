// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/fit.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

// What the report of the system that this laboratory reproduces has published (Xiaomi-Lens-0, whose
// mask decoder has 16 heads): extra memory of its whole mask pass above the state after loading, on
// another device. To be shown beside figures of this machine, never mixed with them.
namespace maskscope {

inline constexpr std::string_view kPublishedDevice = "RTX 5090, bf16, whole mask pass";

/// 10^9 bytes.
struct PublishedFigure {
    std::string_view input; ///< of 3:2, but for the last
    std::int64_t patches = 0;
    std::optional<double> mhaGb; ///< absent where it failed
    std::optional<double> sdpaGb; ///< absent where not published
    std::string_view remark = {}; ///< on mha
};

inline constexpr std::array<PublishedFigure, 5> kPublishedFigures{{
    {"0.5 MP", 1944, 0.86, 0.46},
    {"1 MP", 3952, 2.58, std::nullopt},
    {"2 MP", 7776, 8.53, std::nullopt},
    {"3 MP", 11616, 18.02, 2.28},
    {"3840 x 2560", 32120, std::nullopt, std::nullopt, "fails: asks for 30.75 GiB"},
}};

/// One attention layer by itself on a CPU in fp32, 16 heads, width 1,024: growth of the process.
struct PublishedLayer {
    std::int64_t patches = 0;
    std::int64_t mhaBytes = 0;
    std::int64_t sdpaBytes = 0;
};

inline constexpr PublishedLayer kPublishedCpu{1024, 172 << 20, 44 << 20};

/// The quadratic through its four figures of mha, in bytes.
Fit publishedFit();

} // namespace maskscope
