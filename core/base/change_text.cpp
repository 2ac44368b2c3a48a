// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/change_text.h"

#include "core/base/number_text.h"

#include <cmath>

namespace maskscope {

namespace { } // namespace

std::string ratioText(double ratio) {
    return numberText(ratio >= 9.95 ? "%.0f" : ratio >= 0.995 ? "%.1f" : "%.2g", ratio);
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
    return numberText("%.0f", percent) + " % " + word;
}

std::string timeText(double ms) {
    constexpr double kSecond = 1000, kMinute = 60 * kSecond;
    if (ms < 10)
        return numberText("%.1f ms", ms);
    if (ms < kSecond)
        return numberText("%.0f ms", ms);
    if (ms < 2 * kMinute)
        return numberText("%.1f s", ms / kSecond);
    const double minutes = std::floor(std::round(ms / kSecond) / 60);
    return numberText("%.0f min ", minutes)
        + numberText("%.0f s", std::round(ms / kSecond) - minutes * 60);
}

} // namespace maskscope
