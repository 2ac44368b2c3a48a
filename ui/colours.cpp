// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/colours.h"

#include "core/mask/mask_colour.h"

#include <array>

namespace maskscope {

namespace {

constexpr std::array<QRgb, kMemoryCategories> kCategories{
    0xff4477aa, // weights
    0xffccbb44, // kv cache
    0xff66ccee, // vision
    0xff228833, // language
    0xffee6677, // mask decoder
    0xffaa3377, // ring staging
    0xffaaaaaa, // other
};

constexpr std::array<QRgb, 6> kStages{
    0xff9a9a9a, // load
    0xff88ccaa, // image
    0xff66aadd, // vision
    0xffddaa55, // prefill
    0xff66aa66, // decode
    0xffdd6677, // mask
};

constexpr std::array<QRgb, 6> kPaths{
    0xffd55e00, // mha
    0xff0072b2, // sdpa
    0xff009e73, // flash
    0xff56b4e9, // ring
    0xffcc79a7, // cpp-module
    0xffe69f00, // encoder-layer
};

} // namespace

QColor colourOfMask(int index) {
    const auto [red, green, blue] = maskColour(index);
    return {red, green, blue};
}

QColor textOn(const QColor& background) {
    const double luminance
        = 0.2126 * background.redF() + 0.7152 * background.greenF() + 0.0722 * background.blueF();
    return luminance > 0.5 ? QColor(Qt::black) : QColor(Qt::white);
}

QColor colourOf(MemoryCategory category) {
    return QColor::fromRgb(kCategories.at(static_cast<std::size_t>(category)));
}

QColor colourOf(Stage stage) {
    return QColor::fromRgb(kStages.at(static_cast<std::size_t>(stage)));
}

QColor colourOf(LayerPath path) {
    return QColor::fromRgb(kPaths.at(static_cast<std::size_t>(path)));
}

QColor processColour(const QPalette& palette) {
    return isDark(palette) ? QColor(0xe8e8e8) : QColor(0x303030);
}

QColor positiveColour() {
    return QColor(0x00b97a);
}

QColor negativeColour() {
    return QColor(0xe0452b);
}

QColor boxColour() {
    return QColor(0x2f9bff);
}

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < 128;
}

QColor withAlpha(QColor colour, int alpha) {
    colour.setAlpha(alpha);
    return colour;
}

} // namespace maskscope
