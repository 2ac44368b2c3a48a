// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_file.h"

#include "core/base/error.h"
#include "tests/core/history/some_run.h"
#include "tests/temporary_folder.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

std::string refusal(const std::filesystem::path& file) {
    try {
        (void)readRunFile(file);
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Input);
        return failure.error().sentence;
    }
    return {};
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    return text.replace(text.find(what), what.size(), with);
}

} // namespace

TEST(RunFile, ComesBackAsItWasWritten) {
    const test::TemporaryFolder folder;
    const auto file = folder.path() / "cat.maskrun";
    writeRunFile(test::finishedRun(), file, Existing::Keep);
    EXPECT_EQ(linesOf(readRunFile(file)), linesOf(test::finishedRun()));
    EXPECT_THROW(writeRunFile(test::finishedRun(), file, Existing::Keep), Failure);
    writeRunFile(test::finishedRun("2027-01-01T00:00:00Z"), file, Existing::Replace);
    EXPECT_EQ(readRunFile(file).header.started, "2027-01-01T00:00:00Z");
}

TEST(RunFile, RefusesWhatCouldNotHaveBeen) {
    const test::TemporaryFolder folder;
    const std::string run = linesOf(test::finishedRun());
    const auto expect = [&](const std::string& content, const std::string& part) {
        const std::string sentence = refusal(folder.write("cat.maskrun", content));
        EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
        EXPECT_NE(sentence.find("cat.maskrun"), std::string::npos) << sentence;
    };
    expect("", "line 1");
    expect("\x89PNG\r\n", "line 1");
    expect(run + run, "something follows the end");
    expect(run + "{\"event\":\"stage\",\"t_ms\":9,\"stage\":\"mask\",\"phase\":\"begin\"}\n",
        "something follows the end");
    expect(replaced(run, "2026-11-30T09:45:40Z", "yesterday"), "\"started\"");
    expect(replaced(run, "\"t_ms\":9.0", "\"t_ms\":1e300"), "a time that no run has");
    expect(replaced(run, "\"t_ms\":9.0", "\"t_ms\":-1"), "a time that no run has");
    expect(replaced(run, "\"size\":[4,2]", "\"size\":[-4,2]"), "a size that no picture has");
    expect(replaced(run, "\"size\":[4,2]", "\"size\":[3,2]"), "another size than the image");
    std::string masks = run.substr(0, run.find('\n') + 1);
    for (int i = 0; i < 30; ++i) // short lines that stand for 6 GB
        masks
            += R"({"event":"mask","t_ms":1,"image":0,"index":0,"token_index":0,"label":"","score":1,)"
               R"("rle":{"size":[10000,20000],"counts":[200000000]}})"
               "\n";
    expect(masks, "more than 1000000000 pixels");
}

} // namespace maskscope
