// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_export.h"

#include "core/base/error.h"
#include "core/image/image_reader.h"
#include "core/image/png_writer.h"
#include "core/mask/mask_colour.h"
#include "tests/core/mask/sample_masks.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <sys/resource.h>

namespace maskscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using test::contentOf;
using test::maskOf;

MaskedPicture pictureOf(std::vector<Mask> masks, const std::string& stem = "photo") {
    MaskedPicture picture;
    Image image{masks.front().width, masks.front().height, {}, {}};
    for (int i = 0; i < image.width * image.height * 3; ++i)
        image.rgb.push_back(static_cast<std::uint8_t>(i * 7));
    picture.image = std::make_shared<const Image>(std::move(image));
    picture.path = stem + ".jpg";
    picture.stem = stem;
    for (Mask& mask : masks)
        picture.masks.push_back(std::make_shared<const Mask>(std::move(mask)));
    return picture;
}

Mask labelled(Mask mask, std::string label, float score = 0.5f) {
    mask.label = std::move(label);
    mask.score = score;
    return mask;
}

/// Two objects of which one has a hole and two parts, and an empty mask between them.
MaskedPicture sample() {
    Mask empty = maskOf({"......", "......", "......", "......"});
    return pictureOf({labelled(maskOf({"###...", "#.#...", "###..#", ".....#"}), "the cat", 0.75f),
        labelled(empty, "nothing"), maskOf({"......", ".....#", "....##", "......"})});
}

std::string refusalOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Input);
        return failure.what();
    }
    return "exported";
}

std::vector<std::string> namesIn(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::uint8_t> redOf(const Image& image) {
    std::vector<std::uint8_t> red;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3)
        red.push_back(image.rgb[i]);
    return red;
}

std::vector<std::uint8_t> times255(std::vector<std::uint8_t> bits) {
    for (std::uint8_t& bit : bits)
        bit = static_cast<std::uint8_t>(bit * 255);
    return bits;
}

Json jsonIn(const fs::path& path) {
    return Json::parse(contentOf(path));
}

TEST(MaskExport, NamesFormats) {
    for (const ExportFormat format : kExportFormats)
        EXPECT_EQ(exportFormatFrom(nameOf(format)), format);
    EXPECT_EQ(exportFormatFrom("PNG"), std::nullopt);
}

TEST(MaskExport, WritesEveryFormatAndSaysWhere) {
    const test::TemporaryFolder folder;
    const ExportPlan plan{
        folder.path() / "made" / "here", {kExportFormats.begin(), kExportFormats.end()}};
    const auto paths = exportMasks({sample()}, plan);
    std::vector<std::string> written;
    for (const fs::path& path : paths) {
        EXPECT_EQ(path.parent_path(), plan.folder);
        written.push_back(path.filename().string());
    }
    std::sort(written.begin(), written.end());
    EXPECT_EQ(written, namesIn(plan.folder)); // and nothing temporary is left
}

TEST(PngExport, WritesObjectsAndAnIndex) {
    const test::TemporaryFolder folder;
    const MaskedPicture picture = sample();
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

TEST(CocoExport, HasTheFieldsOfTheFormat) {
    const test::TemporaryFolder folder;
    exportMasks({sample()}, {folder.path(), {ExportFormat::Coco}});
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
    exportMasks({sample(), other}, {folder.path(), {ExportFormat::Coco}});
    const Json coco = jsonIn(folder.path() / "masks_coco.json");
    std::vector<std::array<int, 3>> ids;
    for (const Json& annotation : coco["annotations"])
        ids.push_back({annotation["id"], annotation["image_id"], annotation["category_id"]});
    EXPECT_EQ(ids, (std::vector<std::array<int, 3>>{{1, 1, 1}, {2, 1, 2}, {3, 2, 3}, {4, 2, 1}}));
    EXPECT_EQ(coco["images"][1]["file_name"], "other.jpg");
}

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

TEST(LabelMeExport, HasTheKeysInOrderAndTheInclusiveCrop) {
    const test::TemporaryFolder folder;
    MaskedPicture picture = sample();
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
    MaskedPicture picture = sample();
    picture.path.clear();
    exportMasks({picture}, {folder.path(), {ExportFormat::LabelMe}});
    const Json file = jsonIn(folder.path() / "photo.json");
    EXPECT_EQ(file["imagePath"], "photo.png");
    EXPECT_EQ(imageInBase64(file["imageData"]).rgb, picture.image->rgb);
}

TEST(YoloExport, WritesRowsAndNames) {
    const test::TemporaryFolder folder;
    exportMasks({sample()}, {folder.path(), {ExportFormat::Yolo}});
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

TEST(MaskExport, LabelsAreDataEverywhere) {
    const test::TemporaryFolder folder;
    const std::string label = "../<b>\"cat\" & 'dog'</b>\n猫\x01\xff";
    const MaskedPicture picture = pictureOf({labelled(maskOf({"##"}), label)});
    exportMasks({picture}, {folder.path(), {kExportFormats.begin(), kExportFormats.end()}});
    const std::string readable = "../<b>\"cat\" & 'dog'</b>\n猫\x01\uFFFD";
    EXPECT_EQ(jsonIn(folder.path() / "photo_coco.json")["categories"][0]["name"], readable);
    EXPECT_EQ(jsonIn(folder.path() / "photo.json")["shapes"][0]["label"], readable);
    EXPECT_EQ(
        contentOf(folder.path() / "photo_classes.txt"), "../<b>\"cat\" & 'dog'</b> 猫 \uFFFD\n");
    EXPECT_NE(contentOf(folder.path() / "photo.svg")
                  .find("<title>../&lt;b&gt;\"cat\" &amp; 'dog'&lt;/b&gt; 猫 \uFFFD</title>"),
        std::string::npos);
}

TEST(MaskExport, KeepsFilesThatExistUnlessAllowed) {
    const test::TemporaryFolder folder;
    folder.write("photo.svg", "mine");
    ExportPlan plan{folder.path(), {ExportFormat::Png, ExportFormat::Svg}};
    EXPECT_EQ(refusalOf([&] { exportMasks({sample()}, plan); }),
        (folder.path() / "photo.svg").string()
            + " exists already. Choose another folder or allow overwriting.");
    EXPECT_EQ(namesIn(folder.path()), std::vector<std::string>{"photo.svg"});
    EXPECT_EQ(contentOf(folder.path() / "photo.svg"), "mine");
    plan.existing = Existing::Replace;
    EXPECT_EQ(exportMasks({sample()}, plan).size(), 4u);
    EXPECT_NE(contentOf(folder.path() / "photo.svg"), "mine");
}

TEST(MaskExport, NeverOverwritesAPicture) {
    const test::TemporaryFolder folder;
    MaskedPicture picture = sample();
    picture.path = folder.write("photo_1.png", "the picture itself");
    const ExportPlan plan{folder.path() / ".", {ExportFormat::Png}, Existing::Replace};
    const std::string sentence = refusalOf([&] { exportMasks({picture}, plan); });
    EXPECT_NE(sentence.find("photo_1.png is one of the pictures"), std::string::npos) << sentence;
    EXPECT_EQ(contentOf(folder.path() / "photo_1.png"), "the picture itself");
}

TEST(MaskExport, RefusesTwoPicturesOfOneName) {
    const test::TemporaryFolder folder;
    EXPECT_NE(refusalOf([&] {
        exportMasks({sample(), sample()}, {folder.path(), {ExportFormat::Svg}});
    }).find("Two pictures of the same name would both be written to "),
        std::string::npos);
    EXPECT_TRUE(namesIn(folder.path()).empty());
}

TEST(MaskExport, RefusesMasksAndNamesThatDoNotFit) {
    const test::TemporaryFolder folder;
    MaskedPicture picture = sample();
    picture.masks.push_back(std::make_shared<const Mask>(maskOf({"##"})));
    EXPECT_EQ(refusalOf([&] {
        exportMasks({picture}, {folder.path(), {ExportFormat::Png}});
    }),
        "A mask of 2 x 1 pixels does not belong to photo, which has 6 x 4.");
    for (const char* stem : {"../photo", "/etc/photo", "", "a/b"})
        EXPECT_NE(refusalOf([&] {
            exportMasks({pictureOf({maskOf({"#"})}, stem)}, {folder.path(), {ExportFormat::Svg}});
        }).find("cannot be part of a file's name"),
            std::string::npos);
}

TEST(MaskExport, SaysWhereItCannotWrite) {
    const test::TemporaryFolder folder;
    const fs::path file = folder.write("file", "x");
    EXPECT_EQ(refusalOf([&] {
        exportMasks({sample()}, {file / "under", {ExportFormat::Svg}});
    }),
        "Cannot make the folder " + (file / "under").string() + ": Not a directory.");
}

// A limit on the size of files is met like a full disk.
TEST(MaskExport, LeavesNothingBehindOnAFullDisk) {
    const test::TemporaryFolder folder;
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 16;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string sentence = refusalOf([&] {
        exportMasks({sample()}, {folder.path(), {ExportFormat::Svg}});
    });
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(
        sentence, "Cannot write " + (folder.path() / "photo.svg").string() + ": File too large.");
    EXPECT_TRUE(namesIn(folder.path()).empty());
}

TEST(MaskExport, WritesUnderOddNames) {
    const test::TemporaryFolder folder;
    for (const std::string stem :
        {"Ünï 猫 🐈", "a\nb", "qu\"ote'", "100%25#x", "-dash", "bad\xff"}) {
        const auto paths = exportMasks({pictureOf({maskOf({"#."})}, stem)},
            {folder.path() / stem, {kExportFormats.begin(), kExportFormats.end()}});
        for (const fs::path& path : paths)
            EXPECT_TRUE(fs::exists(path)) << path;
    }
}

} // namespace
} // namespace maskscope
