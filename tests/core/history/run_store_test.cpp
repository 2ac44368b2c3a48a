// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_store.h"

#include "core/base/error.h"
#include "tests/core/history/some_run.h"
#include "tests/temporary_folder.h"

#include <array>
#include <chrono>
#include <csignal>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <sqlite3.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace maskscope {
namespace {

namespace fs = std::filesystem;
using test::finishedRun;

class RunStoreFile : public testing::Test {
protected:
    test::TemporaryFolder m_folder;
    fs::path m_file = m_folder.path() / "data" / "history.sqlite";
};

Error refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const Failure& failure) {
        return failure.error();
    }
    return {ErrorKind::Internal, "nothing was refused"};
}

void execute(const fs::path& file, const char* sql) {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(handle);
    sqlite3_close(handle);
}

/// What SQLite itself says of the file.
std::string integrityOf(const fs::path& file) {
    Database database(file);
    Statement row = database.prepare("PRAGMA integrity_check");
    return row.step() ? row.text(0) : "no answer";
}

/// A run whose text hardly compresses, so that writing it takes many pages.
RunRecord longRun() {
    RunRecord run = finishedRun();
    std::mt19937 random(7);
    for (int i = 0; i < 300'000; ++i)
        run.header.title += static_cast<char>('!' + random() % 90);
    return run;
}

/// Adds one run after the other and writes a byte to the pipe for each that is kept.
[[noreturn]] void addForEver(const fs::path& file, int pipe) {
    const RunRecord run = longRun();
    RunStore store(file);
    for (;;) {
        store.add(run);
        if (write(pipe, "+", 1) != 1)
            _exit(1);
    }
}

} // namespace

TEST_F(RunStoreFile, GivesARunBackAsItWas) {
    const RunRecord run = finishedRun();
    const std::int64_t id = RunStore(m_file).add(run);
    RunStore store(m_file);
    EXPECT_EQ(linesOf(store.load(id)), linesOf(run));
    const auto runs = store.list();
    ASSERT_EQ(runs.size(), 1);
    const RunSummary& summary = runs.front();
    EXPECT_EQ(summary.id, id);
    EXPECT_EQ(summary.started, "2026-11-30T09:45:40Z");
    EXPECT_EQ(summary.title, "mha, <b>");
    EXPECT_EQ(summary.model, "lens-small");
    EXPECT_EQ(summary.device, "cuda:0");
    EXPECT_EQ(summary.processor, "NVIDIA H200");
    EXPECT_EQ(summary.request, "the cat");
    EXPECT_EQ(requestText(summary), "“the cat”, 1 point");
    EXPECT_EQ(summary.imagePath, "/pictures/cat.jpg");
    EXPECT_EQ(summary.imageDigest, "0123456789abcdef");
    EXPECT_EQ(summary.attention, "mha");
    EXPECT_EQ(summary.kvCache, "on");
    EXPECT_EQ(summary.precision, "bf16");
    EXPECT_EQ(summary.patches, 1944);
    EXPECT_EQ(summary.outcome, RunOutcome::Finished);
    EXPECT_EQ(summary.error, "");
    EXPECT_EQ(summary.extraPeakBytes, 250);
    EXPECT_EQ(summary.maskPeakBytes, 200);
    EXPECT_EQ(summary.totalMs, 9);
    EXPECT_EQ(summary.tokensPerSecond, 41.5);
}

TEST_F(RunStoreFile, KeepsWhatFailedAndLeavesUnknownFiguresOut) {
    RunStore store(m_file);
    RunRecord run = finishedRun();
    run.events = {{1, 3, Failed{{ErrorKind::Memory, "Too much."}}}};
    store.add(run);
    run.events.clear();
    store.add(run);
    const auto runs = store.list();
    ASSERT_EQ(runs.size(), 2);
    EXPECT_EQ(runs[0].outcome, RunOutcome::Unfinished);
    EXPECT_EQ(runs[1].outcome, RunOutcome::Failed);
    EXPECT_EQ(runs[1].error, "Too much.");
    EXPECT_EQ(runs[1].attention, "mha"); // that was asked for
    EXPECT_EQ(runs[1].extraPeakBytes, std::nullopt);
    EXPECT_EQ(runs[1].maskPeakBytes, std::nullopt);
    EXPECT_EQ(runs[1].patches, std::nullopt);
    EXPECT_EQ(runs[1].tokensPerSecond, std::nullopt);
}

TEST_F(RunStoreFile, ListsTheNewestFirstAndFindsWords) {
    RunStore store(m_file);
    const auto second = store.add(finishedRun("2026-11-30T10:00:00Z", "the Dog's 100 %"));
    const auto third = store.add(finishedRun("2026-12-01T00:00:00Z"));
    const auto first = store.add(finishedRun("2025-01-01T00:00:00Z"));
    const auto idsOf = [&](const RunFilter& filter) {
        std::vector<std::int64_t> ids;
        for (const RunSummary& run : store.list(filter))
            ids.push_back(run.id);
        return ids;
    };
    EXPECT_EQ(idsOf({}), (std::vector<std::int64_t>{third, second, first}));
    EXPECT_EQ(idsOf({"", 2}), (std::vector<std::int64_t>{third, second}));
    EXPECT_EQ(idsOf({"dog's"}), (std::vector<std::int64_t>{second}));
    EXPECT_EQ(idsOf({"100 %"}), (std::vector<std::int64_t>{second}));
    EXPECT_EQ(idsOf({"H200"}).size(), 3);
    EXPECT_EQ(idsOf({"' OR 1"}).size(), 0);
}

TEST_F(RunStoreFile, RemovesAllOrNoneAndNeverGivesANumberTwice) {
    RunStore store(m_file);
    const std::int64_t one = store.add(finishedRun()), two = store.add(finishedRun());
    const auto error = refusal([&] { store.remove(std::array{one, two + 7}); });
    EXPECT_EQ(error.kind, ErrorKind::Usage);
    EXPECT_NE(error.sentence.find("no run " + std::to_string(two + 7)), std::string::npos);
    EXPECT_EQ(store.list().size(), 2);
    store.remove(std::array{one, two});
    EXPECT_TRUE(store.list().empty());
    EXPECT_EQ(refusal([&] { store.load(two); }).kind, ErrorKind::Usage);
    EXPECT_GT(store.add(finishedRun()), two);
}

TEST_F(RunStoreFile, HoldsNothingOfWhatWasDeleted) {
    RunStore store(m_file);
    RunRecord run = longRun();
    run.header.text = "a word that nobody else may read";
    store.add(finishedRun());
    const std::int64_t id = store.add(run);
    const auto size = fs::file_size(m_file);
    ASSERT_NE(test::contentOf(m_file).find("nobody else"), std::string::npos);
    store.remove(std::array{id});
    EXPECT_EQ(test::contentOf(m_file).find("nobody else"), std::string::npos);
    EXPECT_LT(fs::file_size(m_file), size / 2);
}

TEST_F(RunStoreFile, SurvivesBeingKilledWhileItWrites) {
    constexpr int kRounds = 25;
    const fs::path journal = m_file.string() + "-journal"; // there while something is written
    std::mt19937 random(7);
    std::size_t confirmed = 0;
    int interrupted = 0;
    for (int round = 0; round < kRounds; ++round) {
        std::array<int, 2> ends{};
        ASSERT_EQ(pipe(ends.data()), 0);
        const pid_t child = fork();
        if (child == 0)
            addForEver(m_file, ends[1]);
        close(ends[1]);
        char mark = 0;
        ASSERT_EQ(read(ends[0], &mark, 1), 1); // the first is kept; the next is on its way
        ++confirmed;
        while (!fs::exists(journal))
            std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 4000));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        while (read(ends[0], &mark, 1) == 1)
            ++confirmed;
        close(ends[0]);
        interrupted += fs::exists(journal) ? 1 : 0;
        ASSERT_EQ(integrityOf(m_file), "ok");
        const std::size_t kept = RunStore(m_file).list().size();
        // The last may have been kept before it could be said.
        ASSERT_GE(kept, confirmed);
        ASSERT_LE(kept, confirmed + 1);
        confirmed = kept;
    }
    EXPECT_GE(interrupted, kRounds / 3) << "hardly one was killed in the middle of its writing";
    RunStore store(m_file);
    const std::string lines = linesOf(longRun());
    for (const RunSummary& run : store.list())
        ASSERT_EQ(linesOf(store.load(run.id)), lines);
}

TEST_F(RunStoreFile, IsSharedByTwoProcesses) {
    constexpr int kEach = 10;
    std::array<pid_t, 2> children{};
    for (pid_t& child : children) {
        child = fork();
        if (child == 0) {
            try {
                RunStore store(m_file); // the first of the two makes it
                for (int i = 0; i < kEach; ++i)
                    store.add(finishedRun());
                _exit(0);
            } catch (const Failure& failure) {
                std::fputs(failure.what(), stderr);
                _exit(1);
            }
        }
    }
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(RunStore(m_file).list().size(), 2 * kEach);
}

TEST_F(RunStoreFile, OpensAnEmptyFileAndRefusesALaterProgramsFile) {
    fs::create_directories(m_file.parent_path());
    std::ofstream(m_file).flush();
    RunStore(m_file).add(finishedRun());
    execute(m_file, "PRAGMA user_version = 7");
    const std::string before = test::contentOf(m_file);
    const auto error = refusal([&] { RunStore{m_file}; });
    EXPECT_EQ(error.kind, ErrorKind::Input);
    EXPECT_NE(error.sentence.find("schema 7 of a later Maskscope"), std::string::npos);
    EXPECT_NE(error.sentence.find(m_file.string()), std::string::npos);
    EXPECT_EQ(test::contentOf(m_file), before);
}

TEST_F(RunStoreFile, TakesAFileOfBeforeThePeaksOfMasks) {
    RunStore(m_file).add(finishedRun());
    execute(m_file, "ALTER TABLE run DROP COLUMN mask_peak_bytes; PRAGMA user_version = 1");
    RunStore store(m_file);
    EXPECT_EQ(store.list().at(0).maskPeakBytes, std::nullopt);
    EXPECT_EQ(store.list().at(0).tokensPerSecond, 41.5);
    EXPECT_EQ(linesOf(store.load(1)), linesOf(finishedRun()));
    store.add(finishedRun("2027-01-01T00:00:00Z"));
    EXPECT_EQ(store.list().at(0).maskPeakBytes, 200);
}

TEST_F(RunStoreFile, RefusesAnotherProgramsDatabase) {
    fs::create_directories(m_file.parent_path());
    execute(m_file, "CREATE TABLE bookmark (url TEXT)");
    const std::string before = test::contentOf(m_file);
    EXPECT_NE(refusal([&] { RunStore{m_file}; }).sentence.find("another program's database"),
        std::string::npos);
    EXPECT_EQ(test::contentOf(m_file), before);
}

TEST_F(RunStoreFile, SaysThatAFileIsDamagedAndLeavesIt) {
    RunStore(m_file).add(longRun());
    const std::string whole = test::contentOf(m_file);
    const auto expectRefused = [&](const std::string& content) {
        std::ofstream(m_file, std::ios::binary) << content;
        const auto error = refusal([&] {
            RunStore store(m_file);
            for (const RunSummary& run : store.list())
                store.load(run.id);
        });
        EXPECT_EQ(error.kind, ErrorKind::Input) << error.sentence;
        EXPECT_NE(error.sentence.find("damaged"), std::string::npos) << error.sentence;
        EXPECT_EQ(test::contentOf(m_file), content);
    };
    expectRefused("this was never a database, and it is longer than a header of one is");
    std::string torn = whole;
    torn.replace(4096, 30'000, 30'000, '\x55');
    expectRefused(torn);
    expectRefused(whole.substr(0, whole.size() / 2));
    std::string bit = whole; // inside what was compressed
    bit[bit.size() - 5000] = static_cast<char>(bit[bit.size() - 5000] ^ 4);
    expectRefused(bit);
}

TEST_F(RunStoreFile, SaysWhatKeepsItFromOpening) {
    EXPECT_NE(refusal([&] { RunStore{m_folder.path()}; }).sentence.find("cannot be opened"),
        std::string::npos);
    EXPECT_NE(refusal([&] {
        RunStore{"/proc/none/history.sqlite"};
    }).sentence.find("/proc/none/history.sqlite"),
        std::string::npos);
}

} // namespace maskscope
