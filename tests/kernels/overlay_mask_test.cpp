// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/kernels.h"
#include "kernels/overlay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace maskscope::kernels {
namespace {

/// A mask drawn as text: '#' is inside.
struct Drawn {
    std::int32_t height;
    std::int32_t width;
    std::vector<std::uint8_t> bits;

    explicit Drawn(const std::vector<std::string>& rows)
        : height(static_cast<std::int32_t>(rows.size()))
        , width(static_cast<std::int32_t>(rows[0].size())) {
        for (const std::string& row : rows)
            for (const char c : row)
                bits.push_back(c == '#');
    }

    /// What becomes of black pixels: 'o' outline, '#' area, '.' untouched.
    std::vector<std::string> overlaid(std::int32_t outline) const {
        std::vector<std::uint8_t> pixels(bits.size() * 3);
        cpu::overlayMask(bits.data(), height, width, {{200, 200, 200}, 51, outline},
            {pixels.data(), std::int64_t{width} * 3, 3});
        std::vector<std::string> rows;
        for (std::size_t i = 0; i < bits.size(); ++i) {
            if (i % static_cast<std::size_t>(width) == 0)
                rows.emplace_back();
            const std::uint8_t value = pixels[3 * i];
            rows.back() += value == 200 ? 'o' : value == 40 ? '#' : value == 0 ? '.' : '?';
        }
        return rows;
    }
};

using Rows = std::vector<std::string>;

TEST(OverlayMask, DrawsTheAreaAndAnOutlineInsideIt) {
    const Drawn mask(Rows{"........", ".######.", ".######.", ".######.", ".######.", "........"});
    EXPECT_EQ(mask.overlaid(0),
        (Rows{"........", ".######.", ".######.", ".######.", ".######.", "........"}));
    EXPECT_EQ(mask.overlaid(1),
        (Rows{"........", ".oooooo.", ".o####o.", ".o####o.", ".oooooo.", "........"}));
    EXPECT_EQ(mask.overlaid(2),
        (Rows{"........", ".oooooo.", ".oooooo.", ".oooooo.", ".oooooo.", "........"}));
}

TEST(OverlayMask, HolesHaveAnOutlineAndThePicturesEdgeHasNone) {
    EXPECT_EQ(Drawn(Rows{"#####", "#####", "##.##", "#####", "#####"}).overlaid(1),
        (Rows{"#####", "##o##", "#o.o#", "##o##", "#####"}));
    EXPECT_EQ(Drawn(Rows{"####"}).overlaid(3), (Rows{"####"}));
    EXPECT_EQ(Drawn(Rows{"#"}).overlaid(1), (Rows{"#"}));
    EXPECT_EQ(Drawn(Rows{"###..."}).overlaid(100), (Rows{"ooo..."}));
}

TEST(OverlayMask, LeavesAlphaPaddingAndOtherPixelsAlone) {
    const std::vector<std::uint8_t> bits{1, 0, 0, 1};
    std::vector<std::uint8_t> pixels(2 * 12, 100); // 2 x 2 of 4 bytes, rows of 12
    cpu::overlayMask(bits.data(), 2, 2, {{0, 100, 200}, 255, 0}, {pixels.data(), 12, 4});
    const std::vector<std::uint8_t> expected{0, 100, 200, 100, 100, 100, 100, 100, 100, 100, 100,
        100, 100, 100, 100, 100, 0, 100, 200, 100, 100, 100, 100, 100};
    EXPECT_EQ(pixels, expected);
}

TEST(OverlayMask, BlendsRoundedForEveryColourAndOpacity) {
    for (int under = 0; under < 256; ++under)
        for (int colour = 0; colour < 256; colour += 5)
            for (int alpha = 0; alpha < 256; ++alpha) {
                const double exact = under + (colour - under) * alpha / 255.0;
                const int value = blended(
                    static_cast<std::uint8_t>(under), static_cast<std::uint8_t>(colour), alpha);
                ASSERT_LE(std::abs(value - exact), 0.5 + 1e-9)
                    << under << ' ' << colour << ' ' << alpha;
            }
}

} // namespace
} // namespace maskscope::kernels
