// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/image_reader.h"
#include "core/mask/mask_export.h"
#include "tests/core/mask/export_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <sstream>

namespace maskscope {
namespace {

using Json = nlohmann::ordered_json;
using test::contentOf;
using test::jsonIn;
using test::labelled;
using test::maskOf;
using test::pictureOf;
using test::redOf;
using test::samplePicture;

std::string decodedBase64(const std::string& text) {
    static const std::string digits
        = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned group = 0;
    int bits = 0;
    for (const char c : text) {
        if (c == '=')
            break;
        group = group << 6 | unsigned(digits.find(c));
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes += static_cast<char>(group >> bits & 0xFF);
        }
    }
    return bytes;
}

Image imageInBase64(const Json& text) {
    const std::string bytes = decodedBase64(text.get<std::string>());
    return decodeImage(std::as_bytes(std::span(bytes)), "The embedded picture");
}

std::vector<std::string> keysOf(const Json& object) {
    std::vector<std::string> keys;
    for (const auto& item : object.items())
        keys.push_back(item.key());
    return keys;
}

TEST(CocoExport, HasTheFieldsOfTheFormat) {
    const test::TemporaryFolder folder;
    exportMasks({samplePicture()}, {folder.path(), {ExportFormat::Coco}});
    const Json coco = jsonIn(folder.path() / "photo_coco.json");
    EXPECT_EQ(
        coco["images"], Json::parse(R"([{"id":1,"file_name":"photo.jpg","width":6,"height":4}])"));
    EXPECT_EQ(coco["categories"], Json::parse(R"([{"id":1,"name":"the cat","supercategory":""},
        {"id":2,"name":"object","supercategory":""}])"));
    // The counts are pycocotools'.
    const Json first = Json::parse(R"({"id":1,"image_id":1,"category_id":1,
        "segmentation":{"size":[4,6],"counts":"031N0002:O"},
        "area":10,"bbox":[0,0,6,4],"iscrowd":0,"score":0.75})");
    ASSERT_EQ(coco["annotations"].size(), 2u);
    EXPECT_EQ(coco["annotations"][0], first);
    EXPECT_EQ(coco["annotations"][1]["area"], 3);
    EXPECT_EQ(coco["annotations"][1]["bbox"], Json({4, 1, 2, 2}));
    EXPECT_EQ(coco["annotations"][1]["category_id"], 2);
}

TEST(CocoExport, NumbersOnOverSeveralPictures) {
    const test::TemporaryFolder folder;
    MaskedPicture other = pictureOf(
        {labelled(maskOf({"##", ".."}), "the dog"), labelled(maskOf({"..", "##"}), "the cat")},
        "other");
    exportMasks({samplePicture(), other}, {folder.path(), {ExportFormat::Coco}});
    const Json coco = jsonIn(folder.path() / "masks_coco.json");
    std::vector<std::array<int, 3>> ids;
    for (const Json& annotation : coco["annotations"])
        ids.push_back({annotation["id"], annotation["image_id"], annotation["category_id"]});
    EXPECT_EQ(ids, (std::vector<std::array<int, 3>>{{1, 1, 1}, {2, 1, 2}, {3, 2, 3}, {4, 2, 1}}));
    EXPECT_EQ(coco["images"][1]["file_name"], "other.jpg");
}

TEST(LabelMeExport, HasTheKeysInOrderAndTheInclusiveCrop) {
    const test::TemporaryFolder folder;
    MaskedPicture picture = samplePicture();
    picture.path = folder.path() / "photos" / "photo.jpg";
    exportMasks({picture}, {folder.path() / "labels", {ExportFormat::LabelMe}});
    const Json file = jsonIn(folder.path() / "labels" / "photo.json");
    EXPECT_EQ(keysOf(file),
        (std::vector<std::string>{
            "version", "flags", "shapes", "imagePath", "imageData", "imageHeight", "imageWidth"}));
    EXPECT_EQ(file["imagePath"], "../photos/photo.jpg");
    EXPECT_TRUE(file["imageData"].is_null());
    EXPECT_EQ(file["imageHeight"], 4);
    EXPECT_EQ(file["imageWidth"], 6);
    ASSERT_EQ(file["shapes"].size(), 2u);
    const Json& shape = file["shapes"][1];
    EXPECT_EQ(keysOf(shape),
        (std::vector<std::string>{
            "label", "points", "group_id", "description", "shape_type", "flags", "mask"}));
    EXPECT_EQ(shape["label"], "object");
    EXPECT_EQ(shape["shape_type"], "mask");
    EXPECT_EQ(shape["points"].dump(), "[[4.0,1.0],[5.0,2.0]]");
    const Image crop = imageInBase64(shape["mask"]);
    EXPECT_EQ(crop.width, 2);
    EXPECT_EQ(redOf(crop), (std::vector<std::uint8_t>{0, 255, 255, 255}));
}

TEST(LabelMeExport, EmbedsAPictureThatHasNoFile) {
    const test::TemporaryFolder folder;
    MaskedPicture picture = samplePicture();
    picture.path.clear();
    exportMasks({picture}, {folder.path(), {ExportFormat::LabelMe}});
    const Json file = jsonIn(folder.path() / "photo.json");
    EXPECT_EQ(file["imagePath"], "photo.png");
    EXPECT_EQ(imageInBase64(file["imageData"]).rgb, picture.image->rgb);
}

TEST(YoloExport, WritesRowsAndNames) {
    const test::TemporaryFolder folder;
    exportMasks({samplePicture()}, {folder.path(), {ExportFormat::Yolo}});
    std::istringstream rows(contentOf(folder.path() / "photo.txt"));
    std::vector<char> classes;
    for (std::string row; std::getline(rows, row);) {
        const std::string digits = "0123456789. ";
        EXPECT_EQ(row.find_first_not_of(digits), std::string::npos) << row;
        EXPECT_GE(std::count(row.begin(), row.end(), ' '), 6) << row;
        classes.push_back(row[0]);
    }
    EXPECT_EQ(classes, (std::vector<char>{'0', '0', '1'})); // two parts of the cat, one object
    EXPECT_EQ(contentOf(folder.path() / "photo_classes.txt"), "the cat\nobject\n");
}

} // namespace
} // namespace maskscope
