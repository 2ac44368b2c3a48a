// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/image_reader.h"

#include "core/base/error.h"
#include "core/image/image_format.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace maskscope {
namespace {

namespace fs = std::filesystem;

const fs::path kCases = fs::path(MASKSCOPE_TEST_DATA) / "cases";

struct Reading {
    Image image;
    std::string sentence; ///< of the refusal; empty when read
};

Reading reading(const fs::path& path) {
    try {
        return {readImage(path), ""};
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Input);
        return {{}, failure.what()};
    }
}

std::string refusalOf(const fs::path& path) {
    const Reading result = reading(path);
    EXPECT_NE(result.sentence, "") << path << " was read";
    return result.sentence;
}

/// Largest difference of a pixel's channels from a colour.
int distance(const Image& image, const std::vector<int>& xy, const std::vector<int>& rgb) {
    int largest = 0;
    for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t at
            = (std::size_t(xy[1]) * std::size_t(image.width) + std::size_t(xy[0])) * 3 + c;
        largest = std::max(largest, std::abs(int(image.rgb.at(at)) - rgb[c]));
    }
    return largest;
}

void expectSamples(const Image& image, const nlohmann::json& samples) {
    for (const auto& sample : samples) {
        const auto xy = sample["xy"].get<std::vector<int>>();
        const int tolerance = sample["tol"];
        if (sample.contains("rgb")) {
            EXPECT_LE(distance(image, xy, sample["rgb"]), tolerance) << sample;
        }
        if (sample.contains("not_rgb")) {
            EXPECT_GT(distance(image, xy, sample["not_rgb"]), tolerance) << sample;
        }
    }
}

void expectSource(const ImageSource& source, const nlohmann::json& expected) {
    EXPECT_EQ(source.depth, expected.value("depth", source.depth));
    EXPECT_EQ(source.channels, expected.value("channels", source.channels));
    EXPECT_EQ(source.orientation, expected.value("orientation", source.orientation));
    EXPECT_EQ(source.frames, expected.value("frames", source.frames));
    EXPECT_EQ(source.notes.size(), expected.value("notes", source.notes.size()));
}

/// One sentence for a person: it names the file, is short and has one line.
void expectSentence(const std::string& sentence, const fs::path& path) {
    EXPECT_NE(sentence.find(path.filename().string()), std::string::npos) << sentence;
    EXPECT_LT(sentence.size(), 400u) << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    EXPECT_EQ(sentence.back(), '.') << sentence;
}

void expectCase(const fs::path& folder, const nlohmann::json& expected) {
    const fs::path path = folder / expected["file"].get<std::string>();
    SCOPED_TRACE(path.string());
    const auto begin = std::chrono::steady_clock::now();
    testing::internal::CaptureStderr();
    const Reading result = reading(path);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));

    const std::string verdict = expected["verdict"];
    if (!result.sentence.empty()) {
        EXPECT_NE(verdict, "accept") << result.sentence;
        expectSentence(result.sentence, path);
        EXPECT_NE(result.sentence.find(expected.value("says", "")), std::string::npos)
            << result.sentence;
        return;
    }
    EXPECT_NE(verdict, "reject");
    const auto size = expected["upright_size"].get<std::vector<int>>();
    ASSERT_EQ(std::vector<int>({result.image.width, result.image.height}), size);
    ASSERT_EQ(result.image.rgb.size(), std::size_t(size[0]) * std::size_t(size[1]) * 3);
    expectSamples(result.image, expected["samples"]);
    expectSource(result.image.source, expected);
}

class ImageCases : public testing::TestWithParam<const char*> { };

TEST_P(ImageCases, Hold) {
    const fs::path folder = kCases / GetParam();
    const auto expected = nlohmann::json::parse(std::ifstream(folder / "expected.json"));
    ASSERT_GT(expected["images"].size(), 40u);
    for (const auto& image : expected["images"])
        expectCase(folder, image);
}

INSTANTIATE_TEST_SUITE_P(ImageReader, ImageCases, testing::Values("images", "image_variants"));

std::string refusalIn(const char* file) {
    const fs::path path = kCases / file;
    const std::string sentence = refusalOf(path);
    EXPECT_TRUE(sentence.starts_with(path.string())) << sentence;
    return sentence.substr(std::min(sentence.size(), path.string().size()));
}

TEST(ImageReader, SaysWhatIsWrong) {
    const std::string readable = "; JPEG, PNG, WebP, GIF, TIFF and BMP can be read.";
    EXPECT_EQ(refusalIn("images/empty.png"), " is empty: copy or download it again.");
    EXPECT_EQ(refusalIn("images/html.jpg"), " is an HTML page" + readable);
    EXPECT_EQ(refusalIn("images/text.png"), " is a text file" + readable);
    EXPECT_EQ(refusalIn("images/zero_width.png"),
        " says that it is 0 x 5 pixels: there is nothing to see in it.");
    EXPECT_EQ(refusalIn("images/bomb_ihdr_20000.png"),
        " says that it is 20000 x 20000 pixels; at most 200 megapixels are read. Make it smaller "
        "first.");
    EXPECT_TRUE(refusalIn("images/trunc_half.jpg")
                    .starts_with(" is a damaged JPEG: its data end near row "));
    EXPECT_EQ(refusalIn("images/trunc_half.png"),
        " is a damaged PNG: it ends early. Copy or download it again.");
}

TEST(ImageReader, KnowsWhatPeopleHandInByMistake) {
    const test::TemporaryFolder folder;
    const auto saying = [&](std::string_view content) {
        const fs::path path = folder.write("picture.png", content);
        const std::string sentence = refusalOf(path);
        const std::size_t begin = path.string().size() + 1;
        return sentence.substr(begin, sentence.find(';') - begin);
    };
    using namespace std::string_view_literals;
    EXPECT_EQ(saying("%PDF-1.7\n\xE2\xE3"), "is a PDF document");
    EXPECT_EQ(saying("\0\0\0\x18"
                     "ftypheic\0\0\0\0mif1"sv),
        "is a HEIC picture");
    EXPECT_EQ(saying("\0\0\0\x1C"
                     "ftypavif\0\0\0\0mif1"sv),
        "is an AVIF picture");
    EXPECT_EQ(saying("\0\0\0\x18"
                     "ftypisom\0\0\0\0mp41"sv),
        "is a film");
    EXPECT_EQ(saying("PK\3\4\x14"sv), "is a ZIP archive");
    EXPECT_EQ(saying("{\"shapes\": []}"), "is a JSON file");
    EXPECT_EQ(saying("<?xml version='1.0'?>\n<svg xmlns='x'/>"), "is an SVG drawing");
    EXPECT_EQ(saying("\xEF\xBB\xBF \n<!DOCTYPE HTML><title>404"), "is an HTML page");
    EXPECT_EQ(saying("P6\n2 2\n255\n\x80\x81\xFF"), "is a PNM picture");
    EXPECT_EQ(
        saying(std::string(5000, '\0')), "is filled with zeros (was it downloaded completely?)");
    EXPECT_EQ(saying("BM is a two-letter word"), "is a text file");
    EXPECT_EQ(saying("\x01\x02\x03\x04\xFF"), "is not a picture");
    EXPECT_EQ(saying("version https://git-lfs.github.com/spec/v1\n"),
        "is a Git LFS pointer to a picture (\"git lfs pull\" fetches the picture itself)");
    std::string longText(kRecognitionBytes - 1, 'a');
    EXPECT_EQ(saying(longText + "\xC3\xA4"), "is a text file"); // cut inside a character
}

TEST(ImageReader, GoesByContentWhateverTheName) {
    const test::TemporaryFolder folder;
    const std::string content = test::contentOf(kCases / "images" / "pure_red.png");
    for (const std::string name : {"Ünï 猫 🐈.png", "a\nb.png", "qu\"o'te.png", "100%25#x.jpg",
             "-dash.png", "bad\xff\xfe.png", " .gif", "e\u0301.png", "\u00e9.png"})
        EXPECT_EQ(readImage(folder.write(name, content)).width, 32) << name;
    EXPECT_EQ(readImage(folder.write(std::string(240, 'n'), content)).height, 32);
    fs::create_symlink("Ünï 猫 🐈.png", folder.path() / "link");
    EXPECT_EQ(readImage(folder.path() / "link").height, 32);
}

TEST(ImageReader, RefusalsOfOddNamesAreOneLineOfUtf8) {
    const test::TemporaryFolder folder;
    const std::string newline = refusalOf(folder.write("a\nb.png", "text"));
    EXPECT_NE(newline.find("a b.png is a text file"), std::string::npos) << newline;
    const std::string invalid = refusalOf(folder.write("caf\xe9.png", "text"));
    EXPECT_NE(invalid.find("caf\uFFFD.png is a text file"), std::string::npos) << invalid;
}

TEST(ImageReader, RefusesWhatIsNoFileWithoutWaiting) {
    const test::TemporaryFolder folder;
    fs::create_directory(folder.path() / "folder.png");
    ASSERT_EQ(::mkfifo((folder.path() / "pipe.png").c_str(), 0600), 0);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_NE(refusalOf(folder.path() / "folder.png").find("it is a folder"), std::string::npos);
    EXPECT_NE(refusalOf(folder.path() / "pipe.png").find("not a regular file"), std::string::npos);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

/// Highest resident memory of this process so far, in bytes.
std::int64_t highestResident() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            return std::stoll(line.substr(6)) * 1024;
    return 0;
}

TEST(ImageReader, DecidesBombsFromTheHeader) {
    const std::int64_t before = highestResident();
    ASSERT_GT(before, 0);
    const auto begin = std::chrono::steady_clock::now();
    for (const char* file :
        {"images/bomb_ihdr_20000.png", "images/bomb_ihdr_65536.png", "images/bomb_sof_65500.jpg",
            "images/bomb_bmp.bmp", "image_variants/too_short.png", "image_variants/too_short.tif"})
        refusalIn(file);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
    EXPECT_LT(highestResident() - before, 100'000'000);
    EXPECT_EQ(readImage(kCases / "images" / "pure_red.png").width, 32);
}

TEST(ImageReader, ReadsTheSameFromMemory) {
    const std::string content = test::contentOf(kCases / "images" / "exif_6.jpg");
    const Image image = decodeImage(std::as_bytes(std::span(content)), "The pasted picture");
    EXPECT_EQ(image.rgb, readImage(kCases / "images" / "exif_6.jpg").rgb);
    EXPECT_EQ(image.source.orientation, 6);
    try {
        (void)decodeImage(std::as_bytes(std::span(content)).first(100), "The pasted picture");
        FAIL() << "was read";
    } catch (const Failure& failure) {
        EXPECT_EQ(std::string(failure.what()),
            "The pasted picture is a damaged JPEG: it ends early. Copy or download it again.");
    }
}

} // namespace
} // namespace maskscope
