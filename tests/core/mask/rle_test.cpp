// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/rle.h"

#include "core/base/error.h"
#include "core/image/image_reader.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace maskscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kFolder = fs::path(MASKSCOPE_TEST_DATA) / "cases" / "rle";

Json expectedValues() {
    return Json::parse(std::ifstream(kFolder / "expected.json"));
}

Mask maskIn(const fs::path& png) {
    const Image image = readImage(png);
    Mask mask;
    mask.width = image.width;
    mask.height = image.height;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3)
        mask.bits.push_back(image.rgb[i] > 127 ? 1 : 0);
    return mask;
}

std::string refusalOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Input);
        return failure.what();
    }
    return "accepted";
}

// The values are pycocotools'.
TEST(Rle, EqualsPycocotools) {
    const Json expected = expectedValues();
    ASSERT_GE(expected["masks"].size(), 16u);
    for (const auto& [name, values] : expected["masks"].items()) {
        SCOPED_TRACE(name);
        const Mask mask = maskIn(kFolder / values["png"].get<std::string>());
        const Rle rle = encodeRle(mask);
        EXPECT_EQ(Json({rle.height, rle.width}), values["size_hw"]);
        EXPECT_EQ(rle.counts.size(), values["n_counts"].get<std::size_t>());
        if (!values["counts"].is_null()) {
            EXPECT_EQ(Json(rle.counts), values["counts"]);
        }
        EXPECT_EQ(compressedCounts(rle), values["counts_string"].get<std::string>());
        EXPECT_EQ(rle.area(), values["area"].get<std::int64_t>());
        const Json box = values["bbox_xywh"];
        EXPECT_EQ(Json(rle.bbox()), box.is_null() ? Json({0, 0, 0, 0}) : box);
    }
}

TEST(Rle, ComesBackFromTextAndFromCounts) {
    const Json expected = expectedValues();
    for (const auto& [name, values] : expected["masks"].items()) {
        SCOPED_TRACE(name);
        const Mask mask = maskIn(kFolder / values["png"].get<std::string>());
        const Json text{{"size", values["size_hw"]}, {"counts", values["counts_string"]}};
        const Rle rle = rleFromJson(text, "The mask");
        EXPECT_EQ(decodeRle(rle).bits, mask.bits);
        EXPECT_EQ(rleToJson(rle), text);
        if (!values["counts"].is_null()) {
            const Json list{{"size", values["size_hw"]}, {"counts", values["counts"]}};
            EXPECT_EQ(rleFromJson(list, "The mask"), rle);
        }
    }
}

TEST(Rle, DecodedMaskIsMeasured) {
    const Mask mask = decodeRle(rleFromCounts(5, 3, {3, 1, 11}, "The mask"));
    EXPECT_EQ(mask.width, 5);
    EXPECT_EQ(mask.height, 3);
    EXPECT_EQ(mask.bits[1], 1); // row 0, column 1
    EXPECT_EQ(mask.area, 1);
    EXPECT_EQ(mask.bbox, (std::array<int, 4>{1, 0, 1, 1}));
}

TEST(Rle, ConsecutiveEmptyRunsAreRead) {
    const Rle rle = rleFromCounts(4, 1, {0, 1, 0, 0, 0, 1, 2, 0}, "The mask");
    EXPECT_EQ(decodeRle(rle).bits, (std::vector<std::uint8_t>{1, 1, 0, 0}));
    EXPECT_EQ(rle.area(), 2);
    EXPECT_EQ(rle.bbox(), (std::array<int, 4>{0, 0, 2, 1}));
}

TEST(Rle, RandomMasksComeBack) {
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        Mask mask;
        mask.width = 1 + int(random() % 40);
        mask.height = 1 + int(random() % 40);
        const unsigned density = random() % 10;
        for (int i = 0; i < mask.width * mask.height; ++i)
            mask.bits.push_back(random() % 10 < density ? 1 : 0);
        const Rle rle = encodeRle(mask);
        EXPECT_EQ(rleFromText(mask.width, mask.height, compressedCounts(rle), "The mask"), rle);
        const Mask decoded = decodeRle(rle);
        EXPECT_EQ(decoded.bits, mask.bits);
        EXPECT_EQ(decoded.area, rle.area());
        EXPECT_EQ(decoded.bbox, rle.bbox());
    }
}

TEST(Rle, RefusesTheMalformed) {
    const Json expected = expectedValues();
    ASSERT_GE(expected["malformed_on_import"].size(), 9u);
    for (const auto& [name, value] : expected["malformed_on_import"].items()) {
        const std::string sentence = refusalOf([&] { (void)rleFromJson(value, "The mask"); });
        EXPECT_TRUE(sentence.starts_with("The mask ")) << name << ": " << sentence;
        EXPECT_EQ(sentence.back(), '.') << sentence;
    }
}

TEST(Rle, SaysWhatIsWrong) {
    const auto json = [](const char* text) {
        return refusalOf([&] { (void)rleFromJson(Json::parse(text), "Mask 3"); });
    };
    EXPECT_EQ(json("[]"), "Mask 3 lacks \"size\" or \"counts\".");
    EXPECT_EQ(json(R"({"counts": [15]})"), "Mask 3 lacks \"size\" or \"counts\".");
    EXPECT_EQ(json(R"({"size": [3], "counts": [15]})"),
        "Mask 3 has a \"size\" that is not [height, width].");
    EXPECT_EQ(json(R"({"size": [0, 5], "counts": [0]})"),
        "Mask 3 has a size that no picture has: 5 x 0.");
    EXPECT_EQ(json(R"({"size": [18446744073709551615, 5], "counts": [0]})"),
        "Mask 3 has a size that no picture has: 5 x -1.");
    EXPECT_EQ(json(R"({"size": [3, 5], "counts": [1.5]})"),
        "Mask 3 has \"counts\" that are neither text nor whole numbers.");
    EXPECT_EQ(json(R"({"size": [3, 5], "counts": [20, -5]})"),
        "Mask 3 has runs beyond the last pixel of its 5 x 3 pixels.");
    EXPECT_EQ(json(R"({"size": [3, 5], "counts": [5, -5, 15]})"),
        "Mask 3 has a negative run length, -5.");
    EXPECT_EQ(json(R"({"size": [3, 5], "counts": [1, 2]})"),
        "Mask 3 lacks runs for 12 pixels of its 5 x 3 pixels.");
    EXPECT_EQ(json(R"({"size": [3, 5], "counts": "oooooooooooooooooooooo"})"),
        "Mask 3 is not compressed COCO RLE.");
    EXPECT_EQ(json(R"({"size": [3, 5], "counts": "o"})"), "Mask 3 ends inside a run length.");
}

} // namespace
} // namespace maskscope
