// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/child_process.h"

#include "core/base/error.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace maskscope {
namespace {

struct Shelled {
    ChildEnd end;
    std::vector<std::string> lines;
    double ms = 0;
};

Shelled shell(const std::string& script, const std::stop_token& stop = {}) {
    using Milliseconds = std::chrono::duration<double, std::milli>;
    Shelled run;
    const auto start = std::chrono::steady_clock::now();
    run.end = runChild(
        "/bin/sh", {"-c", script}, [&](std::string_view line) { run.lines.emplace_back(line); },
        stop);
    run.ms = Milliseconds(std::chrono::steady_clock::now() - start).count();
    return run;
}

/// A process that was killed dies when it next gets a processor, long before its sleep ends. Who
/// reaps it is the system's business.
bool endsSoon(const std::string& id) {
    for (int i = 0; i < 100; ++i) {
        const std::string state
            = shell("cut -d' ' -f3 /proc/" + id + "/stat 2>/dev/null || echo gone").lines.at(0);
        if (state == "gone" || state == "Z" || state == "X")
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
}

} // namespace

TEST(ChildProcess, GivesLinesErrorsAndTheExitCode) {
    const Shelled run = shell("echo one; echo bad >&2; printf 'two\\nrest'; exit 7");
    EXPECT_EQ(run.lines, (std::vector<std::string>{"one", "two"}));
    EXPECT_EQ(run.end.errors, "bad\n");
    EXPECT_EQ(run.end.exitCode, 7);
    EXPECT_FALSE(run.end.stopped);
}

TEST(ChildProcess, ReadsMoreThanAPipeHolds) {
    const Shelled run = shell("i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done;"
                              " head -c 200000 /dev/zero >&2");
    EXPECT_EQ(run.lines.size(), 20'000U);
    EXPECT_EQ(run.end.errors.size(), 4096U);
    EXPECT_EQ(run.end.exitCode, 0);
}

TEST(ChildProcess, TellsTheSignalThatEndedIt) {
    const Shelled run = shell("kill -KILL $$");
    EXPECT_FALSE(run.end.exitCode);
    EXPECT_EQ(run.end.signal, SIGKILL);
    EXPECT_FALSE(run.end.stopped);
}

TEST(ChildProcess, IsKilledWithItsOwnChildrenWhenStopped) {
    std::stop_source stop;
    std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        stop.request_stop();
    });
    const Shelled run = shell("trap '' INT TERM; sleep 60 & echo $!; wait", stop.get_token());
    EXPECT_TRUE(run.end.stopped);
    EXPECT_LT(run.ms, 5000);
    ASSERT_EQ(run.lines.size(), 1U);
    EXPECT_TRUE(endsSoon(run.lines[0])) << "the grandchild goes on";
}

TEST(ChildProcess, EndsWithItsParent) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const pid_t parent = fork();
    if (parent == 0) {
        runChild("/bin/sh", {"-c", "echo $$; exec sleep 60"},
            [&](std::string_view id) { (void)!write(ends[1], id.data(), id.size()); }, {});
        _exit(0);
    }
    std::array<char, 20> id{};
    ASSERT_GT(read(ends[0], id.data(), id.size() - 1), 0);
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    EXPECT_TRUE(endsSoon(id.data()));
    for (const int end : ends)
        close(end);
}

TEST(ChildProcess, StartsWithoutBlockedSignals) {
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const Shelled run = shell("kill -TERM $$; sleep 60");
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    EXPECT_EQ(run.end.signal, SIGTERM);
}

TEST(ChildProcess, RefusesAProgramThatIsNotThere) {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "ThreadSanitizer makes a fork() of vfork(): the child cannot tell its parent.";
#endif
    try {
        runChild("/no/such/program", {}, [](std::string_view) {}, {});
        FAIL() << "it started";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Input);
        EXPECT_NE(failure.error().sentence.find("/no/such/program"), std::string::npos);
    }
}

TEST(ChildProcess, KnowsTheProgramThatRuns) {
    EXPECT_EQ(thisProgram().filename(), "child_process_test");
}

} // namespace maskscope
