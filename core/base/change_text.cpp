// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/change_text.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace maskscope {

namespace {

std::string number(const char* format, double value) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

} // namespace

std::string ratioText(double ratio) {
    return number(ratio >= 9.95 ? "%.0f" : ratio >= 0.995 ? "%.1f" : "%.2g", ratio);
}

std::string changeText(
    double before, double after, const std::string& less, const std::string& more) {
    const std::string& word = after < before ? less : more;
    const double larger = std::fmax(before, after), smaller = std::fmin(before, after);
    if (larger >= 1.5 * smaller)
        return ratioText(larger / smaller) + " x " + word;
    const double percent = (larger - smaller) / before * 100;
    if (percent < 0.5)
        return "the same";
    return number("%.0f", percent) + " % " + word;
}

std::string timeText(double ms) {
    constexpr double kSecond = 1000, kMinute = 60 * kSecond;
    if (ms < 10)
        return number("%.1f ms", ms);
    if (ms < kSecond)
        return number("%.0f ms", ms);
    if (ms < 2 * kMinute)
        return number("%.1f s", ms / kSecond);
    const double minutes = std::floor(std::round(ms / kSecond) / 60);
    return number("%.0f min ", minutes) + number("%.0f s", std::round(ms / kSecond) - minutes * 60);
}

} // namespace maskscope
