// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/image/image_reader.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace maskscope {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> allPictures() {
    std::vector<fs::path> files;
    for (const char* folder : {"images", "image_variants"})
        for (const auto& entry :
            fs::directory_iterator(fs::path(MASKSCOPE_TEST_DATA) / "cases" / folder))
            if (entry.is_regular_file() && entry.path().extension() != ".json")
                files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// A few bytes changed, a piece cut out or doubled, or the end missing.
std::string damaged(std::string content, std::mt19937& random) {
    const auto below = [&](std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
    };
    constexpr std::array<unsigned char, 7> kTelling{0, 1, 0x7F, 0x80, 0xFE, 0xFF, 0x40};
    const std::size_t start = below(content.size());
    const std::size_t length = std::min(below(16) + 1, content.size() - start);
    switch (below(8)) {
    case 0:
        content.resize(start);
        break;
    case 1:
        content.erase(start, length);
        break;
    case 2:
        content.insert(start, content.substr(start, length));
        break;
    default:
        // Headers are at the front: half of the changes go there.
        for (std::size_t i = below(4) + 1; i-- > 0;) {
            const std::size_t limit
                = below(2) == 0 ? std::min<std::size_t>(content.size(), 64) : content.size();
            content[below(limit)]
                = static_cast<char>(below(2) == 0 ? kTelling[below(kTelling.size())] : below(256));
        }
    }
    return content;
}

void expectImageOrSentence(const std::string& content) {
    try {
        const Image image = decodeImage(std::as_bytes(std::span(content)), "The picture");
        EXPECT_GT(image.width, 0);
        EXPECT_GT(image.height, 0);
        EXPECT_EQ(image.rgb.size(), std::size_t(image.width) * std::size_t(image.height) * 3);
    } catch (const Failure& failure) {
        const std::string sentence = failure.what();
        EXPECT_EQ(failure.kind(), ErrorKind::Input) << sentence;
        EXPECT_TRUE(sentence.starts_with("The picture ")) << sentence;
        EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    }
}

// MASKSCOPE_DAMAGES is how many of each file; more than the default looks harder.
TEST(DamagedImage, GivesAnImageOrASentence) {
    const char* wanted = std::getenv("MASKSCOPE_DAMAGES");
    const int rounds = wanted != nullptr ? std::atoi(wanted) : 25;
    std::mt19937 random(20240611);
    testing::internal::CaptureStderr();
    for (const fs::path& file : allPictures()) {
        const std::string content = test::contentOf(file);
        for (int i = 0; i < rounds && !content.empty(); ++i) {
            SCOPED_TRACE(file.filename().string() + ", damage " + std::to_string(i));
            expectImageOrSentence(damaged(content, random));
        }
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(DamagedImage, MayEndAnywhere) {
    for (const fs::path& file : allPictures()) {
        const std::string content = test::contentOf(file);
        const std::size_t step = std::max<std::size_t>(1, content.size() / 50);
        for (std::size_t length = 1; length < content.size(); length += step) {
            SCOPED_TRACE(file.filename().string() + ", " + std::to_string(length) + " bytes");
            expectImageOrSentence(content.substr(0, length));
        }
    }
}

} // namespace
} // namespace maskscope
