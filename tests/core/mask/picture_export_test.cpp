// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/image_reader.h"
#include "core/image/png_writer.h"
#include "core/mask/mask_colour.h"
#include "core/mask/mask_export.h"
#include "tests/core/mask/export_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

namespace maskscope {
namespace {

using test::contentOf;
using test::maskOf;
using test::namesIn;
using test::pictureOf;
using test::redOf;
using test::samplePicture;

std::vector<std::uint8_t> times255(std::vector<std::uint8_t> bits) {
    for (std::uint8_t& bit : bits)
        bit = static_cast<std::uint8_t>(bit * 255);
    return bits;
}

TEST(PngExport, WritesObjectsAndAnIndex) {
    const test::TemporaryFolder folder;
    const MaskedPicture picture = samplePicture();
    exportMasks({picture}, {folder.path(), {ExportFormat::Png}});
    EXPECT_EQ(namesIn(folder.path()),
        (std::vector<std::string>{"photo_1.png", "photo_3.png", "photo_index.png"}));
    for (const int n : {1, 3}) {
        const Image object = readImage(folder.path() / ("photo_" + std::to_string(n) + ".png"));
        EXPECT_EQ(object.source.channels, 1);
        EXPECT_EQ(redOf(object), times255(picture.masks[std::size_t(n - 1)]->bits));
    }
    // Read as colours the index shows the palette; the third mask lies over the first.
    const Image index = readImage(folder.path() / "photo_index.png");
    const std::vector<int> expected{
        1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 3, 1, 1, 1, 0, 3, 3, 0, 0, 0, 0, 0, 1};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Rgb shown{index.rgb[3 * i], index.rgb[3 * i + 1], index.rgb[3 * i + 2]};
        EXPECT_EQ(shown, expected[i] == 0 ? Rgb{} : maskColour(expected[i] - 1)) << i;
    }
}

TEST(PngExport, UsesSixteenBitsForManyMasks) {
    const test::TemporaryFolder folder;
    std::vector<Mask> masks;
    for (std::size_t i = 0; i < 300; ++i) {
        Mask mask;
        mask.width = 20;
        mask.height = 15;
        mask.bits.resize(300);
        mask.bits[i] = 1;
        measure(mask);
        masks.push_back(std::move(mask));
    }
    exportMasks({pictureOf(std::move(masks))}, {folder.path(), {ExportFormat::Png}});
    const Image index = readImage(folder.path() / "photo_index.png");
    EXPECT_EQ(index.source.depth, 16);
    EXPECT_EQ(index.source.channels, 1);
    // Values 1..300 are stretched for the eye: the order is kept.
    const auto red = redOf(index);
    EXPECT_TRUE(std::is_sorted(red.begin(), red.end()));
    EXPECT_EQ(red.front(), 0);
    EXPECT_EQ(red.back(), 255);
    EXPECT_EQ(index.source.notes,
        std::vector<std::string>{"The file's values lie between 1 and 300; this range is stretched "
                                 "to black and white."});
}

TEST(OverlayExport, ColoursMasksAndOutlines) {
    const test::TemporaryFolder folder;
    const MaskedPicture picture
        = pictureOf({maskOf({".....", ".###.", ".###.", ".###.", "....."})});
    exportMasks({picture}, {folder.path(), {ExportFormat::Overlay}});
    const Image overlay = readImage(folder.path() / "photo_overlay.png");
    const auto colourAt = [&](const Image& image, std::size_t x, std::size_t y) {
        const std::uint8_t* pixel = &image.rgb[(y * 5 + x) * 3];
        return Rgb{pixel[0], pixel[1], pixel[2]};
    };
    EXPECT_EQ(colourAt(overlay, 0, 0), colourAt(*picture.image, 0, 0));
    EXPECT_EQ(colourAt(overlay, 1, 1), maskColour(0)); // outline
    const Rgb under = colourAt(*picture.image, 2, 2);
    for (std::size_t c = 0; c < 3; ++c)
        EXPECT_NEAR(colourAt(overlay, 2, 2)[c], under[c] * 0.55 + maskColour(0)[c] * 0.45, 1.0);
}

/// Even-odd filling of a path of M, H, V and Z.
std::vector<std::uint8_t> filledPath(const std::string& path, int width, int height) {
    std::vector<std::uint8_t> bits(std::size_t(width) * std::size_t(height));
    std::istringstream text(path);
    int x = 0;
    int y = 0;
    int firstY = 0;
    const auto goTo = [&](int nextY) {
        for (int row = std::min(y, nextY); row < std::max(y, nextY); ++row)
            for (int column = x; column < width; ++column)
                bits[std::size_t(row * width + column)] ^= 1;
        y = nextY;
    };
    for (char command = 0; text >> command;) {
        int value = 0;
        if (command != 'Z')
            text >> value;
        if (command == 'M') {
            x = value;
            text >> y;
            firstY = y;
        } else if (command == 'H') {
            x = value;
        } else {
            goTo(command == 'V' ? value : firstY);
        }
    }
    return bits;
}

TEST(SvgExport, FillsExactlyTheMask) {
    const test::TemporaryFolder folder;
    std::mt19937 random(8);
    std::vector<Mask> masks;
    for (int i = 0; i < 20; ++i)
        masks.push_back(test::randomMask(random, 31, 17));
    const MaskedPicture picture = pictureOf(masks);
    exportMasks({picture}, {folder.path(), {ExportFormat::Svg}});
    const std::string svg = contentOf(folder.path() / "photo.svg");
    EXPECT_NE(svg.find("width=\"31\" height=\"17\" viewBox=\"0 0 31 17\""), std::string::npos);
    std::size_t n = 0;
    const std::string opening = "shape-rendering=\"crispEdges\" d=\"";
    for (std::size_t at = svg.find(opening); at != std::string::npos;
         at = svg.find(opening, at), ++n) {
        at += opening.size();
        const std::string path = svg.substr(at, svg.find('"', at) - at);
        ASSERT_LT(n, masks.size());
        EXPECT_EQ(filledPath(path, 31, 17), masks[n].bits) << n;
    }
    EXPECT_NE(svg.find("fill-rule=\"evenodd\""), std::string::npos);
    EXPECT_EQ(n, masks.size());
}

} // namespace
} // namespace maskscope
