// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"

#include "core/base/error.h"
#include "tests/temporary_folder.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <sys/stat.h>

namespace maskscope {
namespace {

namespace fs = std::filesystem;
using test::contentOf;

void write(const fs::path& path, std::string_view text, Existing existing) {
    AtomicFile file(path);
    file.write(text);
    file.commit(existing);
}

auto entriesIn(const fs::path& folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(AtomicFile, ReplacesOrKeepsWhatHasTheName) {
    const test::TemporaryFolder folder;
    const fs::path path = folder.path() / std::string(255, 'n');
    write(path, "first", Existing::Keep);
    write(path, "second", Existing::Replace);
    EXPECT_EQ(contentOf(path), "second");
    try {
        write(path, "third", Existing::Keep);
        FAIL() << "was written";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Input);
        EXPECT_NE(std::string(failure.what()).find("it exists already"), std::string::npos);
    }
    EXPECT_EQ(contentOf(path), "second");
    EXPECT_EQ(entriesIn(folder.path()), 1);
}

TEST(AtomicFile, KeepsADanglingLinkToo) {
    const test::TemporaryFolder folder;
    fs::create_symlink("nowhere", folder.path() / "link");
    EXPECT_THROW(write(folder.path() / "link", "x", Existing::Keep), Failure);
    EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
    EXPECT_EQ(entriesIn(folder.path()), 1);
}

TEST(AtomicFile, ReplacesWhatALinkLeadsToAndNotTheLink) {
    const test::TemporaryFolder folder;
    fs::create_directory(folder.path() / "far");
    fs::create_symlink("far/file", folder.path() / "second");
    fs::create_symlink("second", folder.path() / "first");
    for (const char* text : {"one", "two"}) { // there is nothing at first
        write(folder.path() / "first", text, Existing::Replace);
        EXPECT_TRUE(fs::is_symlink(folder.path() / "first"));
        EXPECT_EQ(contentOf(folder.path() / "far/file"), text);
    }
    EXPECT_EQ(entriesIn(folder.path()), 3);
}

TEST(AtomicFile, RefusesWhatIsNoRegularFile) {
    const test::TemporaryFolder folder;
    const fs::path pipe = folder.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THROW(write(pipe, "x", Existing::Replace), Failure);
    EXPECT_THROW(checkCanWrite(pipe, Existing::Replace), Failure);
    EXPECT_TRUE(fs::is_fifo(pipe));
    EXPECT_THROW(checkCanWrite("/dev/null", Existing::Replace), Failure);
}

TEST(CheckCanWrite, SaysBeforehandWhatWritingWouldSay) {
    const test::TemporaryFolder folder;
    const auto reason = [](const fs::path& path, Existing existing) -> std::string {
        try {
            checkCanWrite(path, existing);
            return "";
        } catch (const Failure& failure) {
            EXPECT_EQ(failure.kind(), ErrorKind::Input);
            return failure.error().sentence;
        }
    };
    const fs::path file = folder.path() / "a";
    EXPECT_EQ(reason(file, Existing::Keep), "");
    EXPECT_EQ(reason("a file beside", Existing::Keep), "") << "in the current folder";
    write(file, "text", Existing::Keep);
    EXPECT_NE(reason(file, Existing::Keep).find("exists already"), std::string::npos);
    EXPECT_EQ(reason(file, Existing::Replace), "");
    EXPECT_NE(reason(folder.path(), Existing::Replace).find("it is a folder"), std::string::npos);
    EXPECT_NE(reason("/dev/null", Existing::Replace).find("no regular file"), std::string::npos)
        << "a device would become a file";
    for (const char* missing : {"none/b", "a/b", "none/"})
        EXPECT_NE(reason(folder.path() / missing, Existing::Replace), "") << missing;
    EXPECT_NE(reason(folder.path() / "none" / "b", Existing::Keep).find("there is no folder"),
        std::string::npos);
    EXPECT_NE(reason(folder.path() / std::string(300, 'n'), Existing::Keep), "");
    EXPECT_EQ(contentOf(file), "text");
    EXPECT_EQ(entriesIn(folder.path()), 1) << "asking left something";
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
    const test::TemporaryFolder folder;
    {
        AtomicFile file(folder.path() / "a");
        file.write("half of it");
    }
    EXPECT_EQ(entriesIn(folder.path()), 0);
}

} // namespace
} // namespace maskscope
