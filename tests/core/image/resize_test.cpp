// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/resize.h"

#include "core/image/image_reader.h"
#include "tests/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace maskscope {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(MASKSCOPE_TEST_DATA) / "cases" / "images";

// The bytes are Pillow's.
TEST(Resize, EqualsPillow) {
    const auto expected = nlohmann::json::parse(std::ifstream(kFolder / "expected.json"));
    int compared = 0;
    for (const auto& [name, values] : expected["resize"].items()) {
        if (!values.is_object())
            continue;
        SCOPED_TRACE(name);
        const std::string picture = name.substr(0, name.find("_bi")) + ".png";
        const int side = values["shape"][0];
        const Image image = resized(readImage(kFolder / "resize" / picture), side, side,
            name.find("bicubic") != std::string::npos ? ResizeFilter::Bicubic
                                                      : ResizeFilter::Bilinear);
        const std::string reference = test::contentOf(kFolder / values["file"].get<std::string>());
        ASSERT_EQ(image.rgb.size(), reference.size());
        int largest = 0;
        for (std::size_t i = 0; i < reference.size(); ++i)
            largest = std::max(
                largest, std::abs(image.rgb[i] - int(static_cast<unsigned char>(reference[i]))));
        EXPECT_LE(largest, 1); // the cases allow 2
        ++compared;
    }
    EXPECT_EQ(compared, 8);
}

TEST(Resize, TakesAnyShape) {
    const Image dot{1, 1, {10, 200, 30}, {}};
    const Image grown = resized(dot, 32, 64, ResizeFilter::Bicubic);
    EXPECT_EQ(grown.width, 32);
    EXPECT_EQ(grown.height, 64);
    for (std::size_t i = 0; i < grown.rgb.size(); ++i)
        EXPECT_EQ(grown.rgb[i], dot.rgb[i % 3]);
    const Image line = readImage(kFolder / "size_1x4096.png");
    const Image shrunk = resized(line, 32, 1024, ResizeFilter::Bilinear);
    EXPECT_EQ(shrunk.rgb.size(), 32u * 1024 * 3);
    EXPECT_LT(shrunk.rgb[1], 4); // green runs from 0 at the top
    EXPECT_GT(shrunk.rgb[shrunk.rgb.size() - 2], 251); // to 255 at the bottom
}

TEST(Resize, KeepsChannelsAndSource) {
    Image image = readImage(kFolder / "pure_red.png");
    image.source.orientation = 6;
    const Image smaller = resized(image, 5, 7, ResizeFilter::Bicubic);
    EXPECT_EQ(smaller.rgb[0], 255);
    EXPECT_EQ(smaller.rgb[1], 0);
    EXPECT_EQ(smaller.rgb[2], 0);
    EXPECT_EQ(smaller.source.orientation, 6);
    EXPECT_EQ(resized(image, 32, 32, ResizeFilter::Bicubic).rgb, image.rgb);
}

} // namespace
} // namespace maskscope
