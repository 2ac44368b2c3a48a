// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include "core/base/error.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>

namespace maskscope {
namespace {

namespace fs = std::filesystem;

std::string textOf(const std::vector<std::byte>& bytes) {
    std::string text(bytes.size(), ' ');
    std::transform(bytes.begin(), bytes.end(), text.begin(),
        [](std::byte byte) { return static_cast<char>(byte); });
    return text;
}

std::string refusalOf(const fs::path& path) {
    try {
        (void)readFile(path, 4);
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Input);
        return failure.what();
    }
    return "was read";
}

TEST(ReadFile, GivesTheBytesWhateverTheName) {
    const test::TemporaryFolder folder;
    for (const std::string name :
        {"plain", "Ünï 猫 🐈", "a\nb", "qu\"ote'", "100%25#x", "-dash", "bad\xff\xfe", " lead"}) {
        const fs::path path = folder.write(name, name);
        EXPECT_EQ(textOf(readFile(path, 1000)), name);
        EXPECT_EQ(textOf(readFileStart(path, 3)), name.substr(0, 3));
        EXPECT_EQ(textOf(readFileStart(path, 1000)), name);
    }
    EXPECT_TRUE(readFile(folder.write("empty", ""), 0).empty());
}

TEST(ReadFile, SaysWhatIsThereInstead) {
    const test::TemporaryFolder folder;
    fs::create_directory(folder.path() / "folder.png");
    fs::create_symlink("nowhere", folder.path() / "dangling.png");
    fs::create_symlink("loop.png", folder.path() / "loop.png");
    ASSERT_EQ(::mkfifo((folder.path() / "pipe.png").c_str(), 0600), 0);
    folder.write("big", "12345");

    const auto begin = std::chrono::steady_clock::now();
    const std::string start = "Cannot read " + (folder.path() / "").string();
    EXPECT_EQ(
        refusalOf(folder.path() / "folder.png"), start + "folder.png: it is a folder, not a file.");
    EXPECT_EQ(refusalOf(folder.path() / "dangling.png"),
        start + "dangling.png: it is a link to a file that does not exist.");
    EXPECT_EQ(refusalOf(folder.path() / "loop.png"),
        start + "loop.png: it is a link that leads back to itself.");
    EXPECT_EQ(refusalOf(folder.path() / "pipe.png"), start + "pipe.png: it is not a regular file.");
    EXPECT_EQ(
        refusalOf(folder.path() / "missing.png"), start + "missing.png: there is no such file.");
    EXPECT_EQ(
        refusalOf(folder.path() / "big"), start + "big: it has 5 bytes, and at most 4 are read.");
    EXPECT_EQ(refusalOf("/dev/zero"), "Cannot read /dev/zero: it is not a regular file.");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

} // namespace
} // namespace maskscope
