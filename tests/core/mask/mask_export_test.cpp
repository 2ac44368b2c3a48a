// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_export.h"

#include "core/base/error.h"
#include "tests/core/mask/export_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <functional>
#include <sys/resource.h>

namespace maskscope {
namespace {

namespace fs = std::filesystem;
using test::contentOf;
using test::jsonIn;
using test::labelled;
using test::maskOf;
using test::namesIn;
using test::pictureOf;
using test::samplePicture;

std::string refusalOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Input);
        return failure.what();
    }
    return "exported";
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
    const auto paths = exportMasks({samplePicture()}, plan);
    std::vector<std::string> written;
    for (const fs::path& path : paths) {
        EXPECT_EQ(path.parent_path(), plan.folder);
        written.push_back(path.filename().string());
    }
    std::sort(written.begin(), written.end());
    EXPECT_EQ(written, namesIn(plan.folder)); // and nothing temporary is left
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
    EXPECT_EQ(refusalOf([&] { exportMasks({samplePicture()}, plan); }),
        (folder.path() / "photo.svg").string()
            + " exists already: choose another folder or replace it.");
    EXPECT_EQ(namesIn(folder.path()), std::vector<std::string>{"photo.svg"});
    EXPECT_EQ(contentOf(folder.path() / "photo.svg"), "mine");
    plan.existing = Existing::Replace;
    EXPECT_EQ(exportMasks({samplePicture()}, plan).size(), 4u);
    EXPECT_NE(contentOf(folder.path() / "photo.svg"), "mine");
}

TEST(MaskExport, NeverOverwritesAPicture) {
    const test::TemporaryFolder folder;
    MaskedPicture picture = samplePicture();
    picture.path = folder.write("photo_1.png", "the picture itself");
    const ExportPlan plan{folder.path() / ".", {ExportFormat::Png}, Existing::Replace};
    const std::string sentence = refusalOf([&] { exportMasks({picture}, plan); });
    EXPECT_NE(sentence.find("photo_1.png is one of the pictures"), std::string::npos) << sentence;
    EXPECT_EQ(contentOf(folder.path() / "photo_1.png"), "the picture itself");
}

TEST(MaskExport, RefusesTwoPicturesOfOneName) {
    const test::TemporaryFolder folder;
    EXPECT_NE(refusalOf([&] {
        exportMasks({samplePicture(), samplePicture()}, {folder.path(), {ExportFormat::Svg}});
    }).find("Two pictures of the same name would both be written to "),
        std::string::npos);
    EXPECT_TRUE(namesIn(folder.path()).empty());
}

TEST(MaskExport, RefusesMasksAndNamesThatDoNotFit) {
    const test::TemporaryFolder folder;
    MaskedPicture picture = samplePicture();
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
        exportMasks({samplePicture()}, {file / "under", {ExportFormat::Svg}});
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
        exportMasks({samplePicture()}, {folder.path(), {ExportFormat::Svg}});
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
