// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/megapixel_box.h"

#include <algorithm>
#include <cmath>

namespace maskscope {

namespace {

constexpr double kPixelsPerMegapixel = 1e6;
constexpr double kLargestMegapixels = 40;

/// To two decimals, never more than there are.
double megapixelsIn(std::int64_t pixels) {
    constexpr std::int64_t kPixelsPerStep = 10'000;
    return static_cast<double>(pixels / kPixelsPerStep) / 100;
}

} // namespace

MegapixelBox::MegapixelBox(const QString& none, QWidget* parent)
    : QDoubleSpinBox(parent) {
    setRange(0, kLargestMegapixels);
    setDecimals(2);
    setSingleStep(0.1);
    setSuffix(QStringLiteral(" MP"));
    setSpecialValueText(none);
}

std::int64_t MegapixelBox::pixels() const {
    return std::llround(value() * kPixelsPerMegapixel);
}

void MegapixelBox::setPixels(std::int64_t pixels) {
    setValue(pixels > 0 ? std::max(0.01, megapixelsIn(pixels)) : 0);
}

void MegapixelBox::setMostPixels(std::int64_t pixels) {
    if (pixels > 0)
        setMaximum(megapixelsIn(pixels));
}

} // namespace maskscope
