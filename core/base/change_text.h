// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

// Ratios and times for people, with as many digits as they can use.
namespace maskscope {

/// "74", "4.6", "0.25": two significant digits, more before the point.
std::string ratioText(double ratio);

/// How `after` relates to `before`, both above 0: "16 x less", "12 % more", "the same"; in words
/// that `less` and `more` give.
std::string changeText(double before, double after, const std::string& less = "less",
    const std::string& more = "more");

/// "4.2 ms", "853 ms", "7.0 s", "2 min 23 s".
std::string timeText(double ms);

} // namespace maskscope
